// Short texts kept by the page: in localStorage, or in sessionStorage for this tab alone. Both throw where the browser
// forbids them (some private windows): then nothing is kept, and that is all.

export interface KeptTexts {
  get(key: string): string | null;
  set(key: string, text: string): void;
  remove(key: string): void;
}

/** `open` gives the storage; asking for it may throw already. */
export function keptTexts(open: () => Pick<Storage, "getItem" | "setItem" | "removeItem">): KeptTexts {
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    get: (key) => attempt(() => open().getItem(key), null),
    set: (key, text) => attempt(() => open().setItem(key, text), undefined),
    remove: (key) => attempt(() => open().removeItem(key), undefined),
  };
}
