// Findings in IndexedDB, so that a session opened again is not checked again. Where there is none (private windows, a
// full disk) nothing is kept and everything is checked anew. Only the app imports this file.

import { openDB, type IDBPDatabase } from "idb";
import type { Hash } from "../core/values.ts";
import { BrowserDatabase, type Callbacks } from "../platform/browser-database.ts";
import {
  createMemoryCache,
  isFinal,
  readFinding,
  RULES_VERSION,
  type FindingCache,
} from "./findings-cache.ts";
import type { Finding } from "./findings.ts";

const DATABASE = "coop-findings";

/** Memory first, then IndexedDB. A store of other rules is dropped when the database is opened. */
export function createIndexedCache(): FindingCache {
  const memory = createMemoryCache();
  const database = new BrowserDatabase<unknown>({ name: DATABASE, open });
  return {
    async getMany(wanted) {
      const found = await memory.getMany(wanted);
      const missing = wanted.flatMap((key, i) => (found[i] === undefined ? [{ key, i }] : []));
      if (missing.length === 0) return found;
      const keys = missing.map(({ key }) => key);
      const stored = await database.run((db) => readAll(db, keys)).catch(() => []);
      missing.forEach(({ i }, k) => (found[i] = readFinding(stored[k])));
      return found;
    },
    async putMany(findings) {
      await memory.putMany(findings);
      // Not awaited: the verdict comes first, and a page that is closed too soon checks again.
      void database.run((db) => writeParts(db, findings)).catch(() => undefined);
    },
  };
}

/** The version of IndexedDB is a whole number; the rules' name is the store's. */
async function open(callbacks: Callbacks<unknown>): Promise<IDBPDatabase> {
  const db = await openDB(DATABASE, undefined, callbacks);
  if (db.objectStoreNames.contains(RULES_VERSION)) return db;
  const next = db.version + 1;
  db.close();
  return openDB(DATABASE, next, {
    upgrade(fresh) {
      for (const name of fresh.objectStoreNames) if (name !== RULES_VERSION) fresh.deleteObjectStore(name);
      if (!fresh.objectStoreNames.contains(RULES_VERSION)) fresh.createObjectStore(RULES_VERSION);
    },
    ...callbacks,
  });
}

async function readAll(db: IDBPDatabase, keys: readonly Hash[]): Promise<unknown[]> {
  const store = db.transaction(RULES_VERSION).store;
  return Promise.all(keys.map((key): Promise<unknown> => store.get(key)));
}

/** Findings written in one transaction: each is cloned on this thread. */
const PART = 256;

async function writeParts(db: IDBPDatabase, findings: readonly (readonly [Hash, Finding])[]): Promise<void> {
  for (let start = 0; start < findings.length; start += PART)
    await writeAll(db, findings.slice(start, start + PART));
}

async function writeAll(db: IDBPDatabase, findings: readonly (readonly [Hash, Finding])[]): Promise<void> {
  const transaction = db.transaction(RULES_VERSION, "readwrite", { durability: "relaxed" });
  for (const [key, finding] of findings)
    if (isFinal(finding)) void transaction.store.put(finding, key).catch(() => undefined);
  await transaction.done;
}
