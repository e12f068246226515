// Named checks of a whole session: genesis, participants, each log, forks, shares, verdict digest.

import { readTerms } from "../core/session.ts";
import type { Hash } from "../core/values.ts";
import type { Member, NoView, View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { failed, notApplicable, passed, unchecked, type NamedCheck } from "./record-checks.ts";

/** One check of each name; `log` comes once for every participant, `at` its wallet. */
export const SESSION_CHECKS = [
  "genesis",
  "participants",
  "log",
  "forks",
  "shares",
  "verdict digest",
] as const;
export type SessionCheckName = (typeof SESSION_CHECKS)[number];

/** `pinned`: the digest that a link or a file claims. Null verdict: there was nothing to judge. */
export function checkSession(
  view: View | NoView,
  verdict: Verdict | null,
  pinned?: Hash,
): readonly NamedCheck<SessionCheckName>[] {
  if (!view.ok) return withoutView(view);
  const forked = view.members.filter(({ fault }) => fault !== null);
  return [
    { name: "genesis", ...genesisOutcome(view) },
    {
      name: "participants",
      ...passed("1 to 128 different addresses", `${view.participants.length}`, "body.participants"),
    },
    ...view.members.map((member) => ({ name: "log" as const, ...logOutcome(view, member) })),
    { name: "forks", ...forksOutcome(view, forked) },
    { name: "shares", ...sharesOutcome(view) },
    { name: "verdict digest", ...digestOutcome(view, verdict, pinned) },
  ];
}

function withoutView(view: NoView): NamedCheck<SessionCheckName>[] {
  const none = unchecked("", "not run: there is no view");
  const genesis =
    view.code === "no-genesis"
      ? unchecked("the session's genesis", "it is not among the records")
      : view.code === "bad-genesis"
        ? failed(view.why?.expected ?? "a genesis", "another value", view.why?.at ?? "$")
        : passed("the session's genesis", "well formed");
  return SESSION_CHECKS.map((name) => ({ name, ...(name === "genesis" ? genesis : none) }));
}

function genesisOutcome(view: View) {
  const terms = readTerms(view.genesis);
  if (!terms.ok) return failed(terms.error.expected, "another value", terms.error.at);
  return passed("the session's genesis", "well formed", view.session);
}

function logOutcome(view: View, member: Member) {
  const { wallet, gap, anchor, end } = member;
  const expected = `every entry from seq ${anchor.seq} to its last move`;
  if (gap?.code === "bad-prev")
    return failed(expected, `entry ${gap.seq} does not name its predecessor's hash`, wallet);
  if (gap !== null)
    return unchecked(
      expected,
      `${gap.code === "gap" ? "no" : "not the pinned"} entry at seq ${gap.seq}`,
      wallet,
    );
  const waiting = view.pending.filter(({ entry }) => entry.wallet === wallet).length;
  if (waiting > 0) return unchecked(expected, `${waiting} entries wait for what they rest on`, wallet);
  if (view.unchecked.length > 0)
    return unchecked(expected, `${view.unchecked.length} records could not be checked`, wallet);
  if (end === null) return notApplicable("it has made no move", wallet);
  return passed(expected, `seq ${anchor.seq} to ${end}`, wallet);
}

function forksOutcome(view: View, forked: readonly Member[]) {
  const expected = "one entry at each place of a log";
  const first = forked[0];
  if (first?.fault != null)
    return failed(expected, `two at seq ${first.fault.seq} of ${first.wallet}`, first.wallet);
  if (view.unchecked.length > 0)
    return unchecked(expected, `${view.unchecked.length} records could not be checked`);
  return passed(expected, "so, among the records at hand");
}

function sharesOutcome(view: View) {
  const used = view.members.map((member) => `${member.wallet} ${member.used}`).join(", ");
  const expected = `${view.share} entries in time for each participant`;
  if (!view.complete) return unchecked(expected, `so far: ${used}`);
  return passed(expected, used);
}

function digestOutcome(view: View, verdict: Verdict | null, pinned: Hash | undefined) {
  const expected = pinned ?? "the digest of the verdict";
  if (verdict === null) return unchecked(expected, "not run: there is no verdict");
  if (!verdict.ok) return unchecked(expected, `no verdict: ${verdict.code}`);
  if (pinned === undefined) return notApplicable(`nothing claims a digest; this one is ${verdict.digest}`);
  if (view.level !== "verified")
    return unchecked(expected, `${verdict.digest}, but not every signature has been checked`);
  if (verdict.digest !== pinned) return failed(pinned, verdict.digest);
  if (!view.complete) return unchecked(expected, `${verdict.digest}, but the view is not complete`);
  return passed(pinned, verdict.digest);
}
