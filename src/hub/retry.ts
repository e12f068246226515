// When a request to a Hub is made again. Time and chance come by argument.

import { backoffDelay } from "../platform/backoff.ts";
import { HubError, isTransient } from "./hub-error.ts";

/** What a Hub client needs of the world around it. */
export interface HubEnvironment {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly timer: (milliseconds: number, callback: () => void) => () => void;
  /** A number from 0 up to 1, for spreading requests in time. */
  readonly chance: () => number;
  /** Unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
}

export interface RetryPolicy {
  /** Attempts in all. */
  readonly attempts: number;
  /** Milliseconds: the first wait lies between half of this and this, the next is up to twice as long. */
  readonly base: number;
  /** No wait is longer, in milliseconds, not even one that the Hub asks for: then the error goes to the caller. */
  readonly most: number;
}

/**
 * Runs a request, again after a failure that may pass: with growing, spread waits, and after those that the Hub asks
 * for, so that all who were asked to wait do not come back at one moment.
 */
export async function withRetries<T>(
  environment: Pick<HubEnvironment, "timer" | "chance">,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  request: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (attempt >= policy.attempts || !isTransient(error)) throw error;
      const asked = error instanceof HubError ? error.retryAfter : undefined;
      if (asked !== undefined && asked * 1000 > policy.most) throw error;
      const wait = (asked ?? 0) * 1000 + waitAfter(attempt, policy, environment.chance);
      await pause(environment, wait, signal);
    }
  }
}

/** Milliseconds to wait after so many attempts. */
export function waitAfter(attempt: number, policy: RetryPolicy, chance: () => number): number {
  return backoffDelay(attempt - 1, policy.base, policy.most, chance());
}

/** @throws HubError `aborted` */
export function pause(
  environment: Pick<HubEnvironment, "timer">,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(new HubError("aborted", "the request was given up", { cause: signal?.reason }));
    };
    const cancel = environment.timer(milliseconds, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** No Retry-After closes the gate for longer: the Hub may be wrong, or lie. In milliseconds. */
const LONGEST_CLOSED = 300_000;

/** Holds back all requests to a Hub until the time that it has asked for (Retry-After), not only the one that failed. */
export class RetryAfterGate {
  #until = Number.NEGATIVE_INFINITY;

  /** Closes the gate as long as a failed request says. */
  closeFor(error: HubError, now: number): void {
    if (error.retryAfter === undefined || !isTransient(error)) return;
    this.#until = Math.max(this.#until, now + Math.min(error.retryAfter * 1000, LONGEST_CLOSED));
  }

  /** @throws HubError `rate-limited` while the Hub is not to be asked */
  check(now: number): void {
    if (now >= this.#until) return;
    const retryAfter = (this.#until - now) / 1000;
    const said = `the Hub asks to go slower: not asked for another ${Math.ceil(retryAfter)} s`;
    throw new HubError("rate-limited", said, { retryAfter });
  }
}
