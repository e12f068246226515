// A store in the browser's IndexedDB, shared by its tabs. A write has happened when its transaction has completed
// with strict durability, not when it was asked for.

import type { DBSchema } from "idb";
import { browserDatabase, DatabaseError } from "./browser-database.ts";
import { StoreError, type Store } from "./key-value-store.ts";

interface PeerSchema extends DBSchema {
  texts: { key: string; value: string };
}

/**
 * A store that does not open in time is not replaced by another: it fails until it opens.
 * @throws StoreError `unavailable` where the browser keeps nothing (some private windows)
 */
export async function indexedDbStore(name = "coop-peer"): Promise<Store> {
  const database = browserDatabase<PeerSchema>(name, (fresh) => void fresh.createObjectStore("texts"));
  await guard(() => database.ready()).catch((error: unknown) => {
    if (error instanceof StoreError && error.code === "unavailable") throw error;
  });
  const write = <T>(work: (texts: WriteStore) => Promise<T>, repeatable = true): Promise<T> =>
    guard(() =>
      database.run(async (db) => {
        const writing = db.transaction("texts", "readwrite", { durability: "strict" });
        const result = await work(writing.store);
        await writing.done;
        return result;
      }, repeatable),
    );
  return {
    durability: "disk",
    get: (key) => guard(() => database.run((db) => db.get("texts", key))),
    put: (key, value) => write(async (texts) => void (await texts.put(value, key))),
    // Run twice, it would find its own text and answer that the key is taken.
    add: (key, value) =>
      write(async (texts) => {
        if ((await texts.count(key)) > 0) return false;
        await texts.put(value, key);
        return true;
      }, false),
    remove: (key) => write((texts) => texts.delete(key)),
    keys: (prefix) => guard(() => database.run((db) => db.getAllKeys("texts", rangeOf(prefix)))),
    close: async () => database.close(),
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
    if (error instanceof DatabaseError)
      throw new StoreError(error.code === "unavailable" ? "unavailable" : "failed", error.message, {
        cause: error,
      });
    throw new StoreError("failed", "this browser could not keep or read something", { cause: error });
  }
}
