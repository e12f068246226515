// A Hub's store as a stream of records, the same for LMDB and PostgreSQL: for backups, restores and moves between them.
// A backup is JSON Lines: a head, a record a line, and an end with the numbers and the digest of all records.

import { createHash } from "node:crypto";
import { canonicalize, isObject, own, parseJson, type Json } from "../core/canonical.ts";
import { isAddress, type Address } from "../core/values.ts";

export type StoreRecord =
  | { readonly at: "bucket"; readonly name: string; readonly owner: Address; readonly kind: string }
  | {
      readonly at: "object";
      readonly owner: Address;
      readonly key: string;
      readonly bucket: string;
      readonly createdAt: number;
      readonly value: Buffer;
    }
  | {
      readonly at: "row";
      readonly owner: Address;
      readonly conversation: string;
      readonly number: number;
      readonly key: string;
    };

/** Records of one moment, in any order; each exactly once. */
export type StoreDump = AsyncIterable<StoreRecord>;

export interface DumpSum {
  readonly buckets: number;
  readonly objects: number;
  readonly rows: number;
  readonly digest: string;
}

const FORMAT = "coop-hub-backup/1";
const WHOLE = 2n ** 256n;

/** Numbers and a digest of records whatever their order: the sum of their SHA-256, since two stores sort differently. */
export class DumpSummer {
  readonly #counts = { bucket: 0, object: 0, row: 0 };
  #sum = 0n;

  add(record: StoreRecord): void {
    this.#counts[record.at]++;
    this.#sum =
      (this.#sum + BigInt(`0x${createHash("sha256").update(lineOf(record)).digest("hex")}`)) % WHOLE;
  }

  get sum(): DumpSum {
    const { bucket, object, row } = this.#counts;
    return { buckets: bucket, objects: object, rows: row, digest: this.#sum.toString(16).padStart(64, "0") };
  }
}

export async function sumOf(dump: StoreDump): Promise<DumpSum> {
  const summer = new DumpSummer();
  for await (const record of dump) summer.add(record);
  return summer.sum;
}

/** The records as they pass, counted. */
export async function* counted(dump: StoreDump, summer: DumpSummer): AsyncGenerator<StoreRecord> {
  for await (const record of dump) {
    summer.add(record);
    yield record;
  }
}

export function isSameSum(a: DumpSum, b: DumpSum): boolean {
  return a.digest === b.digest && a.buckets === b.buckets && a.objects === b.objects && a.rows === b.rows;
}

export async function* backupLines(dump: StoreDump): AsyncGenerator<string> {
  const summer = new DumpSummer();
  yield `${canonicalize({ format: FORMAT })}\n`;
  for await (const record of counted(dump, summer)) yield `${lineOf(record)}\n`;
  yield `${canonicalize({ end: { ...summer.sum } })}\n`;
}

/** The records of a backup. @throws naming the line that is none, or what is missing at the end */
export async function* readBackup(lines: AsyncIterable<string>): AsyncGenerator<StoreRecord> {
  const summer = new DumpSummer();
  let number = 0;
  let ended = false;
  for await (const line of lines) {
    number++;
    const value = parseJson(line);
    if (number === 1) {
      if (!isObject(value) || own(value, "format") !== FORMAT)
        throw new Error(`line 1 says no "format":"${FORMAT}": this is no backup of a Hub`);
      continue;
    }
    if (ended) throw new Error(`line ${number} comes after the end`);
    const end = isObject(value) ? own(value, "end") : undefined;
    if (end !== undefined) {
      if (canonicalize(end) !== canonicalize({ ...summer.sum }))
        throw new Error(`the records do not add up to what the end says: the file is damaged`);
      ended = true;
      continue;
    }
    const record = recordOf(value);
    if (record === undefined) throw new Error(`line ${number} is no record of a backup: the file is damaged`);
    summer.add(record);
    yield record;
  }
  if (!ended) throw new Error("the end is missing: the file was cut off");
}

function lineOf(record: StoreRecord): string {
  switch (record.at) {
    case "bucket":
      return canonicalize(["bucket", record.name, record.owner, record.kind]);
    case "object":
      return canonicalize([
        ...["object", record.owner, record.key, record.bucket, record.createdAt],
        record.value.toString("base64"),
      ]);
    case "row":
      return canonicalize(["row", record.owner, record.conversation, record.number, record.key]);
  }
}

function recordOf(value: Json | undefined): StoreRecord | undefined {
  if (!Array.isArray(value)) return undefined;
  const [at, a, b, c, d, e] = value as readonly Json[];
  const isNumber = (text: Json | undefined): text is number => typeof text === "number";
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  if (at === "bucket" && isAddress(b) && typeof c === "string") return { at, name: a, owner: b, kind: c };
  if (!isAddress(a)) return undefined;
  if (at === "object" && typeof c === "string" && isNumber(d) && typeof e === "string")
    return { at, owner: a, key: b, bucket: c, createdAt: d, value: Buffer.from(e, "base64") };
  if (at === "row" && isNumber(c) && typeof d === "string")
    return { at, owner: a, conversation: b, number: c, key: d };
  return undefined;
}

/** Records in lists of up to so many, and of up to so many bytes of values. */
export async function* inBatches(
  dump: StoreDump,
  most: number,
  bytes: number,
): AsyncGenerator<StoreRecord[]> {
  let batch: StoreRecord[] = [];
  let size = 0;
  for await (const record of dump) {
    batch.push(record);
    size += record.at === "object" ? record.value.length : 0;
    if (batch.length < most && size < bytes) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
