// The relay's fan-out. A ref becomes one WebSocket frame (RFC 6455 section 5.2), made once; the frames of a topic
// that arrive within one turn of the event loop are joined, and every subscriber gets them by one write. Under load the turns
// grow longer and the writes fewer, so that the cost of a subscriber is a write a turn, not a write a ref.

import { encodeRef } from "../channel/frames.ts";
import type { Topic } from "../channel/channel.ts";
import type { Ref } from "../core/values.ts";

/** Who gets the bytes of whole frames. */
export interface Subscriber {
  write(frames: Buffer): void;
}

interface TopicSubscribers {
  readonly subscribers: Set<Subscriber>;
  waiting: Buffer[];
  bytes: number;
}

/** Frames of one topic that are held back at most, in bytes; beyond them they are written at once. */
const MAX_BATCH = 64 * 1024;

export class Topics {
  readonly #byTopic = new Map<Topic, TopicSubscribers>();
  readonly #dirty = new Set<TopicSubscribers>();
  #scheduled = false;
  readonly #later: (work: () => void) => void;
  readonly #onInterest: (topic: Topic, wanted: boolean) => void;

  /**
   * @param later calls its argument once, after the frames at hand have been read (setImmediate)
   * @param onInterest hears of a topic's first subscriber, and that the last has left
   */
  constructor(
    later: (work: () => void) => void,
    onInterest: (topic: Topic, wanted: boolean) => void = () => undefined,
  ) {
    this.#later = later;
    this.#onInterest = onInterest;
  }

  /** Topics with at least one subscriber. */
  get size(): number {
    return this.#byTopic.size;
  }

  add(topic: Topic, subscriber: Subscriber): void {
    const group = this.#byTopic.get(topic);
    if (group === undefined) {
      this.#byTopic.set(topic, { subscribers: new Set([subscriber]), waiting: [], bytes: 0 });
      this.#onInterest(topic, true);
    } else {
      this.#flush(group); // frames waiting are older than this subscription; it gets what is retained
      group.subscribers.add(subscriber);
    }
  }

  remove(topic: Topic, subscriber: Subscriber): void {
    const group = this.#byTopic.get(topic);
    if (group?.subscribers.has(subscriber) !== true) return;
    this.#flush(group); // what was published before still goes to the one that leaves
    group.subscribers.delete(subscriber);
    if (group.subscribers.size > 0) return;
    this.#byTopic.delete(topic);
    this.#onInterest(topic, false);
  }

  publish(topic: Topic, ref: Ref): void {
    const group = this.#byTopic.get(topic);
    if (group === undefined) return;
    const frame = textFrame(encodeRef(topic, ref));
    group.waiting.push(frame);
    group.bytes += frame.length;
    if (group.bytes >= MAX_BATCH) return this.#flush(group);
    this.#dirty.add(group);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#later(() => {
      this.#scheduled = false;
      for (const dirty of this.#dirty) this.#flush(dirty);
    });
  }

  #flush(group: TopicSubscribers): void {
    this.#dirty.delete(group);
    if (group.waiting.length === 0) return;
    const [first] = group.waiting;
    const frames = group.waiting.length === 1 && first !== undefined ? first : Buffer.concat(group.waiting);
    group.waiting = [];
    group.bytes = 0;
    for (const subscriber of group.subscribers) subscriber.write(frames);
  }
}

/** A final, unmasked text frame of at most 65,535 bytes of ASCII. */
export function textFrame(text: string): Buffer {
  const head = text.length < 126 ? 2 : 4;
  const frame = Buffer.allocUnsafe(head + text.length);
  frame[0] = 0x81;
  if (head === 2) frame[1] = text.length;
  else {
    frame[1] = 126;
    frame.writeUInt16BE(text.length, 2);
  }
  frame.write(text, head, "latin1");
  return frame;
}
