// Unicode's table of confusables, loaded when names are first shown: 28 kB that no verdict waits for. Until it is here,
// and where it can't be loaded, only equal texts look alike.

import type { Skeleton } from "../../names/skeleton.ts";
import { whenShown } from "../services/first-picture.ts";

let loaded: Skeleton | undefined;
let isLoading = false;
const listeners = new Set<() => void>();

export function currentSkeleton(): Skeleton | undefined {
  return loaded;
}

/** For `useSyncExternalStore`: the first listener starts the load. */
export function onSkeleton(listener: () => void): () => void {
  listeners.add(listener);
  if (loaded === undefined && !isLoading) {
    isLoading = true;
    void load();
  }
  return () => listeners.delete(listener);
}

async function load(): Promise<void> {
  try {
    await whenShown();
    const { skeletonOf } = await import("../../names/skeleton.ts");
    loaded = skeletonOf;
    for (const listener of [...listeners]) listener();
  } catch {
    isLoading = false; // the next name that is shown tries again
  }
}
