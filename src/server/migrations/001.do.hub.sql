-- The Hub's store. Plain SQL that PostgreSQL and databases compatible with it run. Texts are bytes: keys may hold any
-- character, and compare by bytes whatever the collation. Everything of one owner lies together, so that tables can be
-- partitioned or distributed by owner.

CREATE TABLE hub_buckets (
  name bytea NOT NULL PRIMARY KEY,
  owner bytea NOT NULL,
  kind varchar(64) NOT NULL,
  -- The first append-only key written into it: a bucket that has one is never deleted.
  first_entry bytea
);

-- Logs and mirrors. Rows are inserted, never updated nor deleted: a second value under a key breaks the primary key.
CREATE TABLE hub_entries (
  owner bytea NOT NULL,
  conversation bytea NOT NULL,
  key bytea NOT NULL,
  bucket bytea NOT NULL,
  value bytea NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (owner, conversation, key),
  CONSTRAINT hub_entries_append_only CHECK (
    substring(key from 1 for 6) = 'coop1_'::bytea OR substring(key from 1 for 8) = 'mirror1.'::bytea
  )
);

-- Everything else: the last value wins, and goes with its bucket.
CREATE TABLE hub_objects (
  owner bytea NOT NULL,
  conversation bytea NOT NULL,
  key bytea NOT NULL,
  bucket bytea NOT NULL,
  value bytea NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (owner, conversation, key),
  CONSTRAINT hub_objects_mutable CHECK (
    substring(key from 1 for 6) <> 'coop1_'::bytea AND substring(key from 1 for 8) <> 'mirror1.'::bytea
  )
);
CREATE INDEX hub_objects_by_bucket ON hub_objects (owner, bucket);

-- The order of writing: each value adds a row to every conversation that its key lies in.
CREATE TABLE hub_rows (
  owner bytea NOT NULL,
  conversation bytea NOT NULL,
  number bigint NOT NULL,
  key bytea NOT NULL,
  PRIMARY KEY (owner, conversation, number)
);

CREATE TABLE hub_conversations (
  owner bytea NOT NULL,
  conversation bytea NOT NULL,
  rows_written bigint NOT NULL,
  PRIMARY KEY (owner, conversation)
);

-- What each wallet uses; the empty owner stands for all together. A wallet's row is locked by each of its writes.
CREATE TABLE hub_usage (
  owner bytea NOT NULL PRIMARY KEY,
  bytes bigint NOT NULL DEFAULT 0,
  objects bigint NOT NULL DEFAULT 0,
  buckets bigint NOT NULL DEFAULT 0,
  rows_written bigint NOT NULL DEFAULT 0,
  deletions bigint NOT NULL DEFAULT 0
);
INSERT INTO hub_usage (owner) VALUES (''::bytea);
