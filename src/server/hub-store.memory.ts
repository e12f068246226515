// A store in memory: for tests, for a server that need not remember, and as the measure of the durable one.

import type { Address } from "../core/values.ts";
import {
  conversationsOf,
  isAppendOnly,
  kept,
  pageOf,
  rowText,
  type Bucket,
  type BucketResult,
  type DeleteResult,
  type PutResult,
  type Store,
  type StoredObject,
} from "./hub-store.ts";
import {
  addUsage,
  nothingUsed,
  OVERHEAD,
  overQuota,
  QUOTA_OPTIONS,
  type Full,
  type QuotaOptions,
  type Usage,
} from "./quota.ts";

type Objects = Map<string, StoredObject & { readonly value: Buffer }>;

export class MemoryStore implements Store {
  readonly #buckets = new Map<string, Bucket>();
  readonly #objects = new Map<Address, Objects>();
  readonly #rows = new Map<string, string[]>();
  readonly #used = new Map<Address, Usage>();
  readonly #all = nothingUsed();
  readonly #quota: QuotaOptions;
  #deletions = 0;

  constructor(quota: QuotaOptions = QUOTA_OPTIONS) {
    this.#quota = quota;
  }

  async makeBucket(name: string, owner: Address, kind: string): Promise<BucketResult> {
    const there = this.#buckets.get(name);
    if (there === undefined) {
      const full = this.#use(owner, { ...nothingUsed(), buckets: 1 });
      if (full !== undefined) return full;
      this.#buckets.set(name, { owner, kind });
      return "made";
    }
    if (there.owner !== owner) return "forbidden";
    return there.kind === kind ? "there" : "conflict";
  }

  bucket(name: string): Bucket | undefined {
    return this.#buckets.get(name);
  }

  async deleteBucket(name: string, owner: Address): Promise<DeleteResult> {
    const there = this.#buckets.get(name);
    if (there === undefined) return "no-bucket";
    if (there.owner !== owner) return "forbidden";
    const objects = this.#objects.get(owner) ?? new Map<string, never>();
    const members = [...objects].filter(([, object]) => object.bucket === name);
    for (const [key, { value }] of members) if (isAppendOnly(key)) return kept(key, value);
    this.#buckets.delete(name);
    this.#deletions++;
    const freed = { ...nothingUsed(), buckets: -1 };
    for (const [key, { value }] of members) {
      objects.delete(key);
      freed.objects--;
      freed.bytes -= costOf(key, value);
    }
    this.#use(owner, freed);
    return "deleted";
  }

  async put(
    owner: Address,
    bucket: string,
    key: string,
    value: Uint8Array,
    createdAt: number,
  ): Promise<PutResult> {
    const there = this.#buckets.get(bucket);
    if (there === undefined) return "no-bucket";
    if (there.owner !== owner) return "forbidden";
    let objects = this.#objects.get(owner);
    if (objects === undefined) this.#objects.set(owner, (objects = new Map() as Objects));
    const before = objects.get(key);
    if (before !== undefined && isAppendOnly(key))
      return before.value.equals(value) ? "stored" : kept(key, before.value);
    const conversations = conversationsOf(key);
    const full = this.#use(owner, {
      bytes: costOf(key, value) - (before === undefined ? 0 : costOf(key, before.value)),
      objects: before === undefined ? 1 : 0,
      buckets: 0,
      rows: conversations.length,
    });
    if (full !== undefined) return full;
    objects.set(key, { bucket, value: Buffer.from(value), createdAt });
    for (const id of conversations) {
      const rows = this.#rows.get(`${owner}${id}`);
      if (rows === undefined) this.#rows.set(`${owner}${id}`, [key]);
      else rows.push(key);
    }
    return "stored";
  }

  get(owner: Address, key: string): StoredObject | undefined {
    return this.#objects.get(owner)?.get(key);
  }

  value(owner: Address, key: string): Uint8Array | undefined {
    return this.#objects.get(owner)?.get(key)?.value;
  }

  page(owner: Address, conversation: string, offset: number, length: number, bytes: number): string[] {
    const keys = this.#rows.get(`${owner}${conversation}`) ?? [];
    const objects = this.#objects.get(owner);
    return pageOf(from(keys, offset), length, bytes, (key) => rowText(objects?.get(key)?.value));
  }

  version(owner: Address, conversation: string): string {
    return `${this.#rows.get(`${owner}${conversation}`)?.length ?? 0}.${this.#deletions}`;
  }

  usage(owner?: Address): Readonly<Usage> {
    return owner === undefined ? this.#all : (this.#used.get(owner) ?? nothingUsed());
  }

  async close(): Promise<void> {}

  #use(owner: Address, more: Usage): Full | undefined {
    const wallet = this.#used.get(owner) ?? nothingUsed();
    const full = overQuota(this.#quota, owner, { wallet, all: this.#all }, more);
    if (full !== undefined) return full;
    addUsage(wallet, more);
    addUsage(this.#all, more);
    this.#used.set(owner, wallet);
    return undefined;
  }
}

function costOf(key: string, value: Uint8Array): number {
  return Buffer.byteLength(key) + value.length + OVERHEAD;
}

function* from(keys: readonly string[], offset: number): Generator<string> {
  for (let i = offset; i < keys.length; i++) yield keys[i]!;
}
