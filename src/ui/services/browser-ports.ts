// The page's (or a worker's) clock, randomness and locks, as the narrow interfaces that the rest asks for.

import type { Clock } from "../../platform/clock.ts";
import type { RandomBytes } from "../../platform/random-bytes.ts";
import { browserLocks, type TabLocks, type WebLockManager } from "../../platform/locks.ts";
import { keptTexts } from "./page-texts.ts";

export const pageClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export const pageRandom: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length));

/** Web Locks, or undefined where there are none (plain http): the type says that they are always there. */
function pageLockManager(): WebLockManager | undefined {
  const manager = navigator.locks as LockManager | undefined;
  if (manager === undefined) return undefined;
  return { request: async (name, work) => await manager.request(`coop:${name}`, work) };
}

/** The locks of this page or worker; a worker has no localStorage, and leaves no notes for those that wait. */
export const tabLocks: TabLocks = browserLocks(pageLockManager(), {
  after: (ms, work) => pageClock.after(ms, work),
  notes: keptTexts(() => self.localStorage),
});
