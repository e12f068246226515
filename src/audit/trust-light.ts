// One light for how far a session can be trusted: green only where every check ran and none failed; red for a failure;
// amber for what is missing or was not checked. It says in one sentence why.

import type { Hash } from "../core/values.ts";
import type { Member, View } from "../core/view.ts";
import { inSentence, plural, YOU, type NameOf } from "../games/describe.ts";
import type { Verdict } from "../games/game.ts";
import type { AuditStage } from "./audit-records.ts";
import { missingOf, weigher, type Missing } from "./gap-impact.ts";
import { isOutsideSession } from "./outside-session.ts";
import { failed, passed, unchecked, type NamedCheck } from "./record-checks.ts";
import { checkSession } from "./session-checks.ts";

export type LightColour = "green" | "amber" | "red";

export interface TrustLight {
  readonly colour: LightColour;
  /** "Checked", "Incomplete", "Failed", "Checking". */
  readonly word: "Checked" | "Checking" | "Incomplete" | "Failed";
  /** What stands after the word. */
  readonly say: (nameOf: NameOf) => string;
}

export interface TrustInput {
  readonly stage: AuditStage & { readonly view: View; readonly verdict: Verdict };
  /** Something is still being read or checked. */
  readonly working: boolean;
  /** Digest that a link claims. */
  readonly pinned?: Hash | undefined;
  /** What sources were asked for and did not give. */
  readonly notRead?: readonly Missing[];
  /** Entries that were seen here before, and are not served any more or were replaced. */
  readonly rolledBack?: { readonly withheld: number; readonly rewritten: number };
}

const NAMES = { green: "Checked", amber: "Incomplete", red: "Failed" } as const;

export function trustLight(input: TrustInput): TrustLight {
  const red = failureOf(input);
  if (red !== null) return { colour: "red", word: NAMES.red, say: red };
  const { stage, working } = input;
  if (working && (stage.level !== "verified" || stage.report.counts.unchecked > 0))
    return { colour: "amber", word: "Checking", say: () => "signatures are being checked" };
  const amber = incompletenessOf(input);
  if (amber !== null) return { colour: "amber", word: NAMES.amber, say: amber };
  return { colour: "green", word: NAMES.green, say: () => "every signature, link and rule, in this browser" };
}

type Say = (nameOf: NameOf) => string;

function failureOf({ stage: { view, verdict }, pinned, rolledBack }: TrustInput): Say | null {
  const inside = view.rejected.filter((record) => !isOutsideSession(view, record));
  if (inside.length > 0) return (nameOf) => describeRejected(view, inside, nameOf);
  const forked = view.members.filter(({ fault }) => fault !== null);
  if (forked.length > 0)
    return (nameOf) => `${names(forked, nameOf)} signed two different entries for one position`;
  const broken = view.members.filter(({ gap }) => gap?.code === "bad-prev");
  if (broken.length > 0)
    return (nameOf) => `an entry of ${owners(broken, nameOf)} does not follow from the one before it`;
  if (rolledBack !== undefined && rolledBack.rewritten > 0)
    return () =>
      `${plural(rolledBack.rewritten, "entry was", "entries were")} replaced since this browser saw this session`;
  if (pinned !== undefined && verdict.ok && view.level === "verified" && verdict.digest !== pinned)
    return () => "the result is not the one that the link claims";
  if (!verdict.ok && verdict.code === "bad-genesis") return () => "the rules of this session are not valid";
  return null;
}

function describeRejected(view: View, rejected: View["rejected"], nameOf: NameOf): string {
  const authors = view.members.filter(({ wallet }) =>
    rejected.some(({ wire }) => wire.includes(`"wallet":"${wallet}"`)),
  );
  const forged = rejected.every(({ rejection }) =>
    ["wrong-signer", "bad-signature"].includes(rejection.code),
  );
  const count = plural(rejected.length, "record", "records");
  const are = rejected.length === 1 ? "is" : "are";
  if (forged && authors.length === 1)
    return `${count} ${are} not what ${inSentence(nameOf(authors[0]!.wallet))} signed`;
  return forged
    ? `${count} ${are} not what ${rejected.length === 1 ? "its author" : "their authors"} signed`
    : `${count} ${are} not well formed`;
}

function incompletenessOf(input: TrustInput): Say | null {
  const { stage, notRead = [], rolledBack } = input;
  const { view, verdict } = stage;
  const holed = view.members.filter(({ gap }) => gap !== null);
  const weigh = weigher(view, verdict);
  const missing = [...holed.flatMap((member) => missingOf(view, member) ?? []), ...notRead];
  const could = missing.some((one) => weigh(one).could) || (missing.length === 0 && view.pending.length > 0);
  const change = could ? "the result could change" : "the result can’t change by it";
  if (holed.length > 0) return (nameOf) => `${describeHoles(view, holed, nameOf)}; ${change}`;
  if (view.pending.length > 0)
    return () =>
      `${plural(view.pending.length, "entry waits", "entries wait")} for something missing; ${change}`;
  if (rolledBack !== undefined && rolledBack.withheld > 0)
    return () =>
      `${plural(rolledBack.withheld, "entry that was", "entries that were")} here before ${rolledBack.withheld === 1 ? "is" : "are"} not served now; the result could change`;
  if (notRead.length > 0) return () => `not every source could be read; ${change}`;
  if (view.unchecked.length > 0 || stage.report.counts.unchecked > 0)
    return () => "some signatures could not be checked; what was not checked does not count";
  if (stage.level !== "verified") return () => "not every signature was checked";
  if (!verdict.ok && verdict.code === "sealed")
    return () => "signatures, links and order are checked, but the moves are sealed and need a key";
  if (!verdict.ok) return () => "this game is not known here, so its rules were not checked";
  if (view.rejected.length > 0)
    return () =>
      `${plural(view.rejected.length, "record", "records")} from outside this session failed; the result does not rest on it`;
  return null;
}

function describeHoles(view: View, holed: readonly Member[], nameOf: NameOf): string {
  const counts = holed.map((member) => countMissing(missingOf(view, member)));
  const total = counts.some((count) => count === null)
    ? null
    : counts.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  const who = owners(holed, nameOf);
  if (total === null) return `entries of ${who} are withheld`;
  return `${plural(total, "entry", "entries")} of ${who} ${total === 1 ? "is" : "are"} withheld`;
}

function countMissing(missing: Missing | null): number | null {
  if (missing?.kind !== "places") return 1;
  return missing.to === null ? null : missing.to - missing.from + 1;
}

function owners(members: readonly Member[], nameOf: NameOf): string {
  return members
    .map(({ wallet }) => (nameOf(wallet) === YOU ? "yours" : `${nameOf(wallet)}’s`))
    .join(" and ");
}

function names(members: readonly Member[], nameOf: NameOf): string {
  return members.map(({ wallet }) => inSentence(nameOf(wallet))).join(" and ");
}

/** The named checks behind the light: every signature, then the session's own. */
export function trustChecks({ stage, pinned }: TrustInput): readonly NamedCheck[] {
  const { view, verdict, report } = stage;
  return [signaturesCheck(report.counts, report.states.length), ...checkSession(view, verdict, pinned)];
}

function signaturesCheck(counts: AuditStage["report"]["counts"], total: number): NamedCheck {
  const expected = "every record is well formed and signed by its author";
  const found = `${counts.verified} of ${total} checked`;
  const outcome =
    counts.rejected > 0
      ? failed(expected, `${counts.rejected} of ${total} failed`)
      : counts.unchecked + counts.covered > 0
        ? unchecked(expected, found)
        : passed(expected, found);
  return { name: "signatures", ...outcome };
}
