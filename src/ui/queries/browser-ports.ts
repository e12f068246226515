// The page's clock, randomness and locks, as the narrow interfaces that the rest asks for.

import type { Clock, Locks, RandomBytes } from "../../peer/environment.ts";

export const pageClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export const pageRandom: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length));

/** Web Locks across the tabs of this browser; within this page only where the browser has none (plain http). */
export function pageLocks(): Locks {
  // The type says that it is always there; outside of secure contexts it is not.
  const manager = navigator.locks as LockManager | undefined;
  return manager === undefined ? localLocks() : webLocks(manager);
}

function webLocks(manager: Pick<LockManager, "request">): Locks {
  return {
    crossTab: true,
    run: async (name, work) => await manager.request(`coop:${name}`, work),
  };
}

/** Locks within this page: each name has a queue. */
export function localLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>();
  return {
    crossTab: false,
    run: (name, work) => {
      const before = tails.get(name) ?? Promise.resolve();
      const mine = before.then(work, work);
      tails.set(name, mine);
      return mine;
    },
  };
}
