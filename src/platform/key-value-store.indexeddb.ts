// A store in the browser's IndexedDB, shared by its tabs. A write has happened when its transaction has completed
// with strict durability, not when it was asked for.

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { StoreError, type Store } from "./key-value-store.ts";

interface PeerSchema extends DBSchema {
  texts: { key: string; value: string };
}

/** @throws StoreError `unavailable` where the browser keeps nothing (some private windows) */
export async function indexedDbStore(name = "coop-peer"): Promise<Store> {
  let db: IDBPDatabase<PeerSchema>;
  try {
    db = await openDB<PeerSchema>(name, 1, { upgrade: (fresh) => void fresh.createObjectStore("texts") });
  } catch (error) {
    throw new StoreError("unavailable", "this browser keeps nothing here", { cause: error });
  }
  const write = <T>(work: (texts: WriteStore) => Promise<T>): Promise<T> =>
    guard(async () => {
      const writing = db.transaction("texts", "readwrite", { durability: "strict" });
      const result = await work(writing.store);
      await writing.done;
      return result;
    });
  return {
    durability: "disk",
    get: (key) => guard(() => db.get("texts", key)),
    put: (key, value) => write(async (texts) => void (await texts.put(value, key))),
    add: (key, value) =>
      write(async (texts) => {
        if ((await texts.count(key)) > 0) return false;
        await texts.put(value, key);
        return true;
      }),
    remove: (key) => write((texts) => texts.delete(key)),
    keys: (prefix) => guard(() => db.getAllKeys("texts", rangeOf(prefix))),
    close: async () => db.close(),
  };
}

interface WriteStore {
  count(key: string): Promise<number>;
  put(value: string, key: string): Promise<string>;
  delete(key: string): Promise<void>;
}

function rangeOf(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`, false, false);
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DOMException && error.name === "QuotaExceededError")
      throw new StoreError("full", "this browser has no room left", { cause: error });
    throw new StoreError("failed", "this browser could not keep or read something", { cause: error });
  }
}
