// Adds to a store of the first format, which had no index of buckets, no rows of nested conversations and no usage,
// what the present one reads. Done once, when the store is opened.

import type { Address } from "../core/values.ts";
import { conversationsOf } from "./hub-store.ts";
import {
  addressOf,
  bucketOfObject,
  memberKey,
  ownerBytes,
  rowKey,
  rowPrefix,
  valueOfObject,
  writeUsage,
} from "./lmdb-records.ts";
import type { Tables } from "./lmdb-tables.ts";
import { addUsage, nothingUsed, OVERHEAD, type Usage } from "./quota.ts";

/** Its presence in the table of usage says that the indexes are there. */
export const FORMAT_KEY = Buffer.from("format");
export const FORMAT_VALUE = Buffer.from([2]);

export function addIndexes(tables: Tables): void {
  if (tables.usage.getBinary(FORMAT_KEY) !== undefined) return;
  tables.now(() => {
    const used = new Map<Address, Usage>();
    const use = (owner: Address, more: Partial<Usage>) => {
      let wallet = used.get(owner);
      if (wallet === undefined) used.set(owner, (wallet = nothingUsed()));
      addUsage(wallet, { ...nothingUsed(), ...more });
    };
    for (const { value } of tables.buckets.getRange({}))
      use(`0x${Buffer.from(value).toString("latin1", 2, 42)}`, { buckets: 1 });
    for (const { key, value } of tables.objects.getRange({})) {
      const name = Buffer.from(key).toString("utf8", 20);
      const stored = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      tables.put(tables.members, memberKey(bucketOfObject(stored), name), Buffer.alloc(0));
      const bytes = key.length - 20 + valueOfObject(stored).length + OVERHEAD;
      use(addressOf(key), { objects: 1, bytes });
    }
    for (const owner of addNestedRows(tables)) use(owner, { rows: 1 });
    const all = nothingUsed();
    for (const [owner, wallet] of used) {
      addUsage(all, wallet);
      tables.put(tables.usage, ownerBytes(owner), writeUsage(wallet));
    }
    tables.put(tables.usage, Buffer.from("all"), writeUsage(all));
    tables.put(tables.usage, FORMAT_KEY, FORMAT_VALUE);
  });
}

/** Gives the owner of every row, old and added. */
function addNestedRows(tables: Tables): Address[] {
  const owners: Address[] = [];
  const counts = new Map<string, { readonly place: Buffer; rows: number }>();
  const rows = [...tables.rows.getRange({})].map(({ key, value }) => [Buffer.from(key), Buffer.from(value)]);
  for (const [row, key] of rows) {
    const owner = addressOf(row!);
    owners.push(owner);
    for (const id of conversationsOf(key!.toString()).slice(1)) {
      const place = rowPrefix(owner, id);
      const name = place.toString("latin1");
      const count = counts.get(name) ?? { place, rows: 0 };
      counts.set(name, count);
      tables.put(tables.rows, rowKey(place, count.rows++), key!);
      owners.push(owner);
    }
  }
  for (const { place, rows: number } of counts.values()) {
    const count = Buffer.allocUnsafe(6);
    count.writeUIntBE(number, 0, 6);
    tables.put(tables.counts, place, count);
  }
  return owners;
}
