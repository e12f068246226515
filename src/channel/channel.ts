// The Channel carries references and nothing else. What arrives is a hint to look at the Hub; it proves nothing,
// and everything works, more slowly, without it.

import type { Ref } from "../core/values.ts";

/** A session id, an invite's ref, a wallet address (an inbox), or `lobby`. */
export type Topic = string;

export type ChannelState = "connecting" | "live" | "offline" | "closed";

export interface Channel {
  /** Calls back for every well-formed ref on the topic, own ones perhaps too; returns the way to stop. */
  subscribe(topic: Topic, listener: (ref: Ref) => void): () => void;
  /** Announces a ref. Never throws and never waits: an announcement may be lost. */
  publish(topic: Topic, ref: Ref): void;
  /** `live` only while the other end is known to answer. */
  getState(): ChannelState;
  onState(listener: (state: ChannelState) => void): () => void;
  close(): void;
}
