// When to look at the Hub: soon after a hint, else at growing intervals with jitter. A hint that leads to nothing is
// looked after a few times more, at growing waits that all hints share: a thousand invented refs cost a handful of
// requests, and one that was quicker than the Hub costs tens of milliseconds. Hints never put off the next poll.

import { createBackoff, type Backoff } from "../platform/backoff.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";

export interface LookResult {
  /** There was something new. */
  readonly found: boolean;
  readonly failed: boolean;
  /** More is there already: look again at once. */
  readonly more: boolean;
}

/** What the hints named, where that is known. */
export interface Hints {
  /** Whether all of it is held now. */
  readonly areMet: () => boolean;
  /** It has not come true. */
  readonly drop: () => void;
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Whether the channel is known to answer: then looking without a hint is only a precaution. */
  readonly isLive: () => boolean;
  /** Must not reject. `hinted`: no poll is due, so what the hints name is enough. */
  readonly look: (hinted: boolean) => Promise<LookResult>;
  /** Without it a look that finds something is taken for the answer to the hints before it. */
  readonly hints?: Hints;
}

const POLL_FIRST_MS = 800;
const POLL_CAP_MS = 10_000;
const LIVE_POLL_MS = 15_000;
const FAILED_FIRST_MS = 1_000;
const FAILED_CAP_MS = 30_000;
const EMPTY_HINT_FIRST_MS = 80;
const EMPTY_HINT_CAP_MS = 10_000;
/** Looks for what was announced last, within 1.2 to 2.5 s, until the polls are left to find it. */
const LOOKS_A_HINT = 6;

export class Follow {
  readonly #options: FollowOptions;
  readonly #poll: Backoff;
  readonly #failed: Backoff;
  readonly #emptyHints: Backoff;
  #cancel: (() => void) | undefined;
  /** When the waiting look is due; infinite while none waits. */
  #due = Number.POSITIVE_INFINITY;
  /** When everything is to be looked at, hints or none. */
  #pollDue = 0;
  #looking: Promise<void> | undefined;
  /** There are hints that no look has answered. */
  #open = false;
  /** One came since the last look began. */
  #fresh = false;
  /** Looks since the last hint. */
  #looks = 0;
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
    this.#open = true;
    this.#fresh = true;
    this.#looks = 0;
    if (this.#looking === undefined) this.#schedule(Math.max(0, this.#hintsFrom - this.#options.clock.now()));
  }

  /** Looks at everything now; a look under way is waited for first. */
  async now(): Promise<void> {
    if (this.#looking !== undefined) await this.#looking;
    this.#pollDue = 0;
    await this.#run();
  }

  /** Something was done here, or the channel is away: news may come soon, and unannounced. */
  expect(): void {
    this.#poll.reset();
    const now = this.#options.clock.now();
    this.#pollDue = Math.min(this.#pollDue, now + this.#interval());
    if (this.#looking === undefined) this.#schedule(Math.max(0, this.#pollDue - now));
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
    const answers = this.#open;
    const hinted = answers && this.#options.clock.now() < this.#pollDue;
    this.#fresh = false;
    this.#looks++;
    let nextMs = 0;
    this.#looking = this.#options
      .look(hinted)
      .then((result) => {
        nextMs = this.#after(result, hinted, answers);
      })
      .finally(() => {
        this.#looking = undefined;
        if (!this.#stopped) this.#schedule(nextMs);
      });
    return this.#looking;
  }

  /** Ms until the next look. */
  #after({ found, failed, more }: LookResult, hinted: boolean, answers: boolean): number {
    const now = this.#options.clock.now();
    if (found) {
      this.#poll.reset();
      this.#emptyHints.reset();
      this.#hintsFrom = 0;
    }
    this.#settleHints(found, answers);
    if (!failed) this.#failed.reset();
    const failedMs = failed ? this.#failed.next() : undefined;
    if (more) this.#pollDue = now;
    else if (!hinted) this.#pollDue = now + (failedMs ?? this.#interval());
    else if (found) this.#pollDue = Math.min(this.#pollDue, now + this.#interval());
    const due = this.#open ? Math.min(this.#hintsFrom, this.#pollDue) : this.#pollDue;
    return failedMs ?? Math.max(0, due - now);
  }

  /** `answers`: there were hints when the look began. */
  #settleHints(found: boolean, answers: boolean): void {
    if (!this.#open) return;
    const { hints, clock } = this.#options;
    // Without names, a hint that came during the look may be of something newer.
    const met = hints === undefined ? found && !this.#fresh : hints.areMet();
    if (!met && answers && !(found && this.#fresh)) this.#hintsFrom = clock.now() + this.#emptyHints.next();
    if (met) this.#open = false;
    else if (!this.#fresh && this.#looks >= LOOKS_A_HINT) {
      this.#open = false;
      hints?.drop();
    }
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
