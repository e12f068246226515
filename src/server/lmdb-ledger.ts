// What the durable store counts: rows of conversations, and what each wallet and all together use. Within a transaction
// the numbers are kept in memory and written once at its end, however many values it holds.

import type { Address } from "../core/values.ts";
import { ownerBytes, readUsage, rowKey, writeUsage } from "./lmdb-records.ts";
import type { Tables } from "./lmdb-tables.ts";
import { addUsage, overQuota, type Full, type QuotaOptions, type Usage } from "./quota.ts";

const ALL = Buffer.from("all");

export class Ledger {
  readonly #tables: Tables;
  readonly #quota: QuotaOptions;
  /** Of the transaction under way. */
  readonly #counts = new Map<string, { readonly place: Buffer; rows: number }>();
  readonly #wallets = new Map<Address, Usage>();
  #all: Usage;

  constructor(tables: Tables, quota: QuotaOptions) {
    this.#tables = tables;
    this.#quota = quota;
    this.#all = readUsage(tables.usage.getBinary(ALL));
  }

  /** Rows of a conversation as committed. */
  count(place: Buffer): number {
    return this.#tables.counts.getBinary(place)?.readUIntBE(0, 6) ?? 0;
  }

  used(owner?: Address): Readonly<Usage> {
    if (owner === undefined) return this.#all;
    return this.#wallets.get(owner) ?? readUsage(this.#tables.usage.getBinary(ownerBytes(owner)));
  }

  /** Adds to what is used, or says which limit is in the way. Within a transaction. */
  use(owner: Address, more: Readonly<Usage>): Full | undefined {
    const wallet = { ...this.used(owner) };
    const full = overQuota(this.#quota, owner, { wallet, all: this.#all }, more);
    if (full !== undefined) return full;
    addUsage(wallet, more);
    addUsage(this.#all, more);
    this.#wallets.set(owner, wallet);
    return undefined;
  }

  /** Adds a row to a conversation. Within a transaction. */
  addRow(place: Buffer, key: Uint8Array): void {
    const name = place.toString("latin1");
    let count = this.#counts.get(name);
    if (count === undefined) this.#counts.set(name, (count = { place, rows: this.count(place) }));
    this.#tables.put(this.#tables.rows, rowKey(place, count.rows++), key);
  }

  /** Writes what the transaction has changed. */
  flush(): void {
    for (const { place, rows } of this.#counts.values()) {
      const count = Buffer.allocUnsafe(6);
      count.writeUIntBE(rows, 0, 6);
      this.#tables.put(this.#tables.counts, place, count);
    }
    for (const [owner, used] of this.#wallets)
      this.#tables.put(this.#tables.usage, ownerBytes(owner), writeUsage(used));
    if (this.#wallets.size > 0) this.#tables.put(this.#tables.usage, ALL, writeUsage(this.#all));
    this.#counts.clear();
    this.#wallets.clear();
  }

  /** After a transaction that could not be committed: what is on disk counts. */
  forget(): void {
    this.#counts.clear();
    this.#wallets.clear();
    this.#all = readUsage(this.#tables.usage.getBinary(ALL));
  }
}
