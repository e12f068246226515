// The store on PostgreSQL, or a database compatible with it, which many nodes share. What holds across nodes holds by the
// database: names of buckets and keys of logs are primary keys, what a wallet uses is a row that its writers lock.

import type { Address } from "../core/values.ts";
import {
  isAppendOnly,
  isConversation,
  kept,
  PageBuilder,
  rowText,
  type Bucket,
  type BucketResult,
  type DeleteResult,
  type PutResult,
  type Store,
  type StoredObject,
} from "./hub-store.ts";
import { lockUsage, USAGE_COLUMNS } from "./postgres-batch.ts";
import { bytesOf, EVERYONE, headOf, ownerOf } from "./postgres-keys.ts";
import { PointReads } from "./postgres-reads.ts";
import { PostgresWrites } from "./postgres-writes.ts";
import { nothingUsed, OVERHEAD, overQuota, QUOTA_OPTIONS, type QuotaOptions, type Usage } from "./quota.ts";
import { migrateSchema } from "./sql-migrations.ts";
import { withSqlRetries, type SqlDatabase, type SqlRetry, type SqlSession } from "./sql.ts";

/** Rows of a page that are read at once. */
const ROWS = 1024;
const MOST_ROWS = Number.MAX_SAFE_INTEGER;

const rowsOf = (table: string): string => `
SELECT number, value FROM (
  SELECT number, value,
    sum(coalesce(octet_length(value), 0)) OVER (ORDER BY number) - coalesce(octet_length(value), 0) AS before
  FROM (
    SELECT r.number::float8 AS number, t.value
    FROM hub_rows AS r
    LEFT JOIN LATERAL (
      SELECT value FROM ${table} AS x WHERE x.owner = r.owner AND x.conversation = $4 AND x.key = r.key LIMIT 1
    ) AS t ON true
    WHERE r.owner = $1 AND r.conversation = $2 AND r.number >= $3
    ORDER BY r.number LIMIT $5
  ) AS found
) AS sized WHERE before <= $6 ORDER BY number`;

export const ENTRY_ROWS = rowsOf("hub_entries");
export const OBJECT_ROWS = rowsOf("hub_objects");
export const VERSION = `
SELECT coalesce((SELECT rows_written FROM hub_conversations WHERE owner = $1 AND conversation = $2), 0)::float8 AS rows,
  coalesce((SELECT deletions FROM hub_usage WHERE owner = $1), 0)::float8 AS deletions`;
export const BUCKET = "SELECT owner, kind, first_entry FROM hub_buckets WHERE name = $1";
const ADD_USAGE = `
UPDATE hub_usage SET bytes = bytes - $2::bigint, objects = objects - $3::bigint, buckets = buckets + $4::bigint,
  deletions = deletions + $5::bigint WHERE owner = ANY($1::bytea[])`;
export const SWEEP = `
WITH gone AS (
  DELETE FROM hub_objects WHERE owner = $1 AND bucket = $2 RETURNING octet_length(key) + octet_length(value) + $3 AS size
) SELECT count(*)::float8 AS objects, coalesce(sum(size), 0)::float8 AS bytes FROM gone`;

interface BucketRow {
  readonly owner: Buffer;
  readonly kind: string;
  readonly first_entry: Buffer | null;
}

export class PostgresStore implements Store {
  readonly #database: SqlDatabase;
  readonly #retry: SqlRetry;
  readonly #quota: QuotaOptions;
  readonly #reads: PointReads;
  readonly #writes: PostgresWrites;
  /** The last making or deleting of each bucket that is under way. */
  readonly #turns = new Map<string, Promise<void>>();

  private constructor(database: SqlDatabase, retry: SqlRetry, quota: QuotaOptions) {
    this.#database = database;
    this.#retry = retry;
    this.#quota = quota;
    this.#reads = new PointReads((text, values) => this.#query(text, values));
    this.#writes = new PostgresWrites((work) => this.#transaction(work), quota);
  }

  /** Brings the database to the present form first. It is closed with the store, and where it cannot be used. */
  static async open(
    database: SqlDatabase,
    retry: SqlRetry,
    quota: QuotaOptions = QUOTA_OPTIONS,
  ): Promise<PostgresStore> {
    try {
      await withSqlRetries(retry, () => migrateSchema(database));
      return new PostgresStore(database, retry, quota);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  makeBucket(name: string, owner: Address, kind: string): Promise<BucketResult> {
    const [nameBytes, ownerBytes] = [bytesOf(name), ownerOf(owner)];
    return this.#inTurn<BucketResult>(name, async (session) => {
      const [there] = await session.query<BucketRow>(BUCKET, [nameBytes]);
      if (there !== undefined) {
        if (!there.owner.equals(ownerBytes)) return "forbidden";
        return there.kind === kind ? "there" : "conflict";
      }
      await session.query("INSERT INTO hub_usage (owner) VALUES ($1) ON CONFLICT DO NOTHING", [ownerBytes]);
      const wallet = (await lockUsage(session, [ownerBytes])).get(ownerBytes.toString("hex"));
      const all = (await lockUsage(session, [EVERYONE])).get("");
      const used = { wallet: wallet ?? nothingUsed(), all: all ?? nothingUsed() };
      const full = overQuota(this.#quota, owner, used, { ...nothingUsed(), buckets: 1 });
      if (full !== undefined) return full;
      await session.query("INSERT INTO hub_buckets (name, owner, kind) VALUES ($1, $2, $3)", [
        ...[nameBytes, ownerBytes, kind],
      ]);
      await session.query(ADD_USAGE, [[ownerBytes, EVERYONE], 0, 0, 1, 0]);
      return "made";
    });
  }

  async bucket(name: string): Promise<Bucket | undefined> {
    const [found] = await this.#query<BucketRow>(BUCKET, [bytesOf(name)]);
    return found && { owner: `0x${found.owner.toString("hex")}`, kind: found.kind };
  }

  async deleteBucket(name: string, owner: Address): Promise<DeleteResult> {
    const [nameBytes, ownerBytes] = [bytesOf(name), ownerOf(owner)];
    return this.#inTurn<DeleteResult>(name, async (session) => {
      await lockUsage(session, [ownerBytes]);
      const [there] = await session.query<BucketRow>(BUCKET, [nameBytes]);
      if (there === undefined) return "no-bucket";
      if (!there.owner.equals(ownerBytes)) return "forbidden";
      const first = there.first_entry?.toString();
      if (first !== undefined) return kept(first, await entryIn(session, ownerBytes, first));
      const [gone] = await session.query<{ objects: number; bytes: number }>(SWEEP, [
        ...[ownerBytes, nameBytes, OVERHEAD],
      ]);
      await session.query("DELETE FROM hub_buckets WHERE name = $1", [nameBytes]);
      await session.query(ADD_USAGE, [[ownerBytes, EVERYONE], gone!.bytes, gone!.objects, -1, 1]);
      return "deleted";
    });
  }

  put(owner: Address, bucket: string, key: string, value: Uint8Array, createdAt: number): Promise<PutResult> {
    return this.#writes.put({ owner, bucket, key, value, createdAt });
  }

  get(owner: Address, key: string): Promise<StoredObject | undefined> {
    return this.#reads.find(owner, key);
  }

  async value(owner: Address, key: string): Promise<Uint8Array | undefined> {
    return (await this.#reads.find(owner, key))?.value;
  }

  async page(
    owner: Address,
    conversation: string,
    offset: number,
    length: number,
    bytes: number,
  ): Promise<string[]> {
    const page = new PageBuilder(length, bytes);
    if (!isConversation(conversation) || offset > MOST_ROWS) return page.texts;
    const text = isAppendOnly(`${conversation}_`) ? ENTRY_ROWS : OBJECT_ROWS;
    const places = [ownerOf(owner), bytesOf(conversation)];
    for (let from = offset; ;) {
      const limit = Math.min(ROWS, page.wanted);
      const rows = await this.#query<{ number: number; value: Buffer | null }>(text, [
        ...[...places, from, headOf(`${conversation}_`), limit, bytes],
      ]);
      for (const { value } of rows) if (!page.add(rowText(value ?? undefined))) return page.texts;
      const size = rows.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
      if (rows.length < limit && size <= bytes) return page.texts;
      from = rows.at(-1)!.number + 1;
    }
  }

  async version(owner: Address, conversation: string): Promise<string> {
    const values = [ownerOf(owner), bytesOf(conversation)];
    const [found] = await this.#query<{ rows: number; deletions: number }>(VERSION, values);
    return `${found!.rows}.${found!.deletions}`;
  }

  async usage(owner?: Address): Promise<Readonly<Usage>> {
    const text = `SELECT ${USAGE_COLUMNS} FROM hub_usage WHERE owner = $1`;
    const [found] = await this.#query<Usage & { owner: Buffer }>(text, [
      owner === undefined ? EVERYONE : ownerOf(owner),
    ]);
    const { bytes, objects, buckets, rows } = found ?? nothingUsed();
    return { bytes, objects, buckets, rows };
  }

  async close(): Promise<void> {
    await this.#writes.idle();
    await this.#database.close();
  }

  /** After what this node was asked before about the same bucket. */
  async #inTurn<T>(bucket: string, work: (session: SqlSession) => Promise<T>): Promise<T> {
    const before = this.#turns.get(bucket);
    const mine = (before ?? Promise.resolve()).then(() => this.#transaction(work));
    const over = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(bucket, over);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(bucket) === over) this.#turns.delete(bucket);
    }
  }

  #query<Row extends object>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return withSqlRetries(this.#retry, () => this.#database.query<Row>(text, values));
  }

  #transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return withSqlRetries(this.#retry, () => this.#database.transaction(work));
  }
}

async function entryIn(session: SqlSession, owner: Buffer, key: string): Promise<Buffer> {
  const [found] = await session.query<{ value: Buffer }>(
    "SELECT value FROM hub_entries WHERE owner = $1 AND conversation = $2 AND key = $3",
    [owner, headOf(key), bytesOf(key)],
  );
  if (found === undefined) throw new Error("the store is damaged: a bucket's first entry is missing");
  return found.value;
}
