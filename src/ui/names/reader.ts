// Who the reader is in a session, and the names that they have given. Pure.

import type { Address } from "../../core/values.ts";
import type { VaultKey } from "../../wallet/vault.ts";

/** The address book, and for wallets that are not in it the names of the reader's own keys. */
export function givenNames(
  book: ReadonlyMap<Address, string>,
  keys: readonly VaultKey[],
): ReadonlyMap<Address, string> {
  return new Map([...keys.map(({ address, name }) => [address, name] as const), ...book]);
}

/** The seat that was noted, else the only participant whose key is here; null where there are several or none. */
export function seatOfReader(
  participants: readonly Address[],
  keys: readonly VaultKey[],
  noted: Address | null,
): Address | null {
  if (noted !== null && participants.includes(noted)) return noted;
  const own = participants.filter((wallet) => keys.some(({ address }) => address === wallet));
  return own.length === 1 ? own[0]! : null;
}
