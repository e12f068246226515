// The records of a store in LMDB, of one moment and while a server goes on writing to it, and such a store made from them.

import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { open, type Database } from "lmdb";
import type { Address } from "../core/values.ts";
import {
  addressOf,
  bucketOfObject,
  memberKey,
  objectKey,
  ownerBytes,
  readObject,
  rowKey,
  rowPrefix,
  writeObject,
  writeUsage,
} from "./lmdb-records.ts";
import { FORMAT_KEY, FORMAT_VALUE } from "./lmdb-indexes.ts";
import { Tables } from "./lmdb-tables.ts";
import { addUsage, nothingUsed, OVERHEAD, type Usage } from "./quota.ts";
import { inBatches, type StoreDump, type StoreRecord } from "./store-dump.ts";

type Table = Database<Buffer, Buffer>;

/** @throws where the folder holds no store, or one of the first format */
export async function* dumpLmdb(folder: string): StoreDump & AsyncGenerator<StoreRecord> {
  const path = join(folder, "hub.mdb");
  if (!existsSync(path)) throw new Error(`${folder} holds no store: give the folder that a server keeps`);
  const root = open<Buffer, Buffer>({
    path,
    encoding: "binary",
    keyEncoding: "binary",
    maxDbs: 8,
    readOnly: true,
  });
  const table = (name: string): Table =>
    root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
  const [buckets, objects, rows, usage, deleting] = [
    ...["buckets", "objects", "rows", "usage", "deleting"].map(table),
  ] as [Table, Table, Table, Table, Table];
  // One snapshot for all tables, for as long as the reading takes.
  const transaction = root.useReadTransaction();
  try {
    if (usage.get(FORMAT_KEY, { transaction }) === undefined)
      throw new Error(`${folder} holds a store of an older form: start coop serve on it once`);
    const dying = new Set([...deleting.getKeys({ transaction })].map((key) => Buffer.from(key).toString()));
    for (const { key, value } of buckets.getRange({ transaction })) {
      const text = Buffer.from(value).toString();
      const owner = addressOf(ownerBytes(text.slice(0, 42) as Address));
      yield { at: "bucket", name: Buffer.from(key).toString(), owner, kind: text.slice(42) };
    }
    for (const { key, value } of objects.getRange({ transaction })) {
      const stored = Buffer.from(value);
      if (dying.has(bucketOfObject(stored))) continue;
      const { bucket, createdAt, value: bytes } = readObject(stored);
      const name = Buffer.from(key).toString("utf8", 20);
      yield { at: "object", owner: addressOf(key), key: name, bucket, createdAt, value: Buffer.from(bytes) };
    }
    for (const { key, value } of rows.getRange({ transaction })) {
      const place = Buffer.from(key);
      const length = place.readUInt16BE(20);
      yield {
        at: "row",
        owner: addressOf(place),
        conversation: place.toString("utf8", 22, 22 + length),
        number: place.readUIntBE(22 + length, 6),
        key: Buffer.from(value).toString(),
      };
    }
  } finally {
    transaction.done();
    await root.close();
  }
}

/** Makes the store beside its place and moves it there once it is whole. @throws where there is one already */
export async function loadLmdb(folder: string, dump: StoreDump): Promise<void> {
  if (existsSync(join(folder, "hub.mdb")))
    throw new Error(`${folder} holds a store already: give another folder, or move that one away`);
  const making = `${folder}.restoring`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  try {
    await fill(making, dump);
    mkdirSync(folder, { recursive: true });
    renameSync(join(making, "hub.mdb"), join(folder, "hub.mdb"));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

async function fill(folder: string, dump: StoreDump): Promise<void> {
  const nothing = () => undefined;
  const tables = new Tables(folder, nothing, nothing);
  const filling = new Filling(tables);
  try {
    for await (const batch of inBatches(dump, 2_000, 16 * 1024 * 1024))
      await tables.write(() => {
        for (const record of batch) filling.add(record);
      });
    await tables.write(() => filling.end());
  } finally {
    await tables.close();
  }
}

/** Records as they go into the tables, with the indexes and sums that a server keeps of them. */
class Filling {
  readonly #tables: Tables;
  readonly #counts = new Map<string, { readonly place: Buffer; rows: number }>();
  readonly #wallets = new Map<Address, Usage>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  add(record: StoreRecord): void {
    const tables = this.#tables;
    if (record.at === "bucket") {
      tables.put(tables.buckets, Buffer.from(record.name), Buffer.from(`${record.owner}${record.kind}`));
      this.#use(record.owner, { buckets: 1 });
    } else if (record.at === "object") {
      const { owner, key, bucket, value, createdAt } = record;
      tables.put(tables.objects, objectKey(owner, key), writeObject(bucket, value, createdAt));
      tables.put(tables.members, memberKey(bucket, key), Buffer.alloc(0));
      this.#use(owner, { objects: 1, bytes: Buffer.byteLength(key) + value.length + OVERHEAD });
    } else {
      const place = rowPrefix(record.owner, record.conversation);
      tables.put(tables.rows, rowKey(place, record.number), Buffer.from(record.key));
      const name = place.toString("latin1");
      const count = this.#counts.get(name) ?? { place, rows: 0 };
      count.rows = Math.max(count.rows, record.number + 1);
      this.#counts.set(name, count);
      this.#use(record.owner, { rows: 1 });
    }
  }

  end(): void {
    const tables = this.#tables;
    for (const { place, rows } of this.#counts.values()) {
      const count = Buffer.allocUnsafe(6);
      count.writeUIntBE(rows, 0, 6);
      tables.put(tables.counts, place, count);
    }
    const all = nothingUsed();
    for (const [owner, used] of this.#wallets) {
      addUsage(all, used);
      tables.put(tables.usage, ownerBytes(owner), writeUsage(used));
    }
    tables.put(tables.usage, Buffer.from("all"), writeUsage(all));
    tables.put(tables.usage, FORMAT_KEY, FORMAT_VALUE);
  }

  #use(owner: Address, more: Partial<Usage>): void {
    let used = this.#wallets.get(owner);
    if (used === undefined) this.#wallets.set(owner, (used = nothingUsed()));
    addUsage(used, { ...nothingUsed(), ...more });
  }
}
