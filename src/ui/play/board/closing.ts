// What closing a session by one's own ticks would do now: for the sentence before the deliberate act. Pure: the view's
// own numbers and the resolver's own answer.

import type { Address } from "../../../core/values.ts";
import type { View } from "../../../core/view.ts";
import type { Outcome, Verdict } from "../../../games/game.ts";
import { judgeIfClosed } from "../../../games/judge.ts";

export interface Closing {
  /** Ticks to write. */
  readonly ticks: number;
  /** Who owes moves now, in the order of participants. */
  readonly owing: readonly Address[];
  /** Who owes and never entered: then the outcome is void, whatever was declared. */
  readonly strangers: readonly Address[];
  /** The resolver's own outcome if the session closed and nothing else arrived. */
  readonly outcome: Outcome;
}

/** undefined where there is nothing to close: decided, closed already, not seated. */
export function closingOf(view: View, verdict: Verdict | null, me: Address): Closing | undefined {
  const seat = view.members.find(({ wallet }) => wallet === me);
  if (seat === undefined || verdict?.ok !== true || verdict.status === "decided" || view.closed)
    return undefined;
  const then = judgeIfClosed(view);
  if (!then.ok || then.outcome === null) return undefined;
  const owing = verdict.waiting;
  const strangers = owing.filter((wallet) => view.members.find((m) => m.wallet === wallet)?.joined === false);
  return {
    ticks: Math.max(0, view.share - seat.used),
    owing,
    strangers,
    outcome: then.outcome,
  };
}
