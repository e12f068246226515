// What the Hub's server keeps, as an interface: bytes under (owner, key), the order of writing by conversation, and
// who owns which bucket. A write is durable once its promise resolves; reads see every write that was.
// Logs and mirrors are append-only: what was acknowledged under their keys is never overwritten nor deleted.

import { createHash } from "node:crypto";
import { isAscii, isUtf8 } from "node:buffer";
import type { Address } from "../core/values.ts";
import type { Full, Usage } from "./quota.ts";

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

/** An append-only value stands in the way. */
export interface Kept {
  readonly kept: string;
  /** SHA-256 of the value that is there, in hex. */
  readonly sha256: string;
}

/** Immediate in a store of this process, and a promise in one that asks a database. */
export type Awaitable<T> = T | Promise<T>;

/** The store's database does not answer. It may do so soon, and whether the last write was kept is not known. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

export type PutResult = "stored" | "no-bucket" | "forbidden" | Kept | Full;
export type BucketResult = "made" | "there" | "forbidden" | "conflict" | Full;
export type DeleteResult = "deleted" | "no-bucket" | "forbidden" | Kept;

export interface Store {
  /** Makes a bucket, or says who has it. Names are global: first come, first served. */
  makeBucket(name: string, owner: Address, kind: string): Promise<BucketResult>;
  bucket(name: string): Awaitable<Bucket | undefined>;
  /** Deletes a bucket of the owner's and all objects last written into it, or nothing where one is append-only. */
  deleteBucket(name: string, owner: Address): Promise<DeleteResult>;
  /**
   * The last value under (owner, key) wins, whichever bucket it names; the writing is a new row of its conversations.
   * Under an append-only key the first value stays: the same bytes again are "stored" and change nothing.
   */
  put(owner: Address, bucket: string, key: string, value: Uint8Array, createdAt: number): Promise<PutResult>;
  get(owner: Address, key: string): Awaitable<StoredObject | undefined>;
  /** The value alone, which is what is asked for most. */
  value(owner: Address, key: string): Awaitable<Uint8Array | undefined>;
  /**
   * Texts of the rows `offset` to `offset + length` of the owner's conversation: the last values, in the order of
   * writing, a key as often as it was written. What is no text, or deleted, is left out. Ends early, after one row at
   * least, before the texts exceed `bytes` as JSON.
   */
  page(
    owner: Address,
    conversation: string,
    offset: number,
    length: number,
    bytes: number,
  ): Awaitable<string[]>;
  /** A text that changes whenever pages of the owner's conversation may. Good for the life of this object. */
  version(owner: Address, conversation: string): Awaitable<string>;
  /** What a wallet uses, or all together. */
  usage(owner?: Address): Awaitable<Readonly<Usage>>;
  /** Resolves once everything is on disk and closed. */
  close(): Promise<void>;
}

const APPEND_ONLY = ["coop1_", "mirror1."] as const;

/** Keys of logs and mirrors (protocol section 7). */
export function isAppendOnly(key: string): boolean {
  return APPEND_ONLY.some((start) => key.startsWith(start));
}

export const appendOnlyStarts: readonly string[] = APPEND_ONLY;

export function kept(key: string, value: Uint8Array): Kept {
  return { kept: key, sha256: createHash("sha256").update(value).digest("hex") };
}

/** A conversation's name has at most so many `_`: a key adds a row to each conversation that it lies in. */
export const MAX_LEVELS = 4;

/** The conversations that a key lies in: `a`, `a_b` for `a_b_1`. */
export function conversationsOf(key: string): string[] {
  const found: string[] = [];
  for (let at = key.indexOf("_"); at >= 0 && found.length < MAX_LEVELS; at = key.indexOf("_", at + 1))
    if (at > 0) found.push(key.slice(0, at));
  return found;
}

/** Whether a conversation can be asked for: it is not empty, and not nested deeper than rows are kept for. */
export function isConversation(id: string): boolean {
  return conversationsOf(`${id}_`).includes(id);
}

/** The text of UTF-8 bytes, undefined where they are none. Most texts are ASCII, whose copy is the cheapest. */
export function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** Rows that are looked at for one page beyond those returned: of deleted values, or of such as are no text. */
const MAX_SKIPPED = 4096;
/** Bytes of values without a text that are looked at for one page. */
const MAX_SKIPPED_BYTES = 32 * 1024 * 1024;

/** A row as read: its text, or the bytes that were looked at in vain. */
export type RowText = { readonly text: string } | { readonly skipped: number };

/** The texts of one page, row by row, the same for every store. */
export class PageBuilder {
  readonly texts: string[] = [];
  readonly #length: number;
  readonly #bytes: number;
  #size = 0;
  #skipped = 0;
  #skippedBytes = 0;

  constructor(length: number, bytes: number) {
    this.#length = length;
    this.#bytes = bytes;
  }

  /** Rows that may still be of use. */
  get wanted(): number {
    return this.#length - this.texts.length;
  }

  /** Whether the page may take more. */
  add(found: RowText): boolean {
    if (this.wanted <= 0) return false;
    if ("skipped" in found) {
      this.#skippedBytes += found.skipped;
      return ++this.#skipped <= MAX_SKIPPED && this.#skippedBytes <= MAX_SKIPPED_BYTES;
    }
    this.#size += jsonBytes(found.text) + 1;
    if (this.#size > this.#bytes && this.texts.length > 0) return false;
    this.texts.push(found.text);
    return this.wanted > 0;
  }
}

/** A page of a store whose rows are at hand. `rows` are the conversation's from its offset on. */
export function pageOf<Row>(
  rows: Iterable<Row>,
  length: number,
  bytes: number,
  read: (row: Row) => RowText,
): string[] {
  const page = new PageBuilder(length, bytes);
  for (const row of rows) if (!page.add(read(row))) break;
  return page.texts;
}

export function rowText(value: Buffer | undefined): RowText {
  const text = value === undefined ? undefined : textOf(value);
  return text === undefined ? { skipped: value?.length ?? 0 } : { text };
}

/** UTF-8 bytes of a well-formed text as JSON.stringify writes it, its quotes included. */
export function jsonBytes(text: string): number {
  let bytes = 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += ASCII_BYTES[unit]!;
    else bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}

const ASCII_BYTES = Uint8Array.from({ length: 128 }, (_, unit) => {
  const short = unit === 0x22 || unit === 0x5c || [8, 9, 10, 12, 13].includes(unit);
  return short ? 2 : unit < 0x20 ? 6 : 1;
});
