// Time as the channel and the relay need it, so that tests step it by hand.

export interface Clock {
  /** Milliseconds; only differences are used. */
  now(): number;
  /** Calls `work` once after `ms`; returns the way to call it off. */
  after(ms: number, work: () => void): () => void;
}
