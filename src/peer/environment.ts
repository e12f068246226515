// What the peer needs of the world around it, each by the narrowest interface, so that tests step it by hand.
// `browser-environment.ts` and `agent/environment.ts` make real ones.

import type { Channel } from "../channel/channel.ts";
import type { Hub } from "../hub/hub.ts";
import type { Verifier } from "../verify/verifier.ts";
import type { Store } from "./store.ts";

export interface Clock {
  /** Milliseconds since 1970. Used for waiting and for claims shown to people, never for a verdict. */
  now(): number;
  /** Calls `work` once after `ms`; returns the way to call it off. */
  after(ms: number, work: () => void): () => void;
}

/** Cryptographically strong random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** One holder of a name at a time. `crossTab` false: only within this page or process, and the interface says so. */
export interface Locks {
  readonly crossTab: boolean;
  /** Runs `work` while holding the name; others wait. Released when `work` settles or its tab dies. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export interface PeerEnvironment {
  readonly hub: Hub;
  /** null: everything by polling. */
  readonly channel: Channel | null;
  readonly verifier: Verifier;
  readonly store: Store;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly random: RandomBytes;
}
