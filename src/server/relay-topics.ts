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

interface Room {
  readonly subscribers: Set<Subscriber>;
  waiting: Buffer[];
  bytes: number;
}

/** Frames of one topic that are held back at most, in bytes; beyond them they are written at once. */
const MAX_BATCH = 64 * 1024;

export class Topics {
  readonly #rooms = new Map<Topic, Room>();
  readonly #dirty = new Set<Room>();
  #scheduled = false;
  readonly #later: (work: () => void) => void;

  /** @param later calls its argument once, after the frames at hand have been read (setImmediate) */
  constructor(later: (work: () => void) => void) {
    this.#later = later;
  }

  /** Topics with at least one subscriber. */
  get size(): number {
    return this.#rooms.size;
  }

  add(topic: Topic, subscriber: Subscriber): void {
    const room = this.#rooms.get(topic);
    if (room === undefined)
      this.#rooms.set(topic, { subscribers: new Set([subscriber]), waiting: [], bytes: 0 });
    else {
      this.#flush(room); // what was published before is not for the new one: it is told what is retained
      room.subscribers.add(subscriber);
    }
  }

  remove(topic: Topic, subscriber: Subscriber): void {
    const room = this.#rooms.get(topic);
    if (room?.subscribers.delete(subscriber) === true && room.subscribers.size === 0)
      this.#rooms.delete(topic);
  }

  publish(topic: Topic, ref: Ref): void {
    const room = this.#rooms.get(topic);
    if (room === undefined) return;
    const frame = textFrame(encodeRef(topic, ref));
    room.waiting.push(frame);
    room.bytes += frame.length;
    if (room.bytes >= MAX_BATCH) return this.#flush(room);
    this.#dirty.add(room);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#later(() => {
      this.#scheduled = false;
      for (const dirty of this.#dirty) this.#flush(dirty);
    });
  }

  #flush(room: Room): void {
    this.#dirty.delete(room);
    if (room.waiting.length === 0) return;
    const [first] = room.waiting;
    const frames = room.waiting.length === 1 && first !== undefined ? first : Buffer.concat(room.waiting);
    room.waiting = [];
    room.bytes = 0;
    for (const subscriber of room.subscribers) subscriber.write(frames);
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
