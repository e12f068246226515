// The last refs of the topics in use, which a new subscriber gets. Bounded both ways: so many refs a topic, so many topics.
// What goes first is of whoever has most there: of the address with the most, of its connection with the most, the oldest.
// So what one connection publishes pushes out its own first, and no number of invented refs pushes out another's.

import type { Topic } from "../channel/channel.ts";
import { RETAINED_REFS } from "../channel/frames.ts";
import type { Ref } from "../core/values.ts";

export interface Publisher {
  readonly address: string;
  /** Number of the connection. */
  readonly connection: number;
}

interface KeptRef {
  readonly by: Publisher;
  /** When it was published, in publications of this relay. */
  readonly order: number;
}

interface KeptTopic {
  readonly refs: Map<Ref, KeptRef>;
  /** Who published to it first. */
  readonly by: Publisher;
}

/** Of each connection of an address, its topics, the longest unused first. */
type Opened = Map<number, Set<Topic>>;

export class KeptRefs {
  readonly #topics = new Map<Topic, KeptTopic>();
  readonly #opened = new Map<string, Opened>();
  readonly #most: number;
  readonly #perTopic: number;
  #order = 0;

  constructor(topics: number, perTopic: number = RETAINED_REFS) {
    this.#most = topics;
    this.#perTopic = perTopic;
  }

  /** Topics that have refs. */
  get size(): number {
    return this.#topics.size;
  }

  /** The number of the last publication. */
  get order(): number {
    return this.#order;
  }

  /** Keeps a ref as the newest of its topic, unless another address has published it before. */
  add(topic: Topic, ref: Ref, by: Publisher): void {
    const order = ++this.#order;
    const { refs } = this.#touch(topic) ?? this.#open(topic, by);
    const before = refs.get(ref);
    if (before !== undefined && before.by.address !== by.address) return;
    refs.delete(ref);
    refs.set(ref, { by, order });
    if (refs.size > this.#perTopic) refs.delete(leastDeserving(refs));
    while (this.#topics.size > this.#most) this.#dropTopic();
  }

  /** The refs of a topic published after one publication and not after another, the oldest first. Counts as use. */
  between(topic: Topic, after: number, until: number): Ref[] {
    const found: Ref[] = [];
    for (const [ref, { order }] of this.#touch(topic)?.refs ?? [])
      if (order > after && order <= until) found.push(ref);
    return found;
  }

  has(topic: Topic, ref: Ref): boolean {
    return this.#topics.get(topic)?.refs.has(ref) === true;
  }

  /** All refs of a topic with their publishers, the oldest first. */
  all(topic: Topic): readonly (readonly [Ref, Publisher])[] {
    return [...(this.#topics.get(topic)?.refs ?? [])].map(([ref, { by }]) => [ref, by]);
  }

  #touch(topic: Topic): KeptTopic | undefined {
    const kept = this.#topics.get(topic);
    if (kept === undefined) return undefined;
    const mine = this.#opened.get(kept.by.address)!.get(kept.by.connection)!;
    mine.delete(topic); // a Set keeps the order of insertion: the newest use stands last
    mine.add(topic);
    return kept;
  }

  #open(topic: Topic, by: Publisher): KeptTopic {
    const kept: KeptTopic = { refs: new Map(), by };
    this.#topics.set(topic, kept);
    let opened = this.#opened.get(by.address);
    if (opened === undefined) this.#opened.set(by.address, (opened = new Map() as Opened));
    const mine = opened.get(by.connection);
    if (mine === undefined) opened.set(by.connection, new Set([topic]));
    else mine.add(topic);
    return kept;
  }

  #dropTopic(): void {
    const sizeOf = (opened: Opened) => [...opened.values()].reduce((sum, topics) => sum + topics.size, 0);
    const [address, opened] = largest(this.#opened, sizeOf);
    const [connection, topics] = largest(opened, ({ size }) => size);
    const [oldest] = topics;
    topics.delete(oldest!);
    this.#topics.delete(oldest!);
    if (topics.size === 0) opened.delete(connection);
    if (opened.size === 0) this.#opened.delete(address);
  }
}

/** The oldest ref of the connection with the most, of the address with the most. */
function leastDeserving(refs: ReadonlyMap<Ref, KeptRef>): Ref {
  const addresses = new Map<string, number>();
  for (const { by } of refs.values()) addresses.set(by.address, (addresses.get(by.address) ?? 0) + 1);
  const [address] = largest(addresses, (count) => count);
  const connections = new Map<number, number>();
  for (const { by } of refs.values())
    if (by.address === address) connections.set(by.connection, (connections.get(by.connection) ?? 0) + 1);
  const [connection] = largest(connections, (count) => count);
  for (const [ref, { by }] of refs) if (by.address === address && by.connection === connection) return ref;
  throw new Error("a topic without refs");
}

/** The entry with the greatest size, the first of several. */
function largest<K, V>(entries: ReadonlyMap<K, V>, sizeOf: (value: V) => number): [K, V] {
  let found: [K, V] | undefined;
  let most = -1;
  for (const [key, value] of entries) {
    const size = sizeOf(value);
    if (size <= most) continue;
    most = size;
    found = [key, value];
  }
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
}
