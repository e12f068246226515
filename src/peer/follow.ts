// When to look at the Hub: soon after a hint, else at growing intervals with jitter. A hint is worth at most one
// look; hints that turn out empty make the next one wait, so a thousand invented refs cause a handful of requests.

import { createBackoff, type Backoff } from "./backoff.ts";
import type { Clock, RandomBytes } from "./environment.ts";

export interface LookResult {
  /** There was something new. */
  readonly found: boolean;
  readonly failed: boolean;
  /** More is there already: look again at once. */
  readonly more: boolean;
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Whether the channel is known to answer: then looking without a hint is only a precaution. */
  readonly isLive: () => boolean;
  /** Must not reject. */
  readonly look: (hinted: boolean) => Promise<LookResult>;
}

const POLL_FIRST_MS = 800;
const POLL_CAP_MS = 10_000;
const LIVE_POLL_MS = 15_000;
const FAILED_FIRST_MS = 1_000;
const FAILED_CAP_MS = 30_000;
const EMPTY_HINT_FIRST_MS = 250;
const EMPTY_HINT_CAP_MS = 10_000;

export class Follow {
  readonly #options: FollowOptions;
  readonly #poll: Backoff;
  readonly #failed: Backoff;
  readonly #emptyHints: Backoff;
  #cancel: (() => void) | undefined;
  /** When the waiting look is due; infinite while none waits. */
  #due = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #hinted = false;
  /** Hints wait until then. */
  #hintsFrom = 0;
  #stopped = false;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#poll = createBackoff(options.random, POLL_FIRST_MS, POLL_CAP_MS);
    this.#failed = createBackoff(options.random, FAILED_FIRST_MS, FAILED_CAP_MS);
    this.#emptyHints = createBackoff(options.random, EMPTY_HINT_FIRST_MS, EMPTY_HINT_CAP_MS);
  }

  /** Something may be new. */
  hint(): void {
    this.#hinted = true;
    if (this.#looking === undefined) this.#schedule(Math.max(0, this.#hintsFrom - this.#options.clock.now()));
  }

  /** Looks now, or joins the look under way and looks once more after it. */
  async now(): Promise<void> {
    if (this.#looking !== undefined) await this.#looking;
    await this.#run();
  }

  /** Something was done here: the answer to it may come soon. */
  expect(): void {
    this.#poll.reset();
    if (this.#looking === undefined) this.#schedule(this.#interval());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #run(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    if (this.#looking !== undefined) return this.#looking;
    this.#cancel?.();
    this.#due = Number.POSITIVE_INFINITY;
    const hinted = this.#hinted;
    this.#hinted = false;
    this.#looking = this.#options
      .look(hinted)
      .then((result) => this.#after(result, hinted))
      .finally(() => {
        this.#looking = undefined;
        if (!this.#stopped) this.#schedule(this.#nextMs);
      });
    return this.#looking;
  }

  #nextMs = 0;

  #after({ found, failed, more }: LookResult, hinted: boolean): void {
    const now = this.#options.clock.now();
    if (found) {
      this.#poll.reset();
      this.#emptyHints.reset();
      this.#hintsFrom = 0;
    } else if (hinted) this.#hintsFrom = now + this.#emptyHints.next();
    if (!failed) this.#failed.reset();
    if (failed) this.#nextMs = this.#failed.next();
    else if (more) this.#nextMs = 0;
    else if (this.#hinted) this.#nextMs = Math.max(0, this.#hintsFrom - now);
    else this.#nextMs = this.#interval();
  }

  #interval(): number {
    const wait = this.#poll.next();
    return this.#options.isLive() ? Math.max(wait, LIVE_POLL_MS) : wait;
  }

  #schedule(ms: number): void {
    const due = this.#options.clock.now() + ms;
    if (this.#stopped || due >= this.#due) return;
    this.#cancel?.();
    this.#due = due;
    this.#cancel = this.#options.clock.after(ms, () => {
      this.#due = Number.POSITIVE_INFINITY;
      void this.#run();
    });
  }
}
