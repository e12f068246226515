// Growing waits with jitter, so that many clients that failed together do not come back together.

import type { RandomBytes } from "./random-bytes.ts";

export interface Backoff {
  /** Ms to wait before the next attempt: between half and all of a step that doubles up to the cap. */
  next(): number;
  /** After a success. */
  reset(): void;
}

export function createBackoff(random: RandomBytes, first: number, cap: number): Backoff {
  let step = first;
  return {
    next: () => {
      const wait = step * (0.5 + fraction(random) / 2);
      step = Math.min(cap, step * 2);
      return Math.round(wait);
    },
    reset: () => {
      step = first;
    },
  };
}

/** A number in [0, 1). */
export function fraction(random: RandomBytes): number {
  const [a = 0, b = 0] = random(2);
  return (a * 256 + b) / 65_536;
}
