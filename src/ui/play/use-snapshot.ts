// Anything with subscribe and getSnapshot as React state, and a promise of such a thing.

import { useEffect, useState, useSyncExternalStore } from "react";
import { errorText } from "../../platform/coded-error.ts";

export interface Subscribable<T> {
  subscribe(listener: () => void): () => void;
  getSnapshot(): T;
}

const NEVER = () => () => undefined;

/** The snapshot of what may not be there yet. */
export function useSnapshot<T>(source: Subscribable<T> | null): T | null {
  return useSyncExternalStore(
    source === null ? NEVER : (listener) => source.subscribe(listener),
    () => source?.getSnapshot() ?? null,
  );
}

export type Outcome<T> =
  | { readonly state: "waiting" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "failed"; readonly why: string };

/** What a promise comes to. `make` must be stable (useCallback): a new one is a new question. */
export function usePromise<T>(make: () => Promise<T>): Outcome<T> {
  const [found, setFound] = useState<{ make: unknown; result: Outcome<T> } | null>(null);
  useEffect(() => {
    let left = false;
    const settle = (result: Outcome<T>) => {
      if (!left) setFound({ make, result });
    };
    make().then(
      (value) => settle({ state: "there", value }),
      (error: unknown) => settle({ state: "failed", why: errorText(error) }),
    );
    return () => {
      left = true;
    };
  }, [make]);
  return found?.make === make ? found.result : { state: "waiting" };
}
