// A store in memory: for tests, examples, watchers, and a browser that keeps nothing. It says that it is one.

import type { Store } from "./key-value-store.ts";

export function memoryStore(): Store {
  const texts = new Map<string, string>();
  return {
    durability: "memory",
    get: async (key) => texts.get(key),
    put: async (key, value) => void texts.set(key, value),
    add: async (key, value) => {
      if (texts.has(key)) return false;
      texts.set(key, value);
      return true;
    },
    remove: async (key) => void texts.delete(key),
    keys: async (prefix) => [...texts.keys()].filter((key) => key.startsWith(prefix)).sort(),
    close: async () => undefined,
  };
}
