// The last refs of the topics in use: what a late subscriber is told first. Bounded both ways: so many refs a
// topic, so many topics, the longest unused going first.

import type { Ref } from "../core/values.ts";
import type { Topic } from "./channel.ts";
import { RETAINED_REFS } from "./frames.ts";

export class Retained {
  readonly #refs = new Map<Topic, Set<Ref>>();
  readonly #topics: number;
  readonly #perTopic: number;

  constructor(topics: number, perTopic: number = RETAINED_REFS) {
    this.#topics = topics;
    this.#perTopic = perTopic;
  }

  get size(): number {
    return this.#refs.size;
  }

  /** Keeps a ref as the newest of its topic; whether it was not kept already. */
  add(topic: Topic, ref: Ref): boolean {
    const refs = this.#touch(topic) ?? this.#open(topic);
    const fresh = !refs.delete(ref);
    refs.add(ref);
    if (refs.size > this.#perTopic) dropOldest(refs);
    return fresh;
  }

  /** The refs of a topic, the oldest first. Asking counts as use. */
  of(topic: Topic): readonly Ref[] {
    return [...(this.#touch(topic) ?? [])];
  }

  delete(topic: Topic): void {
    this.#refs.delete(topic);
  }

  #touch(topic: Topic): Set<Ref> | undefined {
    const refs = this.#refs.get(topic);
    if (refs === undefined) return undefined;
    this.#refs.delete(topic); // a Map keeps the order of insertion: the newest use stands last
    this.#refs.set(topic, refs);
    return refs;
  }

  #open(topic: Topic): Set<Ref> {
    if (this.#refs.size >= this.#topics) dropOldest(this.#refs);
    const refs = new Set<Ref>();
    this.#refs.set(topic, refs);
    return refs;
  }
}

function dropOldest<K>(collection: { keys(): Iterator<K>; delete(key: K): unknown }): void {
  const oldest = collection.keys().next();
  if (oldest.done !== true) collection.delete(oldest.value);
}
