// A broker in memory: channels of one process without any network, for tests and examples. Like a relay it keeps
// the last refs of a topic for late subscribers. Refs arrive in a later microtask, never within publish or subscribe.

import { isRef, type Ref } from "../core/values.ts";
import type { Channel, ChannelState, Topic } from "./channel.ts";
import { isTopic } from "./frames.ts";
import { Listeners, StateCell, type RefListener, type ReportError } from "./listeners.ts";
import { Retained } from "./retained-refs.ts";

const RETAINED_TOPICS = 1024;

export class MemoryBroker {
  readonly #channels = new Set<MemoryChannel>();
  readonly #retained = new Retained(RETAINED_TOPICS);

  readonly #report: ReportError | undefined;

  constructor(report?: ReportError) {
    this.#report = report;
  }

  connect(): Channel {
    const channel = new MemoryChannel(
      new Listeners(this.#report),
      (topic, ref) => {
        this.#retained.add(topic, ref);
        for (const other of this.#channels) other.receive(topic, ref);
      },
      (topic) => this.#retained.of(topic),
      () => this.#channels.delete(channel),
    );
    this.#channels.add(channel);
    return channel;
  }
}

class MemoryChannel implements Channel {
  readonly #listeners: Listeners;
  readonly #state = new StateCell("live");
  readonly #announce: (topic: Topic, ref: Ref) => void;
  readonly #retained: (topic: Topic) => readonly Ref[];
  readonly #leave: () => void;

  constructor(
    listeners: Listeners,
    announce: (topic: Topic, ref: Ref) => void,
    retained: (topic: Topic) => readonly Ref[],
    leave: () => void,
  ) {
    this.#listeners = listeners;
    this.#announce = announce;
    this.#retained = retained;
    this.#leave = leave;
  }

  subscribe(topic: Topic, listener: RefListener): () => void {
    const replay = (): void => {
      for (const ref of this.#retained(topic)) this.receive(topic, ref);
    };
    return this.#listeners.add(topic, listener, replay, () => undefined);
  }

  publish(topic: Topic, ref: Ref): void {
    if (this.getState() !== "closed" && isTopic(topic) && isRef(ref)) this.#announce(topic, ref);
  }

  receive(topic: Topic, ref: Ref): void {
    queueMicrotask(() => {
      if (this.getState() !== "closed") this.#listeners.deliver(topic, ref);
    });
  }

  getState(): ChannelState {
    return this.#state.get();
  }

  onState(listener: (state: ChannelState) => void): () => void {
    return this.#state.listen(listener);
  }

  close(): void {
    this.#leave();
    this.#listeners.clear();
    this.#state.set("closed");
  }
}
