// What a board knows of its wallets: their names, this browser's keys, the bot, and the seat that is played here.

import type { Address } from "../../core/values.ts";
import { inSentence } from "../../games/describe.ts";
import type { SessionNames } from "../../names/session-names.ts";
import type { VaultKey } from "../../wallet/vault.ts";

export interface Known {
  readonly names: SessionNames;
  readonly keys: readonly VaultKey[];
  readonly bot: Address | null;
  /** The seat of this page. */
  readonly me: Address | null;
}

/** A name at the beginning of a sentence or alone. */
export function formatName(known: Known, wallet: Address): string {
  return known.names.nameOf(wallet);
}

/** A name within a sentence. */
export function formatNameInside(known: Known, wallet: Address): string {
  return inSentence(known.names.nameOf(wallet));
}
