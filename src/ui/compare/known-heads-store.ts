// Where this browser keeps the heads it has seen, by session (verify/known-heads.ts): in IndexedDB, or in memory where
// there is none, which is then all that this page can remember. Only refs are kept: no record, no key.

import { openDB, type DBSchema } from "idb";
import { isRef, type Ref } from "../../core/values.ts";

export interface KnownHeads {
  /** Refs in ascending order; none for a session that was not seen. What is damaged counts as not seen. */
  get(session: Ref): Promise<readonly Ref[]>;
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

/** Never rejects: where IndexedDB is missing, full or broken, memory serves. */
export function browserKnownHeads(name = "coop-known-heads"): KnownHeads {
  const memory = memoryKnownHeads();
  // Within an async function: where the browser forbids it, `open` throws at once.
  const open = async () =>
    openDB<Schema>(name, 1, { upgrade: (fresh) => void fresh.createObjectStore("heads") });
  const opening = open().catch(() => undefined);
  return {
    async get(session) {
      const held = await memory.get(session);
      if (held.length > 0) return held;
      const db = await opening;
      const kept: readonly unknown[] | undefined = await db?.get("heads", session).catch(() => undefined);
      return Array.isArray(kept) && kept.every(isRef) ? kept : [];
    },
    async put(session, heads) {
      await memory.put(session, heads);
      const db = await opening;
      await db?.put("heads", heads, session).catch(() => undefined);
    },
  };
}
