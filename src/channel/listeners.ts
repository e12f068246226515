// Who listens to which topic, and to the state: the part that all channels share. A ref that is among the last
// 256 passed on for its topic is not passed on again, so that a relay's repetitions cost the listener nothing;
// the memory goes when the topic's last listener goes.

import type { Ref } from "../core/values.ts";
import type { ChannelState, Topic } from "./channel.ts";
import { isTopic, RETAINED_REFS } from "./frames.ts";
import { Retained } from "./retained-refs.ts";

export type RefListener = (ref: Ref) => void;

/** Refs of a topic that are remembered as passed on. */
export const REMEMBERED_REFS = 256;

interface Heard {
  readonly listeners: Set<{ readonly call: RefListener }>;
  readonly seen: Retained;
}

/** Told of an exception in a listener; the other listeners are called all the same. */
export type ReportError = (error: unknown) => void;

export class Listeners {
  readonly #topics = new Map<Topic, Heard>();
  readonly #report: ReportError;

  constructor(report: ReportError = (error) => console.error(error)) {
    this.#report = report;
  }

  /** Topics that somebody listens to, in the order of subscription. */
  get topics(): readonly Topic[] {
    return [...this.#topics.keys()];
  }

  /**
   * Adds a listener. Where others listen already, it is told in a
   * later microtask what they were told last, as a relay would.
   * @param onFirst called if the topic had no listener before; `onLast` when it has none any more
   * @throws RangeError if the topic is none
   */
  add(topic: Topic, call: RefListener, onFirst: () => void, onLast: () => void): () => void {
    if (!isTopic(topic)) throw new RangeError(`not a topic: ${JSON.stringify(topic)}`);
    const known = this.#topics.get(topic);
    const heard = known ?? { listeners: new Set(), seen: new Retained(1, REMEMBERED_REFS) };
    const listener = { call };
    heard.listeners.add(listener);
    if (known === undefined) {
      this.#topics.set(topic, heard);
      onFirst();
    } else {
      const told = heard.seen.of(topic).slice(-RETAINED_REFS);
      queueMicrotask(() => {
        for (const ref of told) if (heard.listeners.has(listener)) this.#call(call, ref);
      });
    }
    return () => {
      if (!heard.listeners.delete(listener) || heard.listeners.size > 0) return;
      this.#topics.delete(topic);
      onLast();
    };
  }

  /** Passes a ref on to the topic's listeners; whether it was new and anybody listened. */
  deliver(topic: Topic, ref: Ref): boolean {
    const heard = this.#topics.get(topic);
    if (heard === undefined || !heard.seen.add(topic, ref)) return false;
    for (const listener of [...heard.listeners]) this.#call(listener.call, ref);
    return true;
  }

  clear(): void {
    this.#topics.clear();
  }

  #call(call: RefListener, ref: Ref): void {
    try {
      call(ref);
    } catch (error) {
      this.#report(error);
    }
  }
}

/** A channel's state and who wants to know of its changes. `closed` is the last one. */
export class StateCell {
  #state: ChannelState;
  readonly #listeners = new Set<{ readonly call: (state: ChannelState) => void }>();

  constructor(state: ChannelState) {
    this.#state = state;
  }

  get(): ChannelState {
    return this.#state;
  }

  set(state: ChannelState): void {
    if (state === this.#state || this.#state === "closed") return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener.call(state);
  }

  listen(call: (state: ChannelState) => void): () => void {
    const listener = { call };
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
