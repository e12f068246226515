// A store in memory: for tests, for a server that need not remember, and as the measure of the durable one.

import type { Address } from "../core/values.ts";
import { conversationHead } from "../hub/hub-api.ts";
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

export class MemoryStore implements Store {
  readonly #buckets = new Map<string, Bucket>();
  readonly #objects = new Map<Address, Map<string, StoredObject & { readonly value: Buffer }>>();
  readonly #rows = new Map<string, string[]>();
  #deletions = 0;

  async makeBucket(name: string, owner: Address, kind: string): Promise<BucketResult> {
    const there = this.#buckets.get(name);
    if (there === undefined) {
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
    this.#buckets.delete(name);
    this.#deletions++;
    const objects = this.#objects.get(owner);
    for (const [key, object] of objects ?? []) if (object.bucket === name) objects?.delete(key);
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
    if (objects === undefined)
      this.#objects.set(owner, (objects = new Map<string, StoredObject & { readonly value: Buffer }>()));
    objects.set(key, { bucket, value: Buffer.from(value), createdAt });
    const head = conversationHead(key);
    if (head !== undefined) {
      const place = `${owner}${head}`;
      const rows = this.#rows.get(place);
      if (rows === undefined) this.#rows.set(place, [key]);
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
    const start = `${conversation}_`;
    const head = conversationHead(start) ?? "";
    const rows = this.#rows.get(`${owner}${head}`) ?? [];
    const keys = head === conversation ? rows : rows.filter((key) => key.startsWith(start));
    const objects = this.#objects.get(owner);
    return pageOf(keys.slice(offset, offset + length), length, bytes, (key) => {
      const object = objects?.get(key);
      return object === undefined ? undefined : textOf(object.value);
    });
  }

  version(owner: Address, conversation: string): string {
    const rows = this.#rows.get(`${owner}${conversationHead(`${conversation}_`) ?? ""}`);
    return `${rows?.length ?? 0}.${this.#deletions}`;
  }

  async close(): Promise<void> {}
}
