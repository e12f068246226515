// Whether the browser has promised not to clear by itself what is kept here (Storage Standard, persistent buckets). It
// may ask the person, decide by itself, or have no such promise at all; what it answers is shown, and no more.

import { queryOptions } from "@tanstack/react-query";

/** `promised`: cleared only by the person. `not-promised`: it may clear after days without use. `unknown`: it does not say. */
export type Keeping = "promised" | "not-promised" | "unknown";

/** The part of `navigator.storage` that is used; older browsers and pages over plain http have less or nothing of it. */
export interface StoragePort {
  persisted?(): Promise<boolean>;
  persist?(): Promise<boolean>;
}

export function pageStorage(): StoragePort | undefined {
  return navigator.storage;
}

/** What the browser has promised, without asking anybody. */
export function readKeeping(storage: StoragePort | undefined): Promise<Keeping> {
  return answer(() => storage?.persisted?.());
}

/** Asks the browser for the promise; it may ask the person. */
export async function askToKeep(storage: StoragePort | undefined): Promise<Keeping> {
  const asked = await answer(() => storage?.persist?.());
  return asked === "unknown" ? readKeeping(storage) : asked;
}

async function answer(ask: () => Promise<boolean> | undefined): Promise<Keeping> {
  try {
    const promised = await ask();
    if (promised === undefined) return "unknown";
    return promised ? "promised" : "not-promised";
  } catch {
    return "unknown";
  }
}

export const keepingQuery = queryOptions({
  queryKey: ["keeping"],
  queryFn: () => readKeeping(pageStorage()),
});
