// Where this browser keeps the heads it has seen, by session (audit/known-heads.ts): in IndexedDB, or in memory where
// the browser has none, which is then all that this page can remember. Only refs are kept: no record, no key.

import type { DBSchema } from "idb";
import { isRef, type Ref } from "../../core/values.ts";
import { browserDatabase, DatabaseError } from "../../platform/browser-database.ts";

export interface KnownHeads {
  /**
   * Refs in ascending order; none for a session that was not seen. What is damaged counts as not seen.
   * @throws DatabaseError, DOMException where something may be known and cannot be read now
   */
  get(session: Ref): Promise<readonly Ref[]>;
  /** @throws DatabaseError, DOMException where it is not kept beyond this page */
  put(session: Ref, heads: readonly Ref[]): Promise<void>;
}

export function memoryKnownHeads(): KnownHeads {
  const heads = new Map<Ref, readonly Ref[]>();
  return {
    get: async (session) => heads.get(session) ?? [],
    put: async (session, refs) => void heads.set(session, refs),
  };
}

interface Schema extends DBSchema {
  heads: { key: string; value: readonly string[] };
}

/** Fails closed: only a browser without IndexedDB falls back to memory; one that does not answer is an error. */
export function browserKnownHeads(name = "coop-known-heads"): KnownHeads {
  const memory = memoryKnownHeads();
  const database = browserDatabase<Schema>(name, (fresh) => void fresh.createObjectStore("heads"));
  return {
    async get(session) {
      const held = await memory.get(session);
      if (held.length > 0) return held;
      const kept: readonly unknown[] | undefined = await orNothing(
        database.run((db) => db.get("heads", session)),
      );
      return Array.isArray(kept) && kept.every(isRef) ? kept : [];
    },
    async put(session, heads) {
      await memory.put(session, heads);
      await orNothing(database.run((db) => db.put("heads", heads, session)));
    },
  };
}

async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === "unavailable") return undefined;
    throw error;
  }
}
