// A store whose secret texts lie encrypted in another one. What protects them comes by argument: the browser's vault
// gives the same protection that its keys have.

import type { Store } from "./key-value-store.ts";

export interface TextSealer {
  /** `purpose` is authenticated, so that one sealed text cannot stand in for another. */
  seal(purpose: string, text: string): Promise<string>;
  /** Undefined where it does not open: damaged, of another purpose, or what opens it is gone. */
  open(purpose: string, sealed: string): Promise<string | undefined>;
}

const MARK = "sealed:";

/** Texts under keys with one of these beginnings are sealed; those that still lie there in plain text are sealed now. */
export function sealedStore(inner: Store, sealer: TextSealer, prefixes: readonly string[]): Store {
  const isSecret = (key: string) => prefixes.some((prefix) => key.startsWith(prefix));
  const sealed = async (key: string, text: string) =>
    isSecret(key) ? MARK + (await sealer.seal(key, text)) : text;
  const store: Store = {
    durability: inner.durability,
    get: async (key) => {
      const text = await inner.get(key);
      if (text === undefined || !isSecret(key) || !text.startsWith(MARK)) return text;
      return sealer.open(key, text.slice(MARK.length));
    },
    put: async (key, text) => inner.put(key, await sealed(key, text)),
    add: async (key, text) => inner.add(key, await sealed(key, text)),
    remove: (key) => inner.remove(key),
    keys: (start) => inner.keys(start),
    close: () => inner.close(),
  };
  // In the background: where the sealer does not answer, a page must open all the same, and the next one seals them.
  void sealPlain(inner, store, prefixes).catch(() => undefined);
  return store;
}

async function sealPlain(inner: Store, store: Store, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes)
    for (const key of await inner.keys(prefix)) {
      const text = await inner.get(key);
      if (text !== undefined && !text.startsWith(MARK)) await store.put(key, text);
    }
}
