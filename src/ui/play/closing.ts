// What closing a session by one's own ticks would do now: for the sentence before the deliberate act. Pure: the view's
// own numbers, nothing guessed.

import type { Address } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import type { Verdict } from "../../games/game.ts";

export interface Closing {
  /** Ticks to write. */
  readonly ticks: number;
  /** Who owes moves now, in the order of participants. */
  readonly owing: readonly Address[];
  /** Who owes and never entered: then the outcome is void, whatever was declared. */
  readonly strangers: readonly Address[];
  /** The outcome that the default would give if nothing else arrived. */
  readonly outcome: "void" | "award" | "you-win" | "other-wins";
}

/** undefined where there is nothing to close: decided, closed already, not seated. */
export function closingOf(view: View, verdict: Verdict | null, me: Address): Closing | undefined {
  const seat = view.members.find(({ wallet }) => wallet === me);
  if (seat === undefined || verdict?.ok !== true || verdict.status === "decided" || view.closed)
    return undefined;
  const owing = verdict.waiting;
  const strangers = owing.filter((wallet) => view.members.find((m) => m.wallet === wallet)?.joined === false);
  return {
    ticks: Math.max(0, view.share - seat.used),
    owing,
    strangers,
    outcome: outcomeOf(view, owing, strangers, me),
  };
}

function outcomeOf(
  view: View,
  owing: readonly Address[],
  strangers: readonly Address[],
  me: Address,
): Closing["outcome"] {
  const { default_outcome } = view.terms;
  if (strangers.length > 0 || default_outcome.kind === "void") return "void";
  if (default_outcome.kind === "award") return "award";
  const blameless = view.members.filter(({ wallet, fault }) => fault === null && !owing.includes(wallet));
  if (blameless.length !== 1) return "void";
  return blameless[0]!.wallet === me ? "you-win" : "other-wins";
}
