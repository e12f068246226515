// One client of the relay: what it says, within its limits, and what is written to it. A bad frame is answered and forgotten.

import type { Duplex } from "node:stream";
import { WebSocket, type RawData } from "ws";
import type { Topic } from "../channel/channel.ts";
import { decodeClientFrame, encodeError, encodeRef } from "../channel/frames.ts";
import type { Ref } from "../core/values.ts";
import type { KeptRefs, Publisher } from "./kept-refs.ts";
import type { RelayClient } from "./relay.ts";
import type { Buckets, Shares } from "./request-limits.ts";
import { TokenBucket, type RelayLimits } from "./relay-limits.ts";
import { textFrame, type Subscriber, type Topics } from "./relay-topics.ts";

/** What the connections of a relay share. */
export interface Hall {
  readonly limits: RelayLimits;
  readonly topics: Topics;
  readonly kept: KeptRefs;
  /** Topics followed, in all and by address. */
  readonly subscriptions: Shares;
  readonly frameRates: Buckets;
  readonly refRates: Buckets;
  readonly counts: { badFrames: number; rateLimited: number; slowReaders: number; silent: number };
  now(): number;
  publish(topic: Topic, ref: Ref, by: Publisher): void;
}

/** Kept refs that wait in the socket at most, in bytes, before more of them are looked up. */
const REPLAY_BYTES = 16 * 1024;

/** Kept refs still to be sent: those of a topic after one publication and not after another. */
interface Replay {
  readonly topic: Topic;
  readonly after: number;
  readonly until: number;
}

const PING = Buffer.from([0x89, 0x00]); // RFC 6455 section 5.5.2, without payload

export class Connection implements Subscriber {
  readonly #relay: Hall;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #bucket: TokenBucket;
  readonly #client: RelayClient;
  readonly #publisher: Publisher;
  /** What was left, at which publication: up to there its refs were sent, and are not sent again. */
  readonly #left = new Map<Topic, number>();
  /** Up to this publication nothing is sent again of topics that are no longer in `#left`. */
  #sentUntil = 0;
  #replays: Replay[] = [];
  #topics: Set<Topic> | undefined;
  #alive = true;
  #dropped = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(relay: Hall, webSocket: WebSocket, socket: Duplex, client: RelayClient, number: number) {
    this.#client = client;
    this.#publisher = { address: client.address, connection: number };
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
    const now = this.#relay.now();
    if (!this.#bucket.take(this.#relay.limits, now)) return this.#overRate();
    const { address, limited } = this.#client;
    if (limited && this.#relay.frameRates.take(address, now) > 0) return this.#overRate();
    const frame = decodeClientFrame(data instanceof Buffer ? data : "", binary);
    switch (frame.op) {
      case "pub":
        if (limited && this.#relay.refRates.take(address, now) > 0) return this.#overRate();
        return this.#relay.publish(frame.topic, frame.ref, this.#publisher);
      case "sub":
        return this.#subscribe(frame.topics);
      case "unsub":
        return this.#unsubscribe(frame.topics);
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
    this.#relay.subscriptions.release(this.#client.address, this.#topics?.size ?? 0);
    this.#topics = undefined;
    this.#replays = [];
  }

  /** All topics of a frame or none. One that is followed already, or was, brings nothing that was sent before. */
  #subscribe(topics: readonly Topic[]): void {
    const { limits, subscriptions, kept } = this.#relay;
    const mine = (this.#topics ??= new Set());
    const fresh = [...new Set(topics)].filter((topic) => !mine.has(topic));
    const { address, limited } = this.#client;
    if (
      mine.size + fresh.length > limits.topicsPerConnection ||
      subscriptions.take(address, fresh.length, limited) !== "taken"
    )
      return this.write(textFrame(encodeError("too-many-topics")));
    for (const topic of fresh) {
      mine.add(topic);
      this.#relay.topics.add(topic, this);
      const after = this.#left.get(topic) ?? this.#sentUntil;
      this.#left.delete(topic);
      this.#replays.push({ topic, after, until: kept.order });
    }
    this.#replay();
  }

  #unsubscribe(topics: readonly Topic[]): void {
    for (const topic of topics) {
      if (this.#topics?.delete(topic) !== true) continue;
      this.#relay.topics.remove(topic, this);
      this.#relay.subscriptions.release(this.#client.address, 1);
      this.#left.set(topic, this.#relay.kept.order);
      if (this.#left.size <= this.#relay.limits.topicsPerConnection) continue;
      const [[oldest, order]] = this.#left as unknown as [[Topic, number]];
      this.#left.delete(oldest);
      this.#sentUntil = Math.max(this.#sentUntil, order);
    }
  }

  /** Sends the kept refs of topics just followed, as fast as the client reads them. */
  #replay(): void {
    while (this.#replays.length > 0 && this.#socket.writableLength < REPLAY_BYTES) {
      const { topic, after, until } = this.#replays.shift()!;
      if (this.#topics?.has(topic) !== true) continue;
      const refs = this.#relay.kept.between(topic, after, until);
      if (refs.length > 0) this.write(Buffer.concat(refs.map((ref) => textFrame(encodeRef(topic, ref)))));
    }
    if (this.#replays.length > 0) this.#socket.once("drain", () => this.#replay());
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
