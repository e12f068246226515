// What wallets are called on the board: this reader's own keys by their names, the bot, others by their address.

import type { Address } from "../../core/values.ts";
import type { VaultKey } from "../../wallet/vault.ts";
import { shortAddressText } from "../components/short-address.ts";

export interface Known {
  readonly keys: readonly VaultKey[];
  readonly bot: Address | null;
  /** The seat of this page. */
  readonly me: Address | null;
  readonly among: readonly Address[];
}

/** The name alone, or undefined where there is none. */
export function givenName(known: Known, wallet: Address): string | undefined {
  if (wallet === known.me) return "You";
  if (wallet === known.bot) return "The bot";
  return known.keys.find(({ address }) => address === wallet)?.name;
}

/** A name or the shortened address, for sentences. */
export function formatName(known: Known, wallet: Address): string {
  if (wallet === known.me)
    return `${known.keys.find(({ address }) => address === wallet)?.name ?? shortAddressText(wallet, known.among)} (you)`;
  return givenName(known, wallet) ?? shortAddressText(wallet, known.among);
}
