// The names that wallets claim in a session: those in the invite and the accepts that its genesis pins, so every reader
// of the session finds the same ones, and nobody can claim another name later.

import { claimedName } from "../core/claimed-name.ts";
import type { Address } from "../core/values.ts";
import type { View } from "../core/view.ts";

/** By wallet; of several pinned entries of one wallet, the highest that claims a name. */
export function claimedNames({ genesis, entries }: Pick<View, "genesis" | "entries">): Map<Address, string> {
  const found = new Map<Address, { readonly seq: number; readonly name: string }>();
  for (const ref of genesis.refs) {
    const entry = entries.get(ref);
    if (entry === undefined || (entry.type !== "invite" && entry.type !== "accept")) continue;
    const name = claimedName(entry);
    if (name !== undefined && entry.seq >= (found.get(entry.wallet)?.seq ?? 0))
      found.set(entry.wallet, { seq: entry.seq, name });
  }
  return new Map([...found].map(([wallet, { name }]) => [wallet, name]));
}
