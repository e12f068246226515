// Announcements not yet known to have reached the relay: those made while offline, and those sent since its last
// answer, which a half-open connection may have swallowed. Bounded; the oldest goes first, since announcements may be lost.

import type { Ref } from "../core/values.ts";
import type { Topic } from "./channel.ts";
import { encodePub } from "./frames.ts";

export class Outbox {
  /** Frame to whether the probe on its way was sent after it. */
  readonly #frames = new Map<string, "new" | "probed">();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Keeps an announcement; returns its frame. */
  add(topic: Topic, ref: Ref): string {
    const frame = encodePub(topic, ref);
    this.#frames.delete(frame);
    this.#frames.set(frame, "new");
    if (this.#frames.size > this.#limit) {
      const [oldest] = this.#frames.keys();
      if (oldest !== undefined) this.#frames.delete(oldest);
    }
    return frame;
  }

  get size(): number {
    return this.#frames.size;
  }

  /** All frames, the oldest first. */
  all(): readonly string[] {
    return [...this.#frames.keys()];
  }

  /** A probe was sent: its answer will tell that everything up to now has arrived, frames being in order. */
  probed(): void {
    for (const frame of this.#frames.keys()) this.#frames.set(frame, "probed");
  }

  /** The probe was answered. */
  answered(): void {
    for (const [frame, at] of this.#frames) if (at === "probed") this.#frames.delete(frame);
  }

  /** Sets the longest announcement aside for good; announcements may be lost. */
  dropLongest(): void {
    let longest = "";
    for (const frame of this.#frames.keys()) if (frame.length > longest.length) longest = frame;
    this.#frames.delete(longest);
  }

  /** The connection is gone, and with it what it had not confirmed. */
  lost(): void {
    for (const frame of this.#frames.keys()) this.#frames.set(frame, "new");
  }
}
