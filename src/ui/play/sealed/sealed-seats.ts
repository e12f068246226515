// Who has sealed, who has opened, and what: out of the resolver's own reasons and flags, so that screen and rule
// cannot differ. For games with one round of commits. Pure.

import type { Address, Ref } from "../../../core/values.ts";
import type { View } from "../../../core/view.ts";
import type { Verdict } from "../../../games/game.ts";

export interface SealedSeat {
  readonly wallet: Address;
  /** `open`: opened and counted. `sealed`: a commit counts. `out`: the commit came too late to count. */
  readonly state: "none" | "sealed" | "open" | "out" | "forked";
  /** What was opened and counts. */
  readonly value: string | null;
  /** The opening, or the commit. */
  readonly ref: Ref | null;
}

/** By participant, in their order. */
export function sealedSeats(view: View, verdict: Verdict | null): readonly SealedSeat[] {
  const flags = new Map(verdict?.ok === true ? verdict.flags.map(({ ref, code }) => [ref, code]) : []);
  const openings = new Map<Address, { value: string; ref: Ref | null }>();
  if (verdict?.ok === true)
    for (const { code, what, wallet, value, entries } of verdict.reasons)
      if (code === "counted" && what === "opening" && wallet !== undefined)
        openings.set(wallet, { value: value ?? "", ref: entries.at(-1) ?? null });
  return view.members.map(({ wallet, fault }): SealedSeat => {
    if (fault !== null) return { wallet, state: "forked", value: null, ref: null };
    const opening = openings.get(wallet);
    if (opening !== undefined) return { wallet, state: "open", ...opening };
    for (const { entry, ref, inTime } of view.order) {
      if (entry.wallet !== wallet || entry.type !== "commit" || !inTime) continue;
      const flag = flags.get(ref);
      if (flag === undefined) return { wallet, state: "sealed", value: null, ref };
      if (flag === "unseen-commit") return { wallet, state: "out", value: null, ref };
    }
    return { wallet, state: "none", value: null, ref: null };
  });
}
