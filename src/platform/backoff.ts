// Growing waits with jitter, so that many clients that failed together do not come back together.

import type { RandomBytes } from "./random-bytes.ts";

export interface Backoff {
  /** Ms to wait before the next attempt: between half and all of a step that doubles up to the cap. */
  next(): number;
  /** After a success. */
  reset(): void;
}

export function createBackoff(random: RandomBytes, first: number, cap: number): Backoff {
  let failures = 0;
  return {
    next: () => Math.round(backoffDelay(failures++, first, cap, fraction(random))),
    reset: () => {
      failures = 0;
    },
  };
}

/**
 * Ms to wait after `failures` attempts before this one: a step that doubles from `first` to `cap`, drawn from its upper
 * half. @param chance uniform in [0, 1)
 */
export function backoffDelay(failures: number, first: number, cap: number, chance: number): number {
  return Math.min(cap, first * 2 ** Math.min(failures, 30)) * (0.5 + chance / 2);
}

/** A number in [0, 1). */
export function fraction(random: RandomBytes): number {
  const [a = 0, b = 0] = random(2);
  return (a * 256 + b) / 65_536;
}
