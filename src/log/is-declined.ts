// Whether a wallet was asked and did not sign: then a person's wallet is not asked again by itself.

import { HubError } from "../hub/hub-error.ts";
import { WalletError } from "../wallet/wallet-error.ts";

/** For an entry, or for the Hub's sign-in before it. */
export function isDeclined(error: unknown): boolean {
  return error instanceof WalletError || (error instanceof HubError && error.code === "not-signed");
}
