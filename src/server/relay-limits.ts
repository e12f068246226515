// The relay's limits, and what is over them.

import { MAX_TOPICS } from "../channel/frames.ts";

export interface RelayLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly topicsPerConnection: number;
  /** Topics followed by all connections, and by those of one address. */
  readonly subscriptions: number;
  readonly subscriptionsPerAddress: number;
  /** Topics whose last refs are kept. */
  readonly retainedTopics: number;
  /** Frames a second that one connection may send, and how many at once after a pause. */
  readonly framesPerSecond: number;
  readonly burst: number;
  /** The same for all connections of one address. */
  readonly framesPerSecondPerAddress: number;
  readonly burstPerAddress: number;
  /** Refs a second that one address may publish, and how many at once after a pause. */
  readonly refsPerSecondPerAddress: number;
  readonly refsBurstPerAddress: number;
  /** Frames dropped by the rate limit before the connection is cut off. */
  readonly droppedFrames: number;
  /** Bytes that may wait for a slow reader before it is cut off. */
  readonly bufferedBytes: number;
  /** Every so many ms a ping; who has sent nothing since the one before is cut off. */
  readonly pingMs: number;
}

export const RELAY_LIMITS: RelayLimits = {
  connections: 12_000,
  connectionsPerAddress: 256,
  topicsPerConnection: MAX_TOPICS,
  subscriptions: 262_144,
  subscriptionsPerAddress: 4_096,
  retainedTopics: 2_048,
  framesPerSecond: 500,
  burst: 1_500,
  framesPerSecondPerAddress: 1_000,
  burstPerAddress: 5_000,
  refsPerSecondPerAddress: 100,
  refsBurstPerAddress: 1_000,
  droppedFrames: 10_000,
  bufferedBytes: 1024 * 1024,
  pingMs: 30_000,
};

/** A token bucket without a timer: what has been earned is reckoned when it is asked for. */
export class TokenBucket {
  #tokens: number;
  #at: number;

  constructor(limits: RelayLimits, now: number) {
    this.#tokens = limits.burst;
    this.#at = now;
  }

  take(limits: RelayLimits, now: number): boolean {
    const earned = ((now - this.#at) * limits.framesPerSecond) / 1000;
    this.#tokens = Math.min(limits.burst, this.#tokens + Math.max(0, earned));
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
