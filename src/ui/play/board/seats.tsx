// The participants side by side: who they are, what they owe, how many entries they have left.

import type { View } from "../../../core/view.ts";
import type { Verdict } from "../../../games/game.ts";
import { Address } from "../../components/address.tsx";
import { ShareMeter } from "../../components/share-meter.tsx";
import { to } from "../../routing/routes.ts";
import { type Known } from "../names.ts";
import css from "../play.module.css";

export function Seats({ view, verdict, known }: { view: View; verdict: Verdict | null; known: Known }) {
  return (
    <ul className={css.seats}>
      {view.members.map((member, place) => (
        <li key={member.wallet} className={css.seat} data-me={member.wallet === known.me}>
          <Address
            value={member.wallet}
            among={view.participants}
            place={place}
            href={to.wallet(member.wallet)}
          />
          <span className={css.seatState}>{stateOf(view, verdict, place)}</span>
          <ShareMeter used={member.used} share={view.share} place={place} />
        </li>
      ))}
    </ul>
  );
}

function stateOf(view: View, verdict: Verdict | null, place: number): string {
  const member = view.members[place]!;
  if (member.fault !== null) return "Forked its log: out";
  if (member.gap !== null) return "Its log has a hole";
  if (verdict?.ok !== true) return "";
  const owes = verdict.reasons.find(({ code, wallet }) => code === "owed" && wallet === member.wallet);
  if (owes?.what !== undefined && verdict.status === "pending")
    return member.joined ? `To move: ${WORDS[owes.what] ?? owes.what}` : "Has not entered yet";
  return verdict.status === "pending" ? "Has moved" : "";
}

/** What is owed, as people say it. */
const WORDS: { readonly [what: string]: string } = { commit: "seal", reveal: "open" };
