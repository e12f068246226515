// What joins the relays of several nodes, as an interface: refs published at one node come to those that have subscribers
// for their topic, and a node that gets its first subscriber asks the others what they keep. Everything on it is a hint, like
// all that a relay carries: it may be lost, repeated or reordered.

import type { Topic } from "../channel/channel.ts";
import type { Ref } from "../core/values.ts";

/** A ref as it travels, with a mark of its publisher that says nothing of its address. */
export interface BusRef {
  readonly topic: Topic;
  readonly ref: Ref;
  readonly by: string;
}

/** The node's end of the bus. */
export interface BusNode {
  /** A ref from another node. */
  hear(ref: BusRef): void;
  /** What is kept here of a topic, the oldest first. */
  keptOf(topic: Topic): readonly BusRef[];
}

export interface BusStats {
  readonly isUp: boolean;
  /** Refs, counted since the start. */
  readonly sent: number;
  readonly received: number;
  /** What other nodes sent that is no ref of ours. */
  readonly malformed: number;
}

export interface RelayBus {
  attach(node: BusNode): void;
  publish(ref: BusRef): void;
  /** Whether this node has subscribers for a topic: with the first, the other nodes are asked what they keep. */
  setInterest(topic: Topic, wanted: boolean): void;
  stats(): BusStats;
  close(): Promise<void>;
}
