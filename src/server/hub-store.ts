// What the Hub's server keeps, as an interface: bytes under (owner, key), the order of writing by conversation, and
// who owns which bucket. A write is durable once its promise resolves. Reads are immediate.

import { isAscii, isUtf8 } from "node:buffer";
import type { Address } from "../core/values.ts";

export interface Bucket {
  readonly owner: Address;
  readonly kind: string;
}

export interface StoredObject {
  readonly bucket: string;
  readonly value: Uint8Array;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export type PutResult = "stored" | "no-bucket" | "forbidden";
export type BucketResult = "made" | "there" | "forbidden" | "conflict";
export type DeleteResult = "deleted" | "no-bucket" | "forbidden";

export interface Store {
  /** Makes a bucket, or says who has it. Names are global: first come, first served. */
  makeBucket(name: string, owner: Address, kind: string): Promise<BucketResult>;
  bucket(name: string): Bucket | undefined;
  /** Deletes a bucket of the owner's and all objects last written into it. */
  deleteBucket(name: string, owner: Address): Promise<DeleteResult>;
  /** The last value under (owner, key) wins, whichever bucket it names; the writing is a new row of its conversations. */
  put(owner: Address, bucket: string, key: string, value: Uint8Array, createdAt: number): Promise<PutResult>;
  get(owner: Address, key: string): StoredObject | undefined;
  /** The value alone, which is what is asked for most. */
  value(owner: Address, key: string): Uint8Array | undefined;
  /**
   * Texts of the rows `offset` to `offset + length` of the owner's conversation: the last values, in the order of
   * writing, a key as often as it was written. What is no text, or deleted, is left out. Ends early, after one row at
   * least, before the texts exceed `bytes`.
   */
  page(owner: Address, conversation: string, offset: number, length: number, bytes: number): string[];
  /** A text that changes whenever pages of the owner's conversation may. Good for the life of this object. */
  version(owner: Address, conversation: string): string;
  /** Resolves once everything is on disk and closed. */
  close(): Promise<void>;
}

/** The text of UTF-8 bytes, undefined where they are none. Most texts are ASCII, whose copy is the cheapest. */
export function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** What a page is made of: the same for every store. `rows` are the conversation's from its offset on. */
export function pageOf<Row>(
  rows: Iterable<Row>,
  length: number,
  bytes: number,
  text: (row: Row) => string | undefined,
): string[] {
  const texts: string[] = [];
  let size = 0;
  let count = 0;
  for (const row of rows) {
    if (count++ >= length) break;
    const value = text(row);
    if (value === undefined) continue;
    size += value.length;
    if (size > bytes && texts.length > 0) break;
    texts.push(value);
  }
  return texts;
}
