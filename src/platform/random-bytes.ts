// Randomness by argument.

/** Cryptographically strong random bytes. */
export type RandomBytes = (length: number) => Uint8Array;
