// What a peer keeps: texts under keys, on this machine. Outbox, salts, heads and open invites live here.
// A resolved write is durable as far as `durability` says; a write that fails rejects with a StoreError.

import { CodedError } from "./coded-error.ts";

/** `disk`: survives a crash of the program. `memory`: gone with the page, and the interface must say so. */
export type Durability = "disk" | "memory";

export interface Store {
  readonly durability: Durability;
  /** The text under a key, or undefined. */
  get(key: string): Promise<string | undefined>;
  /** Sets a key; resolves once the text would survive a crash. */
  put(key: string, value: string): Promise<void>;
  /**
   * Sets a key only where there is none, in one step, also against other tabs or processes on the same store;
   * false where the key is taken.
   */
  add(key: string, value: string): Promise<boolean>;
  /** Removes a key; no matter if there is none. */
  remove(key: string): Promise<void>;
  /** All keys with that beginning, ascending by code unit. */
  keys(prefix: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type StoreCode =
  /** There is no such store here (a private window, a refused permission). */
  | "unavailable"
  /** No room. */
  | "full"
  /** Anything else; see `cause`. */
  | "failed";

/** A store could not do what it was asked. What was asked has not happened, or is not known to have. */
export class StoreError extends CodedError<StoreCode> {
  override readonly name = "StoreError";
}
