// A channel that is opened when somebody first listens or announces: until then nobody is connected to, and no relay
// learns that this page is there. Asking for its state opens nothing; it is `offline` before.

import type { Ref } from "../core/values.ts";
import type { Channel, ChannelState, Topic } from "./channel.ts";
import { StateCell, type RefListener } from "./listeners.ts";

export class LazyChannel implements Channel {
  readonly #open: () => Channel;
  readonly #state = new StateCell("offline");
  #inner: Channel | undefined;

  constructor(open: () => Channel) {
    this.#open = open;
  }

  subscribe(topic: Topic, listener: RefListener): () => void {
    return this.#opened()?.subscribe(topic, listener) ?? (() => undefined);
  }

  publish(topic: Topic, ref: Ref): void {
    this.#opened()?.publish(topic, ref);
  }

  getState(): ChannelState {
    return this.#state.get();
  }

  onState(listener: (state: ChannelState) => void): () => void {
    return this.#state.listen(listener);
  }

  close(): void {
    this.#inner?.close();
    this.#state.set("closed");
  }

  /** Undefined once it is closed without ever having been opened. */
  #opened(): Channel | undefined {
    if (this.#inner !== undefined) return this.#inner;
    if (this.#state.get() === "closed") return undefined;
    const inner = (this.#inner = this.#open());
    this.#state.set(inner.getState());
    inner.onState((state) => this.#state.set(state));
    return inner;
  }
}
