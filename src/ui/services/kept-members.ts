// Members of a store of the page, each under a key of its own in localStorage, so that a tab writes what it has changed
// and nothing else; and what other tabs write, heard by `storage` events.

import type { KeptTexts } from "./page-texts.ts";

/** The part of `window` and of `Storage` that is used. Asking for the storage may throw (some private windows). */
export interface StorageWindow {
  readonly localStorage: Pick<Storage, "length" | "key">;
  addEventListener(
    type: "storage",
    listener: (event: { readonly key: string | null; readonly newValue: string | null }) => void,
  ): void;
}

export class KeptMembers {
  readonly #texts: KeptTexts;
  readonly #window: StorageWindow;
  readonly #prefix: string;

  constructor(texts: KeptTexts, page: StorageWindow, name: string) {
    this.#texts = texts;
    this.#window = page;
    this.#prefix = `${name}/`;
  }

  all(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const key of this.#keys()) {
      const text = this.#texts.get(key);
      if (text !== null) found.set(key.slice(this.#prefix.length), text);
    }
    return found;
  }

  set(member: string, text: string): void {
    this.#texts.set(this.#prefix + member, text);
  }

  remove(member: string): void {
    this.#texts.remove(this.#prefix + member);
  }

  /** Calls back when another tab has set or removed a member; `null` for a member that is gone. */
  onChange(listener: (member: string, text: string | null) => void): void {
    this.#window.addEventListener("storage", ({ key, newValue }) => {
      if (key?.startsWith(this.#prefix) === true) listener(key.slice(this.#prefix.length), newValue);
    });
  }

  #keys(): readonly string[] {
    try {
      const { localStorage } = this.#window;
      const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? "");
      return keys.filter((key) => key.startsWith(this.#prefix));
    } catch {
      return [];
    }
  }
}
