// A channel between the tabs of one browser, over BroadcastChannel. There is no relay: each tab keeps the last refs
// of the topics that it publishes to or listens to, and answers another tab's `sub` with them. Frames are those of the wire; what
// another tab posts is checked like anything else. `live` means that the browser's bus is open; there may be no other tab.

import { isRef, type Ref } from "../core/values.ts";
import type { Channel, ChannelState, Topic } from "./channel.ts";
import { decodeClientFrame, encodePub, encodeTopics, isTopic } from "./frames.ts";
import { Listeners, StateCell, type RefListener, type ReportError } from "./listeners.ts";
import { Retained } from "./retained-refs.ts";

/** The part of the DOM's BroadcastChannel that is used. */
export interface BroadcastLike {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

const NAME = "coop-channel-1";
const RETAINED_TOPICS = 256;

export class TabChannel implements Channel {
  readonly #listeners: Listeners;
  readonly #state = new StateCell("live");
  readonly #retained = new Retained(RETAINED_TOPICS);
  readonly #bus: BroadcastLike;

  constructor(Bus: new (name: string) => BroadcastLike, report?: ReportError) {
    this.#listeners = new Listeners(report);
    this.#bus = new Bus(NAME);
    this.#bus.addEventListener("message", ({ data }) => this.#receive(data));
  }

  subscribe(topic: Topic, listener: RefListener): () => void {
    const ask = (): void => {
      for (const frame of encodeTopics("sub", [topic])) this.#post(frame);
      const kept = this.#retained.of(topic);
      queueMicrotask(() => kept.forEach((ref) => this.#deliver(topic, ref)));
    };
    return this.#listeners.add(topic, listener, ask, () => undefined);
  }

  publish(topic: Topic, ref: Ref): void {
    if (this.getState() === "closed" || !isTopic(topic) || !isRef(ref)) return;
    this.#retained.add(topic, ref);
    this.#post(encodePub(topic, ref));
    queueMicrotask(() => this.#deliver(topic, ref)); // the bus doesn't tell the sender
  }

  getState(): ChannelState {
    return this.#state.get();
  }

  onState(listener: (state: ChannelState) => void): () => void {
    return this.#state.listen(listener);
  }

  close(): void {
    if (this.getState() === "closed") return;
    this.#bus.close();
    this.#listeners.clear();
    this.#state.set("closed");
  }

  #receive(data: unknown): void {
    if (this.getState() === "closed" || typeof data !== "string") return;
    const frame = decodeClientFrame(data);
    if (frame.op === "pub") {
      this.#retained.add(frame.topic, frame.ref);
      this.#deliver(frame.topic, frame.ref);
    } else if (frame.op === "sub")
      for (const topic of frame.topics)
        for (const ref of this.#retained.of(topic)) this.#post(encodePub(topic, ref));
  }

  #deliver(topic: Topic, ref: Ref): void {
    if (this.getState() !== "closed") this.#listeners.deliver(topic, ref);
  }

  /** An announcement may be lost; a bus that fails is no reason to stop anything. */
  #post(frame: string): void {
    try {
      this.#bus.postMessage(frame);
    } catch {
      this.#state.set("offline");
    }
  }
}
