// Refs that strangers announce, taken one at a time. What leads nowhere makes the next one wait longer, and what
// waits is bounded: a thousand invented refs cost a handful of requests, and a good one among few comes through.

import type { Ref } from "../core/values.ts";
import { createBackoff, type Backoff } from "./backoff.ts";
import type { Clock, RandomBytes } from "./environment.ts";

const MAX_WAITING = 64;
const MAX_REMEMBERED = 1024;
const EMPTY_FIRST_MS = 50;
const EMPTY_CAP_MS = 5_000;

export interface RefInboxOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Whether the ref led somewhere; `later`: it could not be looked at, and may come again. */
  readonly take: (ref: Ref) => Promise<"good" | "bad" | "later">;
}

export class RefInbox {
  readonly #options: RefInboxOptions;
  readonly #backoff: Backoff;
  readonly #seen = new Set<Ref>();
  readonly #waiting: Ref[] = [];
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
      const result = await this.#options.take(ref).catch(() => "later" as const);
      if (result === "later") this.#forget(ref);
      if (result === "good") this.#backoff.reset();
      else await this.#wait(this.#backoff.next());
    }
    this.#busy = false;
  }

  #forget(ref: Ref): void {
    this.#seen.delete(ref);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#cancel = this.#options.clock.after(ms, resolve);
    });
  }
}
