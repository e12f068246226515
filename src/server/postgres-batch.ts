// Values stored in one transaction on PostgreSQL. The rows of usage of their owners are locked first, in order, so that
// nodes that write for one wallet take turns; what is there is read, every value is decided on in the order of arrival, and
// all of it is written by one statement. That a value under a key of logs and mirrors is the only one is the primary key's
// doing, not the reading's: a statement that breaks it fails as a whole, and the batch is decided anew.

import type { Address } from "../core/values.ts";
import { conversationsOf, isAppendOnly, kept, type PutResult } from "./hub-store.ts";
import { bytesOf, EVERYONE, headOf, ownerOf, placeOf } from "./postgres-keys.ts";
import { nothingUsed, OVERHEAD, overQuota, UNLIMITED, type QuotaOptions, type Usage } from "./quota.ts";
import type { SqlSession } from "./sql.ts";

export interface Writing {
  readonly owner: Address;
  readonly bucket: string;
  readonly key: string;
  readonly value: Uint8Array;
  readonly createdAt: number;
}

/** Over the limit of all together, which was not looked at before: to be decided anew with that row locked. */
export class TotalExceeded extends Error {}

export interface BatchOutcome {
  readonly results: readonly PutResult[];
  /** Of all wallets together, where something was written. */
  readonly total: Usage | undefined;
}

interface UsageRow {
  readonly owner: Buffer;
  readonly bytes: number;
  readonly objects: number;
  readonly buckets: number;
  readonly rows: number;
}

interface FoundRow {
  readonly kind: number;
  readonly a: Buffer;
  readonly b: Buffer;
  readonly c: Buffer | null;
  readonly d: Buffer | null;
  readonly n: number;
}

export const USAGE_COLUMNS =
  "owner, bytes::float8 AS bytes, objects::float8 AS objects, buckets::float8 AS buckets, rows_written::float8 AS rows";

export const LOCK = `SELECT ${USAGE_COLUMNS} FROM hub_usage WHERE owner = ANY($1::bytea[]) ORDER BY owner FOR UPDATE`;

const keyed = (kind: number, table: string, owners: number): string => `
SELECT ${kind}, w.owner, w.key, t.value, t.bucket, 0::float8
FROM unnest($${owners}::bytea[], $${owners + 1}::bytea[], $${owners + 2}::bytea[]) AS w (owner, conversation, key)
CROSS JOIN LATERAL (
  SELECT value, bucket FROM ${table} AS x
  WHERE x.owner = w.owner AND x.conversation = w.conversation AND x.key = w.key LIMIT 1
) AS t`;

/** Buckets (1), rows of conversations (2), entries (3) and objects (4) that a batch meets. */
export const FIND = `
SELECT 1 AS kind, name AS a, owner AS b, first_entry AS c, NULL::bytea AS d, 0::float8 AS n
FROM hub_buckets WHERE name = ANY($1::bytea[])
UNION ALL
SELECT 2, w.owner, w.conversation, NULL, NULL, t.n
FROM unnest($2::bytea[], $3::bytea[]) AS w (owner, conversation)
CROSS JOIN LATERAL (
  SELECT rows_written::float8 AS n FROM hub_conversations AS x
  WHERE x.owner = w.owner AND x.conversation = w.conversation LIMIT 1
) AS t
UNION ALL${keyed(3, "hub_entries", 4)}
UNION ALL${keyed(4, "hub_objects", 7)}`;

export const WRITE = `
WITH entries AS (
  INSERT INTO hub_entries (owner, conversation, key, bucket, value, created_at)
  SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bigint[])
), objects AS (
  INSERT INTO hub_objects (owner, conversation, key, bucket, value, created_at)
  SELECT * FROM unnest($7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[], $11::bytea[], $12::bigint[])
  ON CONFLICT (owner, conversation, key) DO UPDATE
  SET bucket = excluded.bucket, value = excluded.value, created_at = excluded.created_at
), numbered AS (
  INSERT INTO hub_rows (owner, conversation, number, key)
  SELECT * FROM unnest($13::bytea[], $14::bytea[], $15::bigint[], $16::bytea[])
), counted AS (
  INSERT INTO hub_conversations (owner, conversation, rows_written)
  SELECT * FROM unnest($17::bytea[], $18::bytea[], $19::bigint[])
  ON CONFLICT (owner, conversation) DO UPDATE SET rows_written = excluded.rows_written
), marked AS (
  UPDATE hub_buckets AS b SET first_entry = m.key
  FROM unnest($20::bytea[], $21::bytea[]) AS m (name, key) WHERE b.name = m.name AND b.first_entry IS NULL
), wallets AS (
  UPDATE hub_usage AS u SET bytes = u.bytes + d.bytes, objects = u.objects + d.objects,
    rows_written = u.rows_written + d.rows_written
  FROM unnest($22::bytea[], $23::bigint[], $24::bigint[], $25::bigint[]) AS d (owner, bytes, objects, rows_written)
  WHERE u.owner = d.owner
)
UPDATE hub_usage SET bytes = bytes + $26::bigint, objects = objects + $27::bigint, rows_written = rows_written + $28::bigint
WHERE owner = ''::bytea RETURNING ${USAGE_COLUMNS}`;

/**
 * Within a transaction. `careful`: the limits of all together are looked at before, under a lock that all writers wait for.
 * @throws TotalExceeded where that was left out and would have been needed
 */
export async function storeBatch(
  session: SqlSession,
  writings: readonly Writing[],
  quota: QuotaOptions,
  careful: boolean,
): Promise<BatchOutcome> {
  const wallets = await lockUsage(session, [...new Set(writings.map(({ owner }) => owner))].map(ownerOf));
  const all = careful ? await lockUsage(session, [EVERYONE]) : undefined;
  const batch = new Batch(await find(session, writings), wallets, all?.get(""), quota);
  const results = writings.map((writing) => batch.decide(writing));
  if (!batch.isDirty) return { results, total: undefined };
  const [total] = await session.query<UsageRow>(WRITE, batch.values());
  if (!careful && total !== undefined && overTotal(quota, total, batch.added)) throw new TotalExceeded();
  return { results, total };
}

/** Whether all together, as they are, have more than they may in something that was added to. */
function overTotal({ quota }: QuotaOptions, total: Usage, added: Readonly<Usage>): boolean {
  return (["bytes", "objects", "rows"] as const).some((of) => added[of] > 0 && total[of] > quota.all[of]);
}

/** The rows of usage by owner in hex, locked until the transaction ends. */
export async function lockUsage(session: SqlSession, owners: readonly Buffer[]): Promise<Map<string, Usage>> {
  const rows = await session.query<UsageRow>(LOCK, [owners]);
  return new Map(rows.map(({ owner, ...used }) => [owner.toString("hex"), used]));
}

function find(session: SqlSession, writings: readonly Writing[]): Promise<readonly FoundRow[]> {
  const conversations = new Map<string, readonly [Buffer, Buffer]>();
  const entries = new Map<string, readonly [Buffer, Buffer, Buffer]>();
  const objects = new Map<string, readonly [Buffer, Buffer, Buffer]>();
  for (const { owner, key } of writings) {
    const [ownerBytes, keyBytes] = [ownerOf(owner), bytesOf(key)];
    for (const id of conversationsOf(key)) conversations.set(`${owner}${id}`, [ownerBytes, bytesOf(id)]);
    const keys = isAppendOnly(key) ? entries : objects;
    keys.set(`${owner}${key}`, [ownerBytes, headOf(key), keyBytes]);
  }
  const columns = (rows: Iterable<readonly Buffer[]>, count: number) => {
    const list = [...rows];
    return Array.from({ length: count }, (_, i) => list.map((row) => row[i]!));
  };
  return session.query<FoundRow>(FIND, [
    [...new Set(writings.map(({ bucket }) => bucket))].map(bytesOf),
    ...columns(conversations.values(), 2),
    ...columns(entries.values(), 3),
    ...columns(objects.values(), 3),
  ]);
}

interface Present {
  readonly bucket: Buffer;
  readonly value: Buffer;
}

interface NewValue extends Present {
  readonly owner: Buffer;
  readonly conversation: Buffer;
  readonly key: Buffer;
  readonly createdAt: number;
}

/** What a transaction has found and is about to write. */
class Batch {
  readonly added = nothingUsed();
  readonly #quota: QuotaOptions;
  readonly #wallets: ReadonlyMap<string, Usage>;
  readonly #all: Usage;
  readonly #buckets = new Map<string, { readonly owner: Buffer; marked: boolean }>();
  readonly #present = new Map<string, Present>();
  readonly #rows = new Map<string, number>();
  readonly #newEntries = new Map<string, NewValue>();
  readonly #newObjects = new Map<string, NewValue>();
  readonly #newRows: (readonly [Buffer, Buffer, number, Buffer])[] = [];
  readonly #newCounts = new Map<string, readonly [Buffer, Buffer, number]>();
  readonly #marks: (readonly [Buffer, Buffer])[] = [];
  readonly #deltas = new Map<string, Usage>();

  /** `all` undefined: the limits of all together are not looked at here. */
  constructor(
    found: readonly FoundRow[],
    wallets: ReadonlyMap<string, Usage>,
    all: Usage | undefined,
    quota: QuotaOptions,
  ) {
    this.#quota =
      all === undefined ? { ...quota, quota: { wallet: quota.quota.wallet, all: UNLIMITED.all } } : quota;
    this.#wallets = wallets;
    this.#all = all ?? nothingUsed();
    for (const { kind, a, b, c, d, n } of found) {
      if (kind === 1) this.#buckets.set(a.toString(), { owner: b, marked: c !== null });
      else if (kind === 2) this.#rows.set(placeOf(a, b), n);
      else this.#present.set(placeOf(a, b), { value: c!, bucket: d! });
    }
  }

  get isDirty(): boolean {
    return this.#newEntries.size > 0 || this.#newObjects.size > 0;
  }

  decide({ owner, bucket, key, value, createdAt }: Writing): PutResult {
    const ownerBytes = ownerOf(owner);
    const there = this.#buckets.get(bucket);
    if (there === undefined) return "no-bucket";
    if (!there.owner.equals(ownerBytes)) return "forbidden";
    const keyBytes = bytesOf(key);
    const place = placeOf(ownerBytes, keyBytes);
    const before = this.#present.get(place);
    const lasting = isAppendOnly(key);
    if (before !== undefined && lasting)
      return before.value.equals(value) ? "stored" : kept(key, before.value);
    const conversations = conversationsOf(key);
    const more: Usage = {
      bytes: value.length - (before?.value.length ?? -(keyBytes.length + OVERHEAD)),
      objects: before === undefined ? 1 : 0,
      buckets: 0,
      rows: conversations.length,
    };
    const wallet = this.#wallets.get(ownerBytes.toString("hex")) ?? nothingUsed();
    const full = overQuota(this.#quota, owner, { wallet, all: this.#all }, more);
    if (full !== undefined) return full;
    for (const used of [wallet, this.#all, this.added, this.#deltaOf(ownerBytes)]) add(used, more);
    const stored = {
      ...{ owner: ownerBytes, conversation: headOf(key), key: keyBytes },
      ...{ bucket: bytesOf(bucket), value: Buffer.from(value), createdAt },
    };
    this.#present.set(place, stored);
    (lasting ? this.#newEntries : this.#newObjects).set(place, stored);
    for (const id of conversations) this.#addRow(ownerBytes, bytesOf(id), keyBytes);
    if (lasting && !there.marked) {
      there.marked = true;
      this.#marks.push([stored.bucket, keyBytes]);
    }
    return "stored";
  }

  /** In the order of the statement's parameters. */
  values(): unknown[] {
    const deltas = [...this.#deltas].map(([owner, used]) => ({ owner: Buffer.from(owner, "hex"), ...used }));
    const column = <T>(rows: readonly T[], pick: (row: T) => unknown) => rows.map(pick);
    const stored = (rows: readonly NewValue[]) => [
      column(rows, ({ owner }) => owner),
      column(rows, ({ conversation }) => conversation),
      column(rows, ({ key }) => key),
      column(rows, ({ bucket }) => bucket),
      column(rows, ({ value }) => value),
      column(rows, ({ createdAt }) => createdAt),
    ];
    const counts = [...this.#newCounts.values()];
    return [
      ...stored([...this.#newEntries.values()]),
      ...stored([...this.#newObjects.values()]),
      ...[0, 1, 2, 3].map((i) => column(this.#newRows, (row) => row[i])),
      ...[0, 1, 2].map((i) => column(counts, (row) => row[i])),
      ...[0, 1].map((i) => column(this.#marks, (row) => row[i])),
      column(deltas, ({ owner }) => owner),
      ...(["bytes", "objects", "rows"] as const).map((of) => column(deltas, (delta) => delta[of])),
      ...[this.added.bytes, this.added.objects, this.added.rows],
    ];
  }

  #deltaOf(owner: Buffer): Usage {
    const name = owner.toString("hex");
    let delta = this.#deltas.get(name);
    if (delta === undefined) this.#deltas.set(name, (delta = nothingUsed()));
    return delta;
  }

  #addRow(owner: Buffer, conversation: Buffer, key: Buffer): void {
    const place = placeOf(owner, conversation);
    const number = this.#rows.get(place) ?? 0;
    this.#rows.set(place, number + 1);
    this.#newRows.push([owner, conversation, number, key]);
    this.#newCounts.set(place, [owner, conversation, number + 1]);
  }
}

/** Unlike what is used, a difference may be negative. */
function add(used: Usage, more: Readonly<Usage>): void {
  for (const member of ["bytes", "objects", "buckets", "rows"] as const) used[member] += more[member];
}
