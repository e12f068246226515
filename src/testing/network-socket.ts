// The two ends of WebSockets without a network, stepped by hand: a relay that answers as section 8 has it, and that can be
// told to stall, to refuse, to drop, repeat, reorder or invent refs, or to go away. Nothing happens unless asked to.

import { decodeClientFrame, encodeError, encodeRef } from "../channel/frames.ts";
import { Retained } from "../channel/retained-refs.ts";
import type { Topic } from "../channel/channel.ts";
import type { SocketLike } from "../channel/channel.websocket.ts";
import { parseRef, type Address, type Ref } from "../core/values.ts";

type Event = { readonly data: unknown; readonly code?: number };
type EventName = "open" | "close" | "error" | "message";

/** The client's end of a connection, in the form of a WebSocket. */
export class FakeSocket implements SocketLike {
  readyState = 0;
  /** Texts the client sent, the oldest first. */
  readonly sent: string[] = [];
  readonly topics = new Set<Topic>();
  /** Messages that reached the client. */
  received = 0;
  readonly #listeners: { readonly name: EventName; readonly call: (event: Event) => void }[] = [];
  readonly #relay: FaultyRelay;

  constructor(relay: FaultyRelay) {
    this.#relay = relay;
  }

  addEventListener(name: EventName, call: (event: Event) => void): void {
    this.#listeners.push({ name, call });
  }

  send(text: string): void {
    if (this.readyState !== 1) throw new Error("the socket is not open");
    this.sent.push(text);
    this.#relay.receive(this, text);
  }

  close(): void {
    this.readyState = 3;
  }

  /** The relay's side: completes the upgrade, delivers a message, ends the connection. */
  accept(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.#emit("open", undefined);
  }

  deliver(data: unknown): void {
    if (this.readyState !== 1) return;
    this.received++;
    this.#emit("message", data);
  }

  end(code?: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#emit("close", undefined, code);
  }

  #emit(name: EventName, data: unknown, code?: number): void {
    const event = { data, ...(code !== undefined && { code }) };
    for (const listener of [...this.#listeners]) if (listener.name === name) listener.call(event);
  }
}

export interface RelayFaults {
  /** Takes frames and says nothing, as a half-open connection does. */
  stalled: boolean;
  /** Connections are not completed. */
  unreachable: boolean;
  /** Chance of a ref's being lost, sent twice, or followed by an invented one, on its way to each subscriber. */
  drop: number;
  repeat: number;
  invent: number;
  /** Holds refs back until `release`, which sends them in random order. */
  hold: boolean;
}

export class FaultyRelay {
  readonly faults: RelayFaults = {
    stalled: false,
    unreachable: false,
    drop: 0,
    repeat: 0,
    invent: 0,
    hold: false,
  };
  /** All connections ever asked for, the last at the end. */
  readonly sockets: FakeSocket[] = [];
  readonly counts = { dropped: 0, repeated: 0, invented: 0, delivered: 0 };
  readonly #retained = new Retained(1024);
  #held: { readonly socket: FakeSocket; readonly text: string }[] = [];
  readonly #random: () => number;

  /** @param random uniform in [0, 1), seeded */
  constructor(random: () => number = () => 0.5) {
    this.#random = random;
  }

  /** A constructor to hand to a channel. Connections wait for `acceptAll`. */
  get WebSocket(): new (url: string) => SocketLike {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the class is made for this relay
    const relay = this;
    return class extends FakeSocket {
      constructor() {
        super(relay);
        relay.sockets.push(this);
      }
    };
  }

  get last(): FakeSocket | undefined {
    return this.sockets.at(-1);
  }

  acceptAll(): void {
    if (!this.faults.unreachable) for (const socket of this.sockets) socket.accept();
  }

  /** Every connection ends, as when the relay's process dies. */
  kill(): void {
    for (const socket of this.sockets) socket.end();
  }

  receive(from: FakeSocket, text: string): void {
    if (this.faults.stalled) return;
    const frame = decodeClientFrame(text);
    if (frame.op === "bad") return from.deliver(encodeError(frame.code, frame.at));
    if (frame.op === "pub") return this.announce(frame.topic, frame.ref);
    for (const topic of frame.topics) {
      if (frame.op === "unsub") from.topics.delete(topic);
      else {
        from.topics.add(topic);
        for (const ref of this.#retained.of(topic)) this.#pass(from, topic, ref);
      }
    }
  }

  announce(topic: Topic, ref: Ref): void {
    this.#retained.add(topic, ref);
    for (const socket of this.sockets)
      if (socket.readyState === 1 && socket.topics.has(topic)) this.#pass(socket, topic, ref);
  }

  /** Sends what was held back, in random order. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    while (held.length > 0) {
      const [one] = held.splice(Math.floor(this.#random() * held.length), 1);
      one?.socket.deliver(one.text);
    }
  }

  #pass(socket: FakeSocket, topic: Topic, ref: Ref): void {
    if (this.#happens(this.faults.drop)) return void this.counts.dropped++;
    this.#send(socket, encodeRef(topic, ref));
    if (this.#happens(this.faults.repeat)) {
      this.counts.repeated++;
      this.#send(socket, encodeRef(topic, ref));
    }
    if (this.#happens(this.faults.invent)) {
      this.counts.invented++;
      // Every other one is of a log that somebody follows.
      const log = this.#random() < 0.5 ? parseRef(ref)?.wallet : undefined;
      this.#send(socket, encodeRef(topic, inventRef(this.#random, log)));
    }
  }

  #send(socket: FakeSocket, text: string): void {
    if (this.faults.hold) return void this.#held.push({ socket, text });
    this.counts.delivered++;
    socket.deliver(text);
  }

  #happens(chance: number): boolean {
    return chance > 0 && this.#random() < chance;
  }
}

/** A well-formed ref to nothing, in that wallet's log or nobody's. */
export function inventRef(random: () => number, wallet?: Address): Ref {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join("");
  return `${wallet ?? `0x${digits(40)}`}:${Math.floor(random() * 1000)}:0x${digits(64)}`;
}
