// When to fetch from the Hub: soon after a hint, else at growing intervals with jitter (polls). A hint whose entry is not
// found is fetched for a few times more, at growing waits that all hints share; a new hint waits for less than a second,
// however many invented ones came before it. A hint only brings a fetch forward: it never puts off a poll that is due.

import { createBackoff, type Backoff } from "../platform/backoff.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";

export interface FetchResult {
  /** There was something new. */
  readonly found: boolean;
  readonly failed: boolean;
  /** More is there already: fetch again at once. */
  readonly more: boolean;
}

/** The entries that hints named, where they are known. */
export interface AnnouncedEntries {
  /** Whether all of them are held now. */
  readonly allResolved: () => boolean;
  /** Gives up those that were not found. */
  readonly drop: () => void;
}

export interface PollSchedulerOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Whether the channel is known to answer: then a poll is only a precaution. */
  readonly isLive: () => boolean;
  /** Must not reject. `hinted`: no poll is due, so the announced entries are enough. */
  readonly fetch: (hinted: boolean) => Promise<FetchResult>;
  /** Without it a fetch that finds something is taken for the answer to the hints before it. */
  readonly announced?: AnnouncedEntries;
}

const POLL_FIRST_MS = 800;
const POLL_CAP_MS = 10_000;
const LIVE_POLL_MS = 15_000;
const FAILED_FIRST_MS = 1_000;
const FAILED_CAP_MS = 30_000;
const EMPTY_HINT_FIRST_MS = 80;
const EMPTY_HINT_CAP_MS = 10_000;
/** A new hint waits no longer than this after the last fetch: about one request a second for each announced log, at most. */
const NEW_HINT_CAP_MS = 800;
/** Fetches for what was announced last, within 1.2 to 2.5 s, until the polls are left to find it. */
const FETCHES_A_HINT = 6;

export class PollScheduler {
  readonly #options: PollSchedulerOptions;
  readonly #poll: Backoff;
  readonly #failed: Backoff;
  readonly #emptyHints: Backoff;
  #cancel: (() => void) | undefined;
  /** When the waiting fetch is due; infinite while none waits. */
  #due = Number.POSITIVE_INFINITY;
  /** When everything is to be fetched, hints or none. */
  #pollDue = 0;
  #fetching: Promise<void> | undefined;
  /** There are hints that no fetch has answered. */
  #open = false;
  /** One came since the last fetch began. */
  #fresh = false;
  /** Fetches since the last hint. */
  #fetches = 0;
  /** When the last fetch ended. */
  #endedAt = Number.NEGATIVE_INFINITY;
  /** Hints wait until then. */
  #hintsFrom = 0;
  #stopped = false;

  constructor(options: PollSchedulerOptions) {
    this.#options = options;
    this.#poll = createBackoff(options.random, POLL_FIRST_MS, POLL_CAP_MS);
    this.#failed = createBackoff(options.random, FAILED_FIRST_MS, FAILED_CAP_MS);
    this.#emptyHints = createBackoff(options.random, EMPTY_HINT_FIRST_MS, EMPTY_HINT_CAP_MS);
  }

  /** Something may be new. */
  hint(): void {
    this.#open = true;
    this.#fresh = true;
    this.#fetches = 0;
    if (this.#fetching !== undefined) return;
    this.#hintsFrom = Math.min(this.#hintsFrom, this.#endedAt + NEW_HINT_CAP_MS);
    this.#schedule(Math.max(0, this.#hintsFrom - this.#options.clock.now()));
  }

  /** Polls now; a fetch under way is waited for first. */
  async pollNow(): Promise<void> {
    if (this.#fetching !== undefined) await this.#fetching;
    this.#pollDue = 0;
    await this.#run();
  }

  /** Something was done here, or the channel is away: news may come soon, and unannounced. */
  pollSoon(): void {
    this.#poll.reset();
    const now = this.#options.clock.now();
    this.#pollDue = Math.min(this.#pollDue, now + this.#interval());
    if (this.#fetching === undefined) this.#schedule(Math.max(0, this.#pollDue - now));
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #run(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    if (this.#fetching !== undefined) return this.#fetching;
    this.#cancel?.();
    this.#due = Number.POSITIVE_INFINITY;
    const answers = this.#open;
    const hinted = answers && this.#options.clock.now() < this.#pollDue;
    this.#fresh = false;
    this.#fetches++;
    let nextMs = 0;
    this.#fetching = this.#options
      .fetch(hinted)
      .then((result) => {
        nextMs = this.#after(result, hinted, answers);
      })
      .finally(() => {
        this.#fetching = undefined;
        if (!this.#stopped) this.#schedule(nextMs);
      });
    return this.#fetching;
  }

  /** Ms until the next fetch. */
  #after({ found, failed, more }: FetchResult, hinted: boolean, answers: boolean): number {
    const now = this.#options.clock.now();
    this.#endedAt = now;
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

  /** `answers`: there were hints when the fetch began. */
  #settleHints(found: boolean, answers: boolean): void {
    if (!this.#open) return;
    const { announced, clock } = this.#options;
    // Without names, a hint that came during the fetch may be of something newer.
    const resolved = announced === undefined ? found && !this.#fresh : announced.allResolved();
    // Refs to what is held already find nothing either: they must not cost a fetch each.
    const isFreshAfterNews = found && this.#fresh;
    if (answers && !isFreshAfterNews && !(found && resolved)) {
      const wait = this.#emptyHints.next();
      this.#hintsFrom = clock.now() + (this.#fresh ? Math.min(wait, NEW_HINT_CAP_MS) : wait);
    }
    if (resolved) this.#open = false;
    else if (!this.#fresh && this.#fetches >= FETCHES_A_HINT) {
      this.#open = false;
      announced?.drop();
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
