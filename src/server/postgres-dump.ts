// The records of a store on PostgreSQL, of one moment and while nodes go on writing to it, and such a store filled from them.

import type { Address } from "../core/values.ts";
import { isAppendOnly } from "./hub-store.ts";
import { bytesOf, headOf, ownerOf } from "./postgres-keys.ts";
import { OVERHEAD } from "./quota.ts";
import { migrateSchema } from "./sql-migrations.ts";
import type { SqlDatabase, SqlSession } from "./sql.ts";
import { inBatches, type StoreDump, type StoreRecord } from "./store-dump.ts";

/** Rows read at once. */
const PAGE = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;

interface BucketRow {
  readonly name: Buffer;
  readonly owner: Buffer;
  readonly kind: string;
}
interface ObjectRow {
  readonly owner: Buffer;
  readonly conversation: Buffer;
  readonly key: Buffer;
  readonly bucket: Buffer;
  readonly value: Buffer;
  readonly created: number;
}
interface RowRow {
  readonly owner: Buffer;
  readonly conversation: Buffer;
  readonly number: number;
  readonly key: Buffer;
}

const addressOf = (owner: Buffer): Address => `0x${owner.toString("hex")}`;

/** Within one transaction that sees one moment: `session` is its. */
export async function* dumpPostgres(session: SqlSession): AsyncGenerator<StoreRecord> {
  const buckets = pages<BucketRow>(session, "name, owner, kind", "hub_buckets", ["name"]);
  for await (const { name, owner, kind } of buckets)
    yield { at: "bucket", name: name.toString(), owner: addressOf(owner), kind };
  for (const table of ["hub_entries", "hub_objects"]) {
    const columns = "owner, conversation, key, bucket, value, created_at::float8 AS created";
    for await (const row of pages<ObjectRow>(session, columns, table, ["owner", "conversation", "key"]))
      yield {
        at: "object",
        owner: addressOf(row.owner),
        key: row.key.toString(),
        bucket: row.bucket.toString(),
        createdAt: row.created,
        value: row.value,
      };
  }
  const columns = "owner, conversation, number::float8 AS number, key";
  for await (const row of pages<RowRow>(session, columns, "hub_rows", ["owner", "conversation", "number"]))
    yield {
      at: "row",
      owner: addressOf(row.owner),
      conversation: row.conversation.toString(),
      number: row.number,
      key: row.key.toString(),
    };
}

/** All rows in the order of the primary key, each page from where the last one ended. */
async function* pages<Row extends object>(
  session: SqlSession,
  columns: string,
  table: string,
  key: readonly (keyof Row & string)[],
): AsyncGenerator<Row> {
  const order = key.join(", ");
  let from: readonly unknown[] = [];
  for (;;) {
    const places = from.map((_, i) => `$${i + 1}`).join(", ");
    const after = from.length === 0 ? "" : `WHERE (${order}) > (${places})`;
    const rows = await session.query<Row>(
      `SELECT ${columns} FROM ${table} ${after} ORDER BY ${order} LIMIT ${PAGE}`,
      from,
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    from = key.map((name) => last[name]);
  }
}

/** Reads all records of one moment. */
export function withDump<T>(database: SqlDatabase, work: (dump: StoreDump) => Promise<T>): Promise<T> {
  return database.transaction(async (session) => {
    await session.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return work(dumpPostgres(session));
  });
}

export async function isEmptyDatabase(database: SqlDatabase): Promise<boolean> {
  const found = await database.query("SELECT 1 AS one FROM hub_buckets LIMIT 1");
  return found.length === 0;
}

/**
 * Adds the records, batch by batch; what is there already stays, so that a load that was cut off is begun again. The sums
 * that nodes keep are made last: no node may run meanwhile.
 */
export async function loadPostgres(database: SqlDatabase, dump: StoreDump): Promise<void> {
  await migrateSchema(database);
  for await (const batch of inBatches(dump, PAGE, BATCH_BYTES))
    await database.transaction((session) => insert(session, batch));
  await database.transaction(async (session) => {
    for (const statement of SUMS) await session.query(statement, statement.includes("$1") ? [OVERHEAD] : []);
  });
}

async function insert(session: SqlSession, batch: readonly StoreRecord[]): Promise<void> {
  const buckets = batch.filter((record) => record.at === "bucket");
  const objects = batch.filter((record) => record.at === "object");
  const rows = batch.filter((record) => record.at === "row");
  if (buckets.length > 0)
    await session.query(
      "INSERT INTO hub_buckets (name, owner, kind) SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::varchar[]) ON CONFLICT DO NOTHING",
      [
        buckets.map(({ name }) => bytesOf(name)),
        buckets.map(({ owner }) => ownerOf(owner)),
        buckets.map(({ kind }) => kind),
      ],
    );
  for (const table of ["hub_entries", "hub_objects"]) {
    const these = objects.filter(({ key }) => isAppendOnly(key) === (table === "hub_entries"));
    if (these.length === 0) continue;
    await session.query(
      `INSERT INTO ${table} (owner, conversation, key, bucket, value, created_at) SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bigint[]) ON CONFLICT DO NOTHING`,
      [
        these.map(({ owner }) => ownerOf(owner)),
        these.map(({ key }) => headOf(key)),
        these.map(({ key }) => bytesOf(key)),
        these.map(({ bucket }) => bytesOf(bucket)),
        these.map(({ value }) => value),
        these.map(({ createdAt }) => createdAt),
      ],
    );
  }
  if (rows.length > 0)
    await session.query(
      "INSERT INTO hub_rows (owner, conversation, number, key) SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bytea[]) ON CONFLICT DO NOTHING",
      [
        rows.map(({ owner }) => ownerOf(owner)),
        rows.map(({ conversation }) => bytesOf(conversation)),
        rows.map(({ number }) => number),
        rows.map(({ key }) => bytesOf(key)),
      ],
    );
}

const SUMS = [
  `INSERT INTO hub_conversations (owner, conversation, rows_written)
   SELECT owner, conversation, max(number) + 1 FROM hub_rows GROUP BY owner, conversation
   ON CONFLICT (owner, conversation) DO UPDATE SET rows_written = excluded.rows_written`,
  `UPDATE hub_buckets SET first_entry = (
     SELECT e.key FROM hub_entries AS e WHERE e.owner = hub_buckets.owner AND e.bucket = hub_buckets.name
     ORDER BY e.conversation, e.key LIMIT 1
   ) WHERE first_entry IS NULL`,
  `INSERT INTO hub_usage (owner, bytes, objects, buckets, rows_written)
   SELECT owner, sum(bytes), sum(objects), sum(buckets), sum(rows_written) FROM (
     SELECT owner, octet_length(key) + octet_length(value) + $1::bigint AS bytes, 1 AS objects, 0 AS buckets, 0 AS rows_written FROM hub_entries
     UNION ALL SELECT owner, octet_length(key) + octet_length(value) + $1::bigint, 1, 0, 0 FROM hub_objects
     UNION ALL SELECT owner, 0, 0, 1, 0 FROM hub_buckets
     UNION ALL SELECT owner, 0, 0, 0, 1 FROM hub_rows
   ) AS parts GROUP BY owner
   ON CONFLICT (owner) DO UPDATE SET bytes = excluded.bytes, objects = excluded.objects, buckets = excluded.buckets,
     rows_written = excluded.rows_written`,
  `UPDATE hub_usage AS u SET bytes = t.bytes, objects = t.objects, buckets = t.buckets, rows_written = t.rows_written
   FROM (
     SELECT coalesce(sum(bytes), 0) AS bytes, coalesce(sum(objects), 0) AS objects, coalesce(sum(buckets), 0) AS buckets,
       coalesce(sum(rows_written), 0) AS rows_written FROM hub_usage WHERE owner <> ''::bytea
   ) AS t WHERE u.owner = ''::bytea`,
];
