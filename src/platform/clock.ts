// Time by argument, so that tests step it by hand.

export interface Clock {
  /** Milliseconds since 1970. Used for waiting and for claims shown to people, never for a verdict. */
  now(): number;
  /** Calls `work` once after `ms`; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}
