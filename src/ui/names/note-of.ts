// What the recent list keeps of a session: wallets and the outcome, no names.

import type { View } from "../../core/view.ts";
import { describeVerdict } from "../../games/describe.ts";
import type { Verdict } from "../../games/game.ts";
import { claimedNames } from "../../names/claimed-names.ts";
import type { RecentSession } from "../services/recent.ts";
import { witnessesOf } from "../share/audit-url.ts";

export function noteOf(view: View, verdict: Verdict | null): Omit<RecentSession, "played" | "seat"> {
  return {
    session: view.session,
    game: view.terms.game,
    title: view.terms.title ?? "",
    result: verdict === null || verdict.ok ? "" : describeVerdict(verdict, (wallet) => wallet),
    outcome: verdict?.ok === true && verdict.status === "decided" ? verdict.outcome : null,
    participants: view.participants,
    claimed: claimedNames(view),
    witnesses: witnessesOf(view),
  };
}
