// What the command line calls wallets: names as everywhere else, and names in place of the addresses in a sentence.

import { checksumAddress, isAddress, parseRef, type Address } from "../core/values.ts";
import type { NoView, View } from "../core/view.ts";
import type { NameOf } from "../games/describe.ts";
import { sessionNames } from "../names/session-names.ts";
import { skeletonOf } from "../names/skeleton.ts";

/** Names of a session's participants; any other wallet is its whole address. */
export function playerNames(view: View | NoView): NameOf {
  if (!view.ok) return checksumAddress;
  const { participants } = view;
  const { nameOf } = sessionNames({ participants, skeletonOf });
  return (wallet) => (participants.includes(wallet) ? nameOf(wallet) : checksumAddress(wallet));
}

const ADDRESS_OR_REF = /0x[0-9a-f]{40}(?::\d+:0x[0-9a-f]{64})?(?![0-9a-f])/g;

/** A sentence of our own with names for addresses, and a ref as an entry of somebody. */
export function nameAddresses(text: string, nameOf: NameOf): string {
  return text.replaceAll(ADDRESS_OR_REF, (found) => {
    const ref = parseRef(found);
    if (ref !== undefined) return `entry ${ref.seq} of ${nameOf(ref.wallet)} (${ref.hash.slice(0, 10)}…)`;
    return isAddress(found) ? nameOf(found satisfies Address) : found;
  });
}
