// The Hub as a client sees it: a store of bytes under (owner, key) that nobody trusts. What comes back is checked
// by whoever asked for it; a Hub may withhold, repeat, reorder or rewrite.

import type { Address } from "../core/values.ts";

/** What the Hub says of a stored object. A claim, like all that it says. */
export interface Receipt {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  readonly status: string;
  readonly createdAt?: string;
  readonly sha256?: string;
}

/** Signs text by EIP-191 personal_sign, for the Hub's sign-in: the part of a wallet that a Hub client needs. */
export interface Signer {
  readonly address: Address;
  signText(text: string): Promise<`0x${string}`>;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

/** Reads and writes fail with a HubError (hub/errors.ts) and nothing else. */
export interface Hub {
  /** Where it is, for people and for audit links: a URL, or "memory", "this browser". */
  readonly name: string;
  /** Stores bytes under (signer's address, key); resolves once the Hub has acknowledged. The last value wins. */
  put(signer: Signer, key: string, value: Uint8Array): Promise<Receipt>;
  /** The bytes under (owner, key), or null where there are none. */
  get(owner: Address, key: string, options?: ReadOptions): Promise<Uint8Array | null>;
  /**
   * Up to `length` texts of the owner whose key begins with `{conversation}_`, from `offset` on, in the order of
   * writing. A page may be short, repeat or lack texts; only an empty one is the end.
   */
  page(
    owner: Address,
    conversation: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<readonly string[]>;
  /** Resolves if the Hub answers at all. */
  ping(options?: ReadOptions): Promise<void>;
}
