// How long to wait before the next attempt: doubling to a cap, each delay drawn at random from its upper half, so that
// thousands cut off at one moment don't come back at one moment. A success resets nothing; a stable connection does.

export interface BackoffTiming {
  /** Greatest delay of the first attempt, in ms. */
  readonly baseMs: number;
  /** Greatest delay of any attempt, in ms. */
  readonly capMs: number;
  /** A connection that was live this long starts the count anew. */
  readonly stableMs: number;
}

export const BACKOFF: BackoffTiming = { baseMs: 1_000, capMs: 30_000, stableMs: 30_000 };

export class Backoff {
  #failures = 0;
  readonly #timing: BackoffTiming;
  readonly #random: () => number;

  /** @param random uniform in [0, 1) */
  constructor(timing: BackoffTiming, random: () => number) {
    this.#timing = timing;
    this.#random = random;
  }

  /** The delay in ms before the next attempt, given how long the last connection was live (0: never). */
  next(livedMs: number): number {
    if (livedMs >= this.#timing.stableMs) this.#failures = 0;
    const most = Math.min(this.#timing.capMs, this.#timing.baseMs * 2 ** Math.min(this.#failures++, 30));
    return (most / 2) * (1 + this.#random());
  }
}
