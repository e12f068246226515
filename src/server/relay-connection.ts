// One client of the relay: what it says, within its limits, and what is written to it. A bad frame is answered and forgotten.

import type { Duplex } from "node:stream";
import { WebSocket, type RawData } from "ws";
import type { Topic } from "../channel/channel.ts";
import { decodeClientFrame, encodeError, encodeRef } from "../channel/frames.ts";
import type { Ref } from "../core/values.ts";
import { TokenBucket, type RelayLimits } from "./relay-limits.ts";
import { textFrame, type Subscriber, type Topics } from "./relay-topics.ts";

/** What the connections of a relay share. */
export interface Hall {
  readonly limits: RelayLimits;
  readonly topics: Topics;
  readonly counts: { badFrames: number; rateLimited: number; slowReaders: number; silent: number };
  now(): number;
  publish(topic: Topic, ref: Ref): void;
  retained(topic: Topic): readonly Ref[];
}

const PING = Buffer.from([0x89, 0x00]); // RFC 6455 section 5.5.2, without payload

export class Connection implements Subscriber {
  readonly #relay: Hall;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #bucket: TokenBucket;
  #topics: Set<Topic> | undefined;
  #alive = true;
  #dropped = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(relay: Hall, webSocket: WebSocket, socket: Duplex) {
    this.#relay = relay;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#bucket = new TokenBucket(relay.limits, relay.now());
  }

  /** Whole frames only, past the Sender of `ws`: without compression it queues nothing, so the order is kept. */
  write(frames: Buffer): void {
    if (this.#webSocket.readyState !== WebSocket.OPEN) return;
    this.#socket.write(frames);
    if (this.#socket.writableLength <= this.#relay.limits.bufferedBytes) return;
    this.#relay.counts.slowReaders++;
    this.#webSocket.terminate();
  }

  heard(): void {
    this.#alive = true;
  }

  ping(): void {
    if (!this.#alive) {
      this.#relay.counts.silent++;
      return this.#webSocket.terminate();
    }
    this.#alive = false;
    this.write(PING);
  }

  receive(data: RawData, binary: boolean): void {
    this.#alive = true;
    if (!this.#bucket.take(this.#relay.limits, this.#relay.now())) return this.#overRate();
    const frame = decodeClientFrame(data instanceof Buffer ? data : "", binary);
    switch (frame.op) {
      case "pub":
        return this.#relay.publish(frame.topic, frame.ref);
      case "sub":
        return this.#subscribe(frame.topics);
      case "unsub":
        for (const topic of frame.topics)
          if (this.#topics?.delete(topic) === true) this.#relay.topics.remove(topic, this);
        return;
      case "bad":
        this.#relay.counts.badFrames++;
        this.write(textFrame(encodeError(frame.code, frame.at)));
        // RFC 6455 section 8.1: text that is not UTF-8 fails the connection.
        if (frame.code === "not-utf8") this.end(1007, "not UTF-8");
    }
  }

  end(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  cut(): void {
    this.#webSocket.terminate();
  }

  leave(): void {
    for (const topic of this.#topics ?? []) this.#relay.topics.remove(topic, this);
    this.#topics = undefined;
  }

  /** All topics of a frame or none; one subscribed to already is told its retained refs again. */
  #subscribe(topics: readonly Topic[]): void {
    const mine = (this.#topics ??= new Set());
    const unique = new Set(topics);
    let fresh = 0;
    for (const topic of unique) if (!mine.has(topic)) fresh++;
    if (mine.size + fresh > this.#relay.limits.topicsPerConnection)
      return this.write(textFrame(encodeError("too-many-topics")));
    for (const topic of unique) {
      mine.add(topic);
      this.#relay.topics.add(topic, this);
      const refs = this.#relay.retained(topic);
      if (refs.length > 0) this.write(Buffer.concat(refs.map((ref) => textFrame(encodeRef(topic, ref)))));
    }
  }

  /** The frame is dropped, which is said once a second; who goes on and on is cut off. */
  #overRate(): void {
    const { limits, counts } = this.#relay;
    counts.rateLimited++;
    if (++this.#dropped > limits.droppedFrames) return this.end(1008, "too many frames");
    const now = this.#relay.now();
    if (now - this.#toldAt < 1_000) return;
    this.#toldAt = now;
    this.write(textFrame(encodeError("rate-limited")));
  }
}
