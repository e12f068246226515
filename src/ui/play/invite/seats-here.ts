// Which seats of a session this browser can take: by its own keys, and by accounts of wallets. Pure.

import type { Address } from "../../../core/values.ts";
import type { VaultKey } from "../../../wallet/vault.ts";
import type { ConnectedAccount } from "../../wallet/injected-wallets.ts";

export interface SeatHere {
  readonly address: Address;
  /** The key's name; null for an account of a wallet. */
  readonly name: string | null;
}

/** In the order of participants; none while the keys are not known. An account that its wallet does not stand on is left out. */
export function seatsHere(
  participants: readonly Address[],
  keys: readonly VaultKey[] | undefined,
  accounts: readonly ConnectedAccount[],
): readonly SeatHere[] {
  if (keys === undefined) return [];
  return participants.flatMap((address): SeatHere[] => {
    const key = keys.find((one) => one.address === address);
    if (key !== undefined) return [{ address, name: key.name }];
    return accounts.some((one) => one.address === address && one.usable) ? [{ address, name: null }] : [];
  });
}
