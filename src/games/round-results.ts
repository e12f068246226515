// What came out of each round, at the entry that completed it: who won, what beat what, and the score so far.

import type { Address, Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "./game.ts";

export interface RoundResult {
  readonly round: number;
  /** Rounds at most. */
  readonly of: number;
  readonly winner: Address | null;
  /** Values of the winner and of the other; of a draw the one of both, twice. */
  readonly values: readonly [winning: string, losing: string];
  /** Rounds won so far, the round's winner (or the first seat) first. */
  readonly score: readonly [number, number];
}

/** By the ref of the opening that came last in the session's order. */
export function roundResults(view: View, verdict: Verdict & { readonly ok: true }): Map<Ref, RoundResult> {
  const results = new Map<Ref, RoundResult>();
  const rounds = verdict.reasons.filter(({ code }) => code === "round");
  if (rounds.length === 0) return results;
  const valueOf = new Map<string, string>();
  for (const { code, what, entries, value } of verdict.reasons)
    if (code === "counted" && what === "opening") for (const ref of entries) valueOf.set(ref, value ?? "");
  const places = new Map(view.order.map(({ ref }, i) => [ref, i]));
  const won = new Map<Address, number>();
  for (const { round = 1, wallet, entries } of rounds) {
    const [first, second] = entries as readonly [Ref, Ref];
    if (wallet !== undefined) won.set(wallet, (won.get(wallet) ?? 0) + 1);
    const isSecond = wallet !== undefined && !first.startsWith(wallet);
    const [winning, losing] = isSecond ? [second, first] : [first, second];
    const last = (places.get(first) ?? 0) > (places.get(second) ?? 0) ? first : second;
    const lead = wallet ?? view.participants[0]!;
    const other = view.participants.find((one) => one !== lead)!;
    results.set(last, {
      round,
      of: bestOf(view),
      winner: wallet ?? null,
      values: [valueOf.get(winning) ?? "", valueOf.get(losing) ?? ""],
      score: [won.get(lead) ?? 0, won.get(other) ?? 0],
    });
  }
  return results;
}

function bestOf(view: View): number {
  const best = view.terms.rules["best_of"];
  return typeof best === "number" ? best : 1;
}
