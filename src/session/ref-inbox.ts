// Refs that strangers announce, taken one at a time. What leads nowhere makes the next one wait longer, and what
// waits is bounded: a thousand invented refs cost a handful of requests, and a good one among few comes through.

import type { Ref } from "../core/values.ts";
import { createBackoff, type Backoff } from "../platform/backoff.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";

const MAX_WAITING = 64;
const MAX_REMEMBERED = 1024;
/** Looks at a ref whose entry is not there: over ten seconds at the growing waits. */
const MAX_LOOKS = 8;
const EMPTY_FIRST_MS = 50;
const EMPTY_CAP_MS = 5_000;

export interface RefInboxOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /**
   * Whether the ref led somewhere; `later`: not yet, and it is looked at a few times more, after those that wait. Where
   * this rejects, the Hub could not be asked, and the ref is kept until it can.
   */
  readonly take: (ref: Ref) => Promise<"good" | "bad" | "later">;
}

export class RefInbox {
  readonly #options: RefInboxOptions;
  readonly #backoff: Backoff;
  readonly #seen = new Set<Ref>();
  readonly #waiting: Ref[] = [];
  /** Looks that a ref has had in vain. */
  readonly #looks = new Map<Ref, number>();
  #busy = false;
  #closed = false;
  #cancel: (() => void) | undefined;

  constructor(options: RefInboxOptions) {
    this.#options = options;
    this.#backoff = createBackoff(options.random, EMPTY_FIRST_MS, EMPTY_CAP_MS);
  }

  push(ref: Ref): void {
    if (this.#closed || this.#seen.has(ref)) return;
    if (this.#waiting.length >= MAX_WAITING) this.#forget(this.#waiting.shift()!);
    this.#seen.add(ref);
    if (this.#seen.size > MAX_REMEMBERED) this.#forget(this.#seen.values().next().value!);
    this.#waiting.push(ref);
    void this.#work();
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let ref = this.#waiting.shift(); ref !== undefined && !this.#closed; ref = this.#waiting.shift()) {
      const result = await this.#options.take(ref).catch(() => "failed" as const);
      if (result === "later" || result === "failed") this.#putBack(ref, result === "later");
      else this.#looks.delete(ref);
      if (result === "good") this.#backoff.reset();
      else await this.#wait(this.#backoff.next());
    }
    this.#busy = false;
  }

  #putBack(ref: Ref, isCounted: boolean): void {
    const looks = (this.#looks.get(ref) ?? 0) + (isCounted ? 1 : 0);
    if (looks >= MAX_LOOKS || this.#waiting.length >= MAX_WAITING) return this.#forget(ref);
    this.#looks.set(ref, looks);
    this.#waiting.push(ref);
  }

  #forget(ref: Ref): void {
    this.#looks.delete(ref);
    this.#seen.delete(ref);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#cancel = this.#options.clock.after(ms, resolve);
    });
  }
}
