// The durable store, over LMDB. No request's work grows with what it does not return: a conversation is read from its
// own row on, a bucket's objects are found by an index, and deleting them goes on in slices before it is acknowledged.
// Assumes one process per folder, which a lock on a file makes sure of.

import type { Address } from "../core/values.ts";
import { MAX_KEY_BYTES } from "../hub/hub-api.ts";
import { makeFolder } from "../platform/make-folder.node.ts";
import { lockFolder } from "./folder-lock.ts";
import {
  appendOnlyStarts,
  conversationsOf,
  isAppendOnly,
  isConversation,
  kept,
  pageOf,
  rowText,
  type Bucket,
  type BucketResult,
  type DeleteResult,
  type Kept,
  type PutResult,
  type RowText,
  type Store,
  type StoredObject,
} from "./hub-store.ts";
import {
  addressOf,
  after,
  bucketOfObject,
  memberKey,
  memberPrefix,
  MOST_ROWS,
  objectKey,
  ownerBytes,
  readObject,
  rowKey,
  rowPrefix,
  valueOfObject,
  writeObject,
} from "./lmdb-records.ts";
import { addIndexes } from "./lmdb-indexes.ts";
import { Ledger } from "./lmdb-ledger.ts";
import { Tables } from "./lmdb-tables.ts";
import { nothingUsed, OVERHEAD, QUOTA_OPTIONS, type QuotaOptions, type Usage } from "./quota.ts";

const NOTHING = Buffer.alloc(0);
/** Objects deleted in one go. */
const SWEEP = 64;

export class LmdbStore implements Store {
  readonly #tables: Tables;
  readonly #ledger: Ledger;
  readonly #lock: () => void;
  readonly #key = Buffer.alloc(20 + 4 * MAX_KEY_BYTES);
  #keyOwner: Address | undefined;
  /** Buckets that are gone, whose objects are not yet: they count as gone too. */
  readonly #dying = new Map<string, Promise<void>>();
  #deletions = 0;

  /** @throws where the folder cannot be made or another server holds it */
  constructor(folder: string, quota: QuotaOptions = QUOTA_OPTIONS) {
    makeFolder(folder);
    this.#lock = lockFolder(folder);
    try {
      this.#tables = new Tables(
        folder,
        () => this.#ledger.flush(),
        () => this.#ledger.forget(),
      );
      addIndexes(this.#tables);
      this.#ledger = new Ledger(this.#tables, quota);
    } catch (error) {
      this.#lock();
      throw error;
    }
    for (const { key, value } of this.#tables.deleting.getRange({}))
      void this.#startSweep(Buffer.from(key).toString(), addressOf(value));
  }

  async makeBucket(name: string, owner: Address, kind: string): Promise<BucketResult> {
    await this.#dying.get(name);
    return this.#tables.write<BucketResult>(() => {
      const there = this.bucket(name);
      if (there !== undefined) {
        if (there.owner !== owner) return "forbidden";
        return there.kind === kind ? "there" : "conflict";
      }
      const full = this.#ledger.use(owner, { ...nothingUsed(), buckets: 1 });
      if (full !== undefined) return full;
      this.#tables.put(this.#tables.buckets, Buffer.from(name), Buffer.from(`${owner}${kind}`));
      return "made";
    });
  }

  bucket(name: string): Bucket | undefined {
    const stored = this.#tables.buckets.getBinary(Buffer.from(name))?.toString();
    return stored === undefined
      ? undefined
      : { owner: addressOf(ownerBytes(stored.slice(0, 42) as Address)), kind: stored.slice(42) };
  }

  async deleteBucket(name: string, owner: Address): Promise<DeleteResult> {
    const result = await this.#tables.write<DeleteResult>(() => {
      const there = this.bucket(name);
      if (there === undefined) return "no-bucket";
      if (there.owner !== owner) return "forbidden";
      const inTheWay = this.#appendOnlyIn(name, owner);
      if (inTheWay !== undefined) return inTheWay;
      this.#tables.remove(this.#tables.buckets, Buffer.from(name));
      this.#tables.put(this.#tables.deleting, Buffer.from(name), ownerBytes(owner));
      this.#ledger.use(owner, { ...nothingUsed(), buckets: -1 });
      return "deleted";
    });
    if (result === "deleted") await this.#startSweep(name, owner);
    return result;
  }

  put(owner: Address, bucket: string, key: string, value: Uint8Array, createdAt: number): Promise<PutResult> {
    const place = objectKey(owner, key);
    const stored = writeObject(bucket, value, createdAt);
    const conversations = conversationsOf(key);
    return this.#tables.write<PutResult>(() => {
      const there = this.bucket(bucket);
      if (there === undefined) return "no-bucket";
      if (there.owner !== owner) return "forbidden";
      const before = this.#tables.objects.getBinaryFast(place);
      if (before !== undefined && isAppendOnly(key)) {
        const first = valueOfObject(before);
        return first.equals(value) ? "stored" : kept(key, first);
      }
      const old = before === undefined ? undefined : bucketOfObject(before);
      const cost = value.length - (before === undefined ? 0 : valueOfObject(before).length);
      const full = this.#ledger.use(owner, {
        bytes: before === undefined ? cost + place.length - 20 + OVERHEAD : cost,
        objects: before === undefined ? 1 : 0,
        buckets: 0,
        rows: conversations.length,
      });
      if (full !== undefined) return full;
      this.#tables.put(this.#tables.objects, place, stored);
      if (old !== undefined && old !== bucket) this.#tables.remove(this.#tables.members, memberKey(old, key));
      if (old !== bucket) this.#tables.put(this.#tables.members, memberKey(bucket, key), NOTHING);
      for (const id of conversations) this.#ledger.addRow(rowPrefix(owner, id), place.subarray(20));
      return "stored";
    });
  }

  get(owner: Address, key: string): StoredObject | undefined {
    const stored = this.#find(owner, key);
    return stored === undefined ? undefined : readObject(Buffer.from(stored.subarray(0)));
  }

  value(owner: Address, key: string): Uint8Array | undefined {
    const stored = this.#find(owner, key);
    return stored === undefined ? undefined : Buffer.from(valueOfObject(stored));
  }

  page(owner: Address, conversation: string, offset: number, length: number, bytes: number): string[] {
    if (!isConversation(conversation) || offset > MOST_ROWS) return [];
    const place = rowPrefix(owner, conversation);
    const rows = this.#tables.rows.getRange({ start: rowKey(place, offset), end: after(place) });
    const read = this.#reader(owner);
    return pageOf(rows, length, bytes, ({ value }) => read(value));
  }

  version(owner: Address, conversation: string): string {
    const rows = isConversation(conversation) ? this.#ledger.count(rowPrefix(owner, conversation)) : 0;
    return `${rows}.${this.#deletions}`;
  }

  usage(owner?: Address): Readonly<Usage> {
    return { ...this.#ledger.used(owner) };
  }

  async close(): Promise<void> {
    await this.#tables.close();
    this.#lock();
  }

  /** A record as LMDB lends it: it holds until the next read. The key is made in one buffer for all reads. */
  #find(owner: Address, key: string): Buffer | undefined {
    if (key.length > MAX_KEY_BYTES) return undefined;
    if (owner !== this.#keyOwner) {
      this.#key.write(owner.slice(2), 0, "hex");
      this.#keyOwner = owner;
    }
    const length = 20 + this.#key.write(key, 20);
    return this.#living(
      this.#tables.objects.getBinaryFast(new Uint8Array(this.#key.buffer, this.#key.byteOffset, length)),
    );
  }

  /** Reads the owner's texts by the bytes of their keys, through one buffer for all. */
  #reader(owner: Address): (key: Uint8Array) => RowText {
    const place = Buffer.allocUnsafe(20 + MAX_KEY_BYTES);
    place.write(owner.slice(2), 0, "hex");
    return (key) => {
      place.set(key, 20);
      const stored = this.#living(this.#tables.objects.getBinaryFast(place.subarray(0, 20 + key.length)));
      return rowText(stored === undefined ? undefined : valueOfObject(stored));
    };
  }

  #living(stored: Buffer | undefined): Buffer | undefined {
    if (stored === undefined || this.#dying.size === 0) return stored;
    return this.#dying.has(bucketOfObject(stored)) ? undefined : stored;
  }

  /** The first append-only value of a bucket, if it holds one. */
  #appendOnlyIn(bucket: string, owner: Address): Kept | undefined {
    for (const start of appendOnlyStarts) {
      const prefix = memberKey(bucket, start);
      for (const member of this.#tables.members.getKeys({ start: prefix, end: after(prefix), limit: 1 })) {
        const key = Buffer.from(member).toString("utf8", memberPrefix(bucket).length);
        const stored = this.#tables.objects.getBinary(objectKey(owner, key));
        if (stored !== undefined) return kept(key, valueOfObject(stored));
      }
    }
    return undefined;
  }

  /** Deletes the objects of a bucket that is gone; a store closed before the end goes on when it is opened again. */
  #startSweep(name: string, owner: Address): Promise<void> {
    const sweeping = this.#sweep(name, owner);
    // Who asked for it hears of a failure; makers of a bucket of that name only wait.
    this.#dying.set(
      name,
      sweeping.catch(() => undefined),
    );
    return sweeping;
  }

  async #sweep(name: string, owner: Address): Promise<void> {
    await Promise.resolve(); // so that it counts as dying before anything of it is gone
    while (await this.#tables.write(() => this.#sweepSome(name, owner))) continue;
    this.#dying.delete(name);
    this.#deletions++;
  }

  /** Whether there may be more. */
  #sweepSome(name: string, owner: Address): boolean {
    const { members, objects, deleting } = this.#tables;
    const prefix = memberPrefix(name);
    const found = [...members.getKeys({ start: prefix, end: after(prefix), limit: SWEEP })];
    const freed = nothingUsed();
    for (const member of found) {
      const key = Buffer.from(member).toString("utf8", prefix.length);
      const place = objectKey(owner, key);
      const stored = objects.getBinaryFast(place);
      this.#tables.remove(members, member);
      if (stored === undefined || bucketOfObject(stored) !== name) continue;
      freed.objects--;
      freed.bytes -= place.length - 20 + valueOfObject(stored).length + OVERHEAD;
      this.#tables.remove(objects, place);
    }
    this.#ledger.use(owner, freed);
    if (found.length === SWEEP) return true;
    this.#tables.remove(deleting, Buffer.from(name));
    return false;
  }
}
