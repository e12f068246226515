// Refs that strangers announce, read from the Hub a few at a time. Each wallet has a lane of its own: refs that lead to
// nothing make the next one of that wallet wait longer, and no other's. New wallets come first and at once, so a genuine
// ref is not held up by invented ones, and all reads together stay within a rate.

import { parseRef, type Address, type Ref } from "../core/values.ts";
import { createBackoff, type Backoff } from "../platform/backoff.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";

/** Refs of one wallet that wait; the oldest go first. */
const MAX_OF_A_WALLET = 8;
/** Wallets with something waiting; the longest known go first. */
const MAX_LANES = 1024;
const MAX_REMEMBERED = 4096;
/** Reads of a ref whose entry is not there: over ten seconds at the growing waits. */
const MAX_READS = 8;
const EMPTY_FIRST_MS = 50;
const EMPTY_CAP_MS = 5_000;
/** Reads a second in the long run, and at once after a pause: a Hub lets an address make 200 and 4,000. */
const READS_A_SECOND = 100;
const READS_AT_ONCE = 2_000;
/** Reads kept for wallets that are new; those read in vain before get what is over. */
const READS_FOR_NEW = 1_000;
/** Every so many reads it is the turn of a wallet read before, so that a flood of new ones starves nobody. */
const RETURNING_EVERY = 4;

export interface RefInboxOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Reads at once; default 1. */
  readonly parallel?: number;
  /**
   * Whether the ref led somewhere; `later`: not yet, and it is read a few times more. Where this rejects, the Hub could
   * not be asked, and the ref is kept until it can.
   */
  readonly take: (ref: Ref) => Promise<"good" | "bad" | "later">;
}

/** What one wallet's refs wait for. */
interface Lane {
  readonly backoff: Backoff;
  readonly waiting: Ref[];
  /** Reads that a ref has had in vain. */
  readonly reads: Map<Ref, number>;
  state: "idle" | "ready" | "reading" | "resting";
}

export class RefInbox {
  readonly #options: RefInboxOptions;
  readonly #lanes = new Map<Address, Lane>();
  readonly #fresh: Lane[] = [];
  readonly #returning: Lane[] = [];
  readonly #seen = new Set<Ref>();
  readonly #cancels = new Set<() => void>();
  #reading = 0;
  #reads = 0;
  #tokens = READS_AT_ONCE;
  #at: number;
  #isPaused = false;
  #closed = false;

  constructor(options: RefInboxOptions) {
    this.#options = options;
    this.#at = options.clock.now();
  }

  push(ref: Ref): void {
    const wallet = parseRef(ref)?.wallet;
    if (this.#closed || wallet === undefined || this.#seen.has(ref)) return;
    this.#seen.add(ref);
    if (this.#seen.size > MAX_REMEMBERED) this.#seen.delete(this.#seen.values().next().value!);
    const lane = this.#laneOf(wallet);
    if (lane.waiting.length >= MAX_OF_A_WALLET) this.#forget(lane, lane.waiting.shift()!);
    lane.waiting.push(ref);
    if (lane.state === "idle") this.#setReady(lane, this.#fresh);
    this.#work();
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#cancels) cancel();
  }

  #laneOf(wallet: Address): Lane {
    const known = this.#lanes.get(wallet);
    if (known !== undefined) return known;
    if (this.#lanes.size >= MAX_LANES) this.#dropOldest();
    const backoff = createBackoff(this.#options.random, EMPTY_FIRST_MS, EMPTY_CAP_MS);
    const lane: Lane = { backoff, waiting: [], reads: new Map(), state: "idle" };
    this.#lanes.set(wallet, lane);
    return lane;
  }

  #dropOldest(): void {
    for (const [wallet, lane] of this.#lanes) {
      if (lane.state === "reading") continue;
      for (const ref of lane.waiting.splice(0)) this.#forget(lane, ref);
      this.#lanes.delete(wallet);
      return;
    }
  }

  #setReady(lane: Lane, queue: Lane[]): void {
    lane.state = "ready";
    queue.push(lane);
  }

  /** Begins as many reads as may be under way. */
  #work(): void {
    while (!this.#closed && this.#reading < (this.#options.parallel ?? 1)) {
      const lane = this.#next();
      if (lane === undefined) return;
      const ref = lane.waiting.shift();
      lane.state = ref === undefined ? "idle" : "reading";
      if (ref !== undefined) void this.#read(lane, ref);
    }
  }

  /** The newest of the new wallets, now and then the first of those read before; undefined where the rate is used up. */
  #next(): Lane | undefined {
    const isTurn = this.#fresh.length === 0 || this.#reads % RETURNING_EVERY === 0;
    if (isTurn && this.#returning.length > 0 && this.#mayRead(READS_FOR_NEW)) return this.#returning.shift();
    if (this.#fresh.length > 0 && this.#mayRead(1)) return this.#fresh.pop();
    return undefined;
  }

  async #read(lane: Lane, ref: Ref): Promise<void> {
    this.#reading++;
    const result = await this.#options.take(ref).catch(() => "failed" as const);
    this.#reading--;
    if (result === "later" || result === "failed") this.#putBack(lane, ref, result === "later");
    else lane.reads.delete(ref);
    if (result === "good") lane.backoff.reset();
    if (result === "good" && lane.waiting.length > 0) this.#setReady(lane, this.#fresh);
    else if (result === "good") lane.state = "idle";
    else this.#rest(lane);
    this.#work();
  }

  #putBack(lane: Lane, ref: Ref, isCounted: boolean): void {
    const reads = (lane.reads.get(ref) ?? 0) + (isCounted ? 1 : 0);
    if (reads >= MAX_READS || lane.waiting.length >= MAX_OF_A_WALLET) return this.#forget(lane, ref);
    lane.reads.set(ref, reads);
    lane.waiting.push(ref);
  }

  #forget(lane: Lane, ref: Ref): void {
    lane.reads.delete(ref);
    this.#seen.delete(ref);
  }

  #rest(lane: Lane): void {
    lane.state = "resting";
    this.#after(lane.backoff.next(), () => {
      if (lane.waiting.length > 0) this.#setReady(lane, this.#returning);
      else lane.state = "idle";
      this.#work();
    });
  }

  /** Takes a read out of the rate, where at least `least` are left; otherwise reading goes on a little later. */
  #mayRead(least: number): boolean {
    const now = this.#options.clock.now();
    this.#tokens = Math.min(READS_AT_ONCE, this.#tokens + ((now - this.#at) * READS_A_SECOND) / 1000);
    this.#at = now;
    if (this.#tokens >= least) {
      this.#tokens--;
      this.#reads++;
      return true;
    }
    if (!this.#isPaused) {
      this.#isPaused = true;
      this.#after(1000 / READS_A_SECOND, () => {
        this.#isPaused = false;
        this.#work();
      });
    }
    return false;
  }

  #after(ms: number, work: () => void): void {
    const cancel = this.#options.clock.after(ms, () => {
      this.#cancels.delete(cancel);
      work();
    });
    this.#cancels.add(cancel);
  }
}
