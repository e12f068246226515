// A channel over a relay (protocol section 8). It reconnects for ever, subscribes anew each time, and is `live` only while the
// relay is known to answer. A page cannot send WebSocket pings, nor see them, and section 8 has no op for it: the
// probe is therefore an op that no relay knows, `{"op":"ping"}`, which is answered by an `error` frame. Any frame at all is a
// sign of life; that error also tells that what was sent before the probe has arrived.

import { isRef, type Ref } from "../core/values.ts";
import { backoffDelay } from "../platform/backoff.ts";
import type { Channel, ChannelState, Topic } from "./channel.ts";
import type { Clock } from "../platform/clock.ts";
import { decodeServerFrame, encodeTopics, isTopic, MAX_TOPICS } from "./frames.ts";
import { Listeners, StateCell, type RefListener, type ReportError } from "./listeners.ts";
import { Outbox } from "./outbox.ts";

/** The part of a WebSocket that is used: a browser's, or that of `ws`. */
export interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "close", listener: (event: { readonly code?: number }) => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

/** Close code of a frame that is too long (RFC 6455, section 7.4.1). */
const TOO_LONG = 1009;

export interface RelayTiming {
  /** Greatest delay before the first attempt to connect again, in ms. */
  readonly baseMs: number;
  /** Greatest delay of any attempt, in ms. */
  readonly capMs: number;
  /** A connection that was live this long starts the count anew, in ms: a success alone does not. */
  readonly stableMs: number;
  /** Silence after which the relay is asked for a sign of life, in ms. */
  readonly heartbeatMs: number;
  /** How long the answer may take, and the first sign of life of a new connection, in ms. */
  readonly answerMs: number;
}

export const RELAY_TIMING: RelayTiming = {
  baseMs: 1_000,
  capMs: 30_000,
  stableMs: 30_000,
  heartbeatMs: 15_000,
  answerMs: 10_000,
};

export interface RelayChannelOptions {
  /** ws: or wss: address of the relay. */
  readonly url: string;
  readonly WebSocket: new (url: string) => SocketLike;
  readonly clock: Clock;
  /** Uniform in [0, 1); for the jitter alone. */
  readonly random: () => number;
  readonly timing?: Partial<RelayTiming>;
  readonly report?: ReportError;
}

const PROBE = '{"op":"ping"}';
const OPEN = 1;
const OUTBOX_LIMIT = 256;

export class RelayChannel implements Channel {
  readonly #listeners: Listeners;
  readonly #state = new StateCell("connecting");
  readonly #outbox = new Outbox(OUTBOX_LIMIT);
  #failures = 0;
  readonly #timing: RelayTiming;
  readonly #options: RelayChannelOptions;
  /** Topics subscribed on this connection. */
  readonly #subscribed = new Set<Topic>();
  #socket: SocketLike | undefined;
  #cancel: () => void = () => undefined; // the one timer: of the wait, of the silence or of the answer
  #heard = 0; // frames
  #heardAt = 0;
  #liveSince: number | undefined;

  constructor(options: RelayChannelOptions) {
    this.#options = options;
    this.#timing = { ...RELAY_TIMING, ...options.timing };
    this.#listeners = new Listeners(options.report);
    this.#connect();
  }

  /** Topics beyond the relay's limit of 1,024 wait until others are given up. */
  subscribe(topic: Topic, listener: RefListener): () => void {
    return this.#listeners.add(
      topic,
      listener,
      () => this.#subscribeMissing([topic]),
      () => this.#unsubscribe(topic),
    );
  }

  publish(topic: Topic, ref: Ref): void {
    if (this.getState() === "closed" || !isTopic(topic) || !isRef(ref)) return;
    const frame = this.#outbox.add(topic, ref);
    this.#send(frame);
  }

  getState(): ChannelState {
    return this.#state.get();
  }

  onState(listener: (state: ChannelState) => void): () => void {
    return this.#state.listen(listener);
  }

  /**
   * The page became visible or the network came back: asks for a sign of life now, or ends the wait for the next
   * attempt (within a second, at random, since others are woken by the same event).
   */
  wake(): void {
    if (this.getState() === "closed") return;
    if (this.#socket?.readyState === OPEN) this.#probe();
    else if (this.getState() === "offline")
      this.#after(1_000 * this.#options.random(), () => this.#connect());
  }

  close(): void {
    if (this.getState() === "closed") return;
    this.#release();
    this.#listeners.clear();
    this.#state.set("closed");
  }

  #connect(): void {
    this.#state.set("connecting");
    const socket = this.#open();
    if (socket === undefined) return this.#fail();
    this.#socket = socket;
    const mine = (work: () => void) => (): void => {
      if (this.#socket === socket) work(); // events of a socket given up say nothing of its successor
    };
    socket.addEventListener(
      "open",
      mine(() => this.#opened()),
    );
    socket.addEventListener("close", (event) => mine(() => this.#closed(event.code))());
    socket.addEventListener(
      "error",
      mine(() => this.#fail()),
    );
    socket.addEventListener("message", (event) => mine(() => this.#receive(event.data))());
    this.#after(this.#timing.answerMs, () => this.#fail());
  }

  /** A constructor may refuse, as a browser's does for ws: from a page of https:. */
  #open(): SocketLike | undefined {
    try {
      return new this.#options.WebSocket(this.#options.url);
    } catch {
      return undefined;
    }
  }

  #opened(): void {
    this.#subscribeMissing(this.#listeners.topics);
    for (const frame of this.#outbox.all()) this.#send(frame);
    this.#probe();
  }

  #receive(data: unknown): void {
    const now = this.#options.clock.now();
    this.#heardAt = now;
    this.#heard++;
    if (this.getState() !== "live") {
      this.#liveSince ??= now;
      this.#state.set("live");
      this.#watch();
    }
    const frame = decodeServerFrame(data);
    if (frame.op === "ref") this.#listeners.deliver(frame.topic, frame.ref);
    else if (frame.op === "error" && frame.code === "unknown-op") this.#outbox.answered();
  }

  /** Waits for the silence to last a heartbeat, then probes. */
  #watch(): void {
    const { heartbeatMs, answerMs } = this.#timing;
    this.#after(this.#heardAt + heartbeatMs - this.#options.clock.now(), () => {
      const silence = this.#options.clock.now() - this.#heardAt;
      if (silence < heartbeatMs) return this.#watch();
      // A timer this late was asleep, and the connection has been unproven for longer than `live` may claim.
      if (silence >= heartbeatMs + answerMs) this.#state.set("connecting");
      this.#probe();
    });
  }

  #probe(): void {
    if (this.#socket === undefined) return;
    const heard = this.#heard;
    this.#outbox.probed();
    this.#send(PROBE);
    if (this.#socket !== undefined)
      this.#after(this.#timing.answerMs, () => (this.#heard > heard ? this.#watch() : this.#fail()));
  }

  #subscribeMissing(topics: readonly Topic[]): void {
    if (this.#socket?.readyState !== OPEN) return; // all of them are subscribed once it opens
    const missing = topics.filter((topic) => !this.#subscribed.has(topic));
    const fitting = missing.slice(0, MAX_TOPICS - this.#subscribed.size);
    for (const topic of fitting) this.#subscribed.add(topic);
    for (const frame of encodeTopics("sub", fitting)) this.#send(frame);
  }

  #unsubscribe(topic: Topic): void {
    if (!this.#subscribed.delete(topic)) return;
    for (const frame of encodeTopics("unsub", [topic])) this.#send(frame);
    if (this.#subscribed.size === MAX_TOPICS - 1) this.#subscribeMissing(this.#listeners.topics);
  }

  /** Sends if the connection is open; what is lost here is subscribed again, or still in the outbox. */
  #send(frame: string): void {
    if (this.#socket?.readyState !== OPEN) return;
    try {
      this.#socket.send(frame);
    } catch {
      this.#fail();
    }
  }

  /** A relay that finds a frame too long would be sent it again at each connection: the longest is set aside. */
  #closed(code: number | undefined): void {
    if (code === TOO_LONG) this.#outbox.dropLongest();
    this.#fail();
  }

  #fail(): void {
    const lived = this.#liveSince === undefined ? 0 : this.#heardAt - this.#liveSince;
    this.#release();
    this.#state.set("offline");
    const { baseMs, capMs, stableMs } = this.#timing;
    if (lived >= stableMs) this.#failures = 0;
    const wait = backoffDelay(this.#failures++, baseMs, capMs, this.#options.random());
    this.#after(wait, () => this.#connect());
  }

  #release(): void {
    const socket = this.#socket;
    this.#cancel();
    this.#socket = undefined;
    this.#liveSince = undefined;
    this.#subscribed.clear();
    this.#outbox.lost();
    try {
      socket?.close();
    } catch {
      // gone already
    }
  }

  #after(ms: number, work: () => void): void {
    this.#cancel();
    this.#cancel = this.#options.clock.after(Math.max(0, ms), work);
  }
}
