// Answers that wait for their readers. Their bytes are memory of ours for as long as nobody reads them, so they are
// counted, by address and in all (one buffer sent to many counts once), and who reads too slowly is cut off.

import type { ServerResponse } from "node:http";
import type { Clock } from "../platform/clock.ts";
import type { RequestLimits } from "./request-limits.ts";

type Limits = Pick<RequestLimits, "outgoingBytes" | "outgoingBytesPerAddress" | "answerMs">;

interface Answer {
  readonly response: ServerResponse;
  readonly address: string;
  readonly body: Buffer;
  readonly since: number;
}

interface Waiting {
  readonly answers: Set<Answer>;
  bytes: number;
}

/** Smaller ones lie in the socket's own buffer before anybody could count them. */
const SMALL = 4096;

export class UnsentAnswers {
  readonly #limits: Limits;
  readonly #clock: Clock;
  /** Each address' answers, the oldest first. */
  readonly #waiting = new Map<string, Waiting>();
  /** How many answers send this very buffer. */
  readonly #buffers = new Map<Buffer, number>();
  #bytes = 0;
  #cancelCheck: (() => void) | undefined;
  #cut = 0;

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Bytes that wait, and answers cut off since the start. */
  stats(): { readonly bytes: number; readonly cut: number } {
    return { bytes: this.#bytes, cut: this.#cut };
  }

  /** To be called when the body is handed to the response. */
  add(response: ServerResponse, address: string, body: Buffer): void {
    if (body.length < SMALL) return;
    const answer: Answer = { response, address, body, since: this.#clock.now() };
    this.#count(answer);
    response.once("close", () => this.#remove(answer));
    const waiting = this.#waiting.get(address)!;
    while (waiting.bytes > this.#limits.outgoingBytesPerAddress && waiting.answers.size > 1)
      this.#cutOldest(waiting);
    while (this.#bytes > this.#limits.outgoingBytes) this.#cutOldest(this.#largest());
    this.#cancelCheck ??= this.#clock.after(this.#limits.answerMs / 4, () => this.#check());
  }

  close(): void {
    this.#cancelCheck?.();
  }

  #count(answer: Answer): void {
    let waiting = this.#waiting.get(answer.address);
    if (waiting === undefined)
      this.#waiting.set(answer.address, (waiting = { answers: new Set(), bytes: 0 }));
    waiting.answers.add(answer);
    waiting.bytes += answer.body.length;
    const users = this.#buffers.get(answer.body) ?? 0;
    this.#buffers.set(answer.body, users + 1);
    if (users === 0) this.#bytes += answer.body.length;
  }

  #remove(answer: Answer): void {
    const waiting = this.#waiting.get(answer.address);
    if (waiting?.answers.delete(answer) !== true) return;
    waiting.bytes -= answer.body.length;
    if (waiting.answers.size === 0) this.#waiting.delete(answer.address);
    const users = this.#buffers.get(answer.body)! - 1;
    if (users > 0) return void this.#buffers.set(answer.body, users);
    this.#buffers.delete(answer.body);
    this.#bytes -= answer.body.length;
  }

  #cutOldest(waiting: Waiting): void {
    const [oldest] = waiting.answers;
    this.#cutOff(oldest!);
  }

  #cutOff(answer: Answer): void {
    this.#cut++;
    this.#remove(answer);
    answer.response.destroy();
  }

  /** Who has the most waiting gives way, so that one address alone cannot cut off the others. */
  #largest(): Waiting {
    let largest: Waiting | undefined;
    for (const waiting of this.#waiting.values())
      if (largest === undefined || waiting.bytes > largest.bytes) largest = waiting;
    return largest!;
  }

  #check(): void {
    const before = this.#clock.now() - this.#limits.answerMs;
    for (const { answers } of [...this.#waiting.values()])
      for (const answer of answers) {
        if (answer.since > before) break;
        this.#cutOff(answer);
      }
    this.#cancelCheck =
      this.#waiting.size === 0
        ? undefined
        : this.#clock.after(this.#limits.answerMs / 4, () => this.#check());
  }
}
