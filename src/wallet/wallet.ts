// A wallet signs texts for one address. It may take its time, refuse, or change its account under us: the caller
// pins the address and checks every signature before using it.

import type { Address, SignatureHex } from "../core/values.ts";

export interface Wallet {
  /** Pinned for the life of this object. */
  readonly address: Address;
  readonly kind: "local" | "injected";
  /**
   * EIP-191 personal_sign over the UTF-8 of a text. The answer is normalised (v 27 or 28) and checked to recover to
   * `address`; anything else is a WalletError (wallet/errors.ts).
   */
  signText(text: string): Promise<SignatureHex>;
  /**
   * 32 secret bytes for a purpose, always the same ones, from the key itself: only where it is in our hands. Nobody
   * without the key can tell them from random ones, whatever others they have seen.
   */
  readonly deriveSecret?: (purpose: string) => Uint8Array;
  /** Compressed, where the key is in our hands; that of another wallet is recovered from what it has signed. */
  readonly publicKey?: `0x${string}`;
  /**
   * Opens what was sealed to this wallet's public key (wallet/ecies.ts); undefined where it does not open. Absent from
   * wallets that sign and do not decrypt.
   */
  readonly openSealed?: (sealed: Uint8Array) => Promise<Uint8Array | undefined>;
  /** Calls back when the wallet can no longer sign for `address` (switched, disconnected), or can again. */
  onChange(listener: (usable: boolean) => void): () => void;
}
