// The durable store, over LMDB: a write is acknowledged after the fsync of its transaction, and all writes that
// arrive while one transaction is under way go into the next together.
// Assumes one process per folder, which a lock file makes sure of.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open, type Database, type RootDatabase } from "lmdb";
import { isAddress, type Address } from "../core/values.ts";
import { conversationHead, MAX_KEY_BYTES } from "../hub/hub-api.ts";
import { lockFolder } from "./folder-lock.ts";
import {
  pageOf,
  textOf,
  type Bucket,
  type BucketResult,
  type DeleteResult,
  type PutResult,
  type Store,
  type StoredObject,
} from "./hub-store.ts";

type Bytes = Database<Uint8Array, Uint8Array>;

interface Row {
  readonly value: Uint8Array;
}

interface Job {
  readonly run: () => () => void;
  readonly fail: (error: unknown) => void;
}

/** Bytes before a value: its time (8, a double) and the length of its bucket's name (1). */
const HEAD = 9;
/** Rows are numbered in 6 bytes. */
const MOST_ROWS = 2 ** 48 - 1;

export class LmdbStore implements Store {
  readonly #root: RootDatabase<Uint8Array, Uint8Array>;
  readonly #buckets: Bytes;
  /** owner ‖ key → time, bucket, value. */
  readonly #objects: Bytes;
  /** owner ‖ length ‖ conversation head ‖ row → key. */
  readonly #rows: Bytes;
  /** owner ‖ conversation head → number of rows. */
  readonly #counts: Bytes;
  readonly #lock: () => void;
  readonly #key = Buffer.alloc(20 + 4 * MAX_KEY_BYTES);
  #keyOwner: Address | undefined;
  #jobs: Job[] = [];
  #busy: Promise<void> | undefined;
  #closed = false;
  #deletions = 0;

  /** @throws where the folder cannot be made or another process holds it */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#lock = lockFolder(folder);
    this.#root = open<Uint8Array, Uint8Array>({
      path: join(folder, "hub.mdb"),
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: 8,
      // Without overlapping, a commit resolves only after its fsync.
      overlappingSync: false,
      // We batch by transactions; its batches hold a promise that nobody can hear reject, as it does on a full disk.
      eventTurnBatching: false,
    });
    const table = (name: string) =>
      this.#root.openDB<Uint8Array, Uint8Array>({ name, encoding: "binary", keyEncoding: "binary" });
    this.#buckets = table("buckets");
    this.#objects = table("objects");
    this.#rows = table("rows");
    this.#counts = table("counts");
  }

  makeBucket(name: string, owner: Address, kind: string): Promise<BucketResult> {
    return this.#write<BucketResult>(() => {
      const there = this.bucket(name);
      if (there === undefined) {
        this.#put(this.#buckets, Buffer.from(name), Buffer.from(`${owner}${kind}`));
        return "made";
      }
      if (there.owner !== owner) return "forbidden";
      return there.kind === kind ? "there" : "conflict";
    });
  }

  bucket(name: string): Bucket | undefined {
    const stored = this.#buckets.getBinary(Buffer.from(name));
    if (stored === undefined) return undefined;
    const text = stored.toString();
    const owner = text.slice(0, 42);
    return isAddress(owner) ? { owner, kind: text.slice(42) } : undefined;
  }

  deleteBucket(name: string, owner: Address): Promise<DeleteResult> {
    return this.#write<DeleteResult>(() => {
      const there = this.bucket(name);
      if (there === undefined) return "no-bucket";
      if (there.owner !== owner) return "forbidden";
      this.#remove(this.#buckets, Buffer.from(name));
      const start = ownerBytes(owner);
      const found: Buffer[] = [];
      for (const { key, value } of this.#objects.getRange({ start, end: after(start) }))
        if (readObject(value).bucket === name) found.push(Buffer.from(key));
      for (const key of found) this.#remove(this.#objects, key);
      return "deleted";
    }).finally(() => this.#deletions++);
  }

  put(owner: Address, bucket: string, key: string, value: Uint8Array, createdAt: number): Promise<PutResult> {
    const name = Buffer.from(bucket);
    const objectKey = Buffer.concat([ownerBytes(owner), Buffer.from(key)]);
    const stored = Buffer.allocUnsafe(HEAD + name.length + value.length);
    stored.writeDoubleBE(createdAt, 0);
    stored.writeUInt8(name.length, 8);
    stored.set(name, HEAD);
    stored.set(value, HEAD + name.length);
    return this.#write<PutResult>(() => {
      const there = this.bucket(bucket);
      if (there === undefined) return "no-bucket";
      if (there.owner !== owner) return "forbidden";
      this.#put(this.#objects, objectKey, stored);
      const head = conversationHead(key);
      if (head !== undefined) this.#addRow(owner, head, key);
      return "stored";
    });
  }

  get(owner: Address, key: string): StoredObject | undefined {
    const stored = this.#find(owner, key);
    return stored === undefined ? undefined : readObject(Buffer.from(stored.subarray(0)));
  }

  value(owner: Address, key: string): Uint8Array | undefined {
    const stored = this.#find(owner, key);
    if (stored === undefined) return undefined;
    const start = HEAD + stored[8]!;
    const value = Buffer.allocUnsafe(stored.length - start);
    stored.copy(value, 0, start, stored.length);
    return value;
  }

  /** A record as LMDB lends it: it holds until the next read. The key is made in one buffer for all reads. */
  #find(owner: Address, key: string): Buffer | undefined {
    if (key.length > MAX_KEY_BYTES) return undefined;
    if (owner !== this.#keyOwner) {
      this.#key.write(owner.slice(2), 0, "hex");
      this.#keyOwner = owner;
    }
    const length = 20 + this.#key.write(key, 20);
    return this.#objects.getBinaryFast(new Uint8Array(this.#key.buffer, this.#key.byteOffset, length));
  }

  page(owner: Address, conversation: string, offset: number, length: number, bytes: number): string[] {
    const start = `${conversation}_`;
    const head = conversationHead(start);
    if (head === undefined || offset > MOST_ROWS) return [];
    const place = rowPrefix(owner, head);
    const whole = head === conversation;
    const from = rowKey(place, whole ? offset : 0);
    const rows = this.#rows.getRange({ start: from, end: after(place), ...(whole && { limit: length }) });
    const read = this.#reader(owner);
    return whole
      ? pageOf(rows, length, bytes, ({ value }) => read(value))
      : pageOf(skip(rows, start, offset), length, bytes, ({ value }) => read(value));
  }

  /** Reads the owner's texts by the bytes of their keys, through one buffer for all. */
  #reader(owner: Address): (key: Uint8Array) => string | undefined {
    const place = Buffer.allocUnsafe(20 + MAX_KEY_BYTES);
    place.write(owner.slice(2), 0, "hex");
    return (key) => {
      place.set(key, 20);
      const stored = this.#objects.getBinaryFast(place.subarray(0, 20 + key.length));
      return stored === undefined ? undefined : textOf(stored.subarray(HEAD + stored[8]!));
    };
  }

  version(owner: Address, conversation: string): string {
    const head = conversationHead(`${conversation}_`);
    return `${head === undefined ? 0 : this.#count(rowPrefix(owner, head))}.${this.#deletions}`;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    while (this.#busy !== undefined) await this.#busy;
    await this.#root.close();
    this.#lock();
  }

  #count(place: Buffer): number {
    return this.#counts.getBinary(place)?.readUIntBE(0, 6) ?? 0;
  }

  #addRow(owner: Address, head: string, key: string): void {
    const place = rowPrefix(owner, head);
    const row = this.#count(place);
    const next = Buffer.allocUnsafe(6);
    next.writeUIntBE(row + 1, 0, 6);
    this.#put(this.#rows, rowKey(place, row), Buffer.from(key));
    this.#put(this.#counts, place, next);
  }

  /**
   * Within a transaction, whose own promise tells what became of it: each write has one too, and all of them reject when
   * it cannot be committed (a full disk), which unheard would end the process.
   */
  #put(table: Bytes, key: Uint8Array, value: Uint8Array): void {
    table.put(key, value).catch(() => undefined);
  }

  #remove(table: Bytes, key: Uint8Array): void {
    table.remove(key).catch(() => undefined);
  }

  /** Queues work for the next transaction; resolves with its result after the fsync. */
  #write<T>(work: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new Error("the store is closed"));
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({
        run: () => {
          const result = work();
          return () => resolve(result);
        },
        fail: reject,
      });
      this.#busy ??= this.#commitAll();
    });
  }

  async #commitAll(): Promise<void> {
    // One turn's delay lets the requests that arrived together share a transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs;
      this.#jobs = [];
      let done: (() => void)[] = [];
      try {
        await this.#root.transaction(() => {
          done = jobs.map((job) => job.run());
        });
      } catch (error) {
        hush(error);
        for (const job of jobs) job.fail(error);
        continue;
      }
      for (const settle of done) settle();
    }
    this.#busy = undefined;
  }
}

/** LMDB hangs the cause on its error as a further promise that rejects. */
function hush(error: unknown): void {
  const cause: unknown = error instanceof Error && "commitError" in error ? error.commitError : undefined;
  if (cause instanceof Promise) cause.catch(() => undefined);
}

/** The rows from `offset` on of those whose keys begin with `start`. */
function* skip(rows: Iterable<Row>, start: string, offset: number): Generator<Row> {
  let left = offset;
  for (const row of rows) if (Buffer.from(row.value).toString().startsWith(start) && left-- <= 0) yield row;
}

function ownerBytes(owner: Address): Buffer {
  return Buffer.from(owner.slice(2), "hex");
}

function rowPrefix(owner: Address, head: string): Buffer {
  const text = Buffer.from(head);
  const prefix = Buffer.allocUnsafe(22 + text.length);
  prefix.write(owner.slice(2), 0, "hex");
  prefix.writeUInt16BE(text.length, 20);
  prefix.set(text, 22);
  return prefix;
}

function rowKey(prefix: Buffer, row: number): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + 6);
  key.set(prefix, 0);
  key.writeUIntBE(row, prefix.length, 6);
  return key;
}

/** The first key after all that begin with a prefix. */
function after(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  for (let i = end.length - 1; i >= 0; i--) {
    if (end[i]! < 0xff) {
      end[i]!++;
      return end.subarray(0, i + 1);
    }
  }
  return Buffer.alloc(prefix.length + 1, 0xff);
}

function readObject(bytes: Uint8Array): StoredObject {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = stored.readUInt8(8);
  const bucket = stored.toString("utf8", HEAD, HEAD + length);
  return { bucket, value: stored.subarray(HEAD + length), createdAt: stored.readDoubleBE(0) };
}
