// What a compact display says of an audited session: one headline, its tone, and how many checks stand behind it. Pure.
// `pass` is said only when every signature was checked, nothing failed and nothing is missing.

import type { Address, Hash } from "../../core/values.ts";
import {
  describeCompleteness,
  describeFinality,
  describeNoView,
  describeVerdict,
} from "../../games/describe.ts";
import type { AuditStage } from "../../audit/audit-records.ts";
import type { NamedCheck } from "../../audit/record-checks.ts";
import { checkSession, type SessionCheckName } from "../../audit/session-checks.ts";
import { claimedNames } from "../../names/claimed-names.ts";
import { sessionNames, type SessionNames } from "../../names/session-names.ts";
import type { Skeleton } from "../../names/skeleton.ts";

export type Tone = "pass" | "warn" | "fail" | "wait";

export interface Summary {
  readonly tone: Tone;
  /** The verdict in one sentence, or why there is none. */
  readonly headline: string;
  /** What it rests on or lacks, a sentence each. */
  readonly notes: readonly string[];
  /** How the verdict stands to the one that was claimed, if one was. */
  readonly pinnedNote: string | null;
  readonly game: string;
  readonly title: string;
  readonly level: "checking" | "authenticated" | "verified";
  readonly finality: "open" | "settled" | "final" | null;
  readonly checks: readonly NamedCheck<SessionCheckName>[];
  /** Checks of the session and of every record together. */
  readonly counts: { readonly passed: number; readonly failed: number; readonly unchecked: number };
  readonly nameOf: (wallet: Address) => string;
}

/** `pinned`: the verdict digest that a file or link claims. */
export function summarize(stage: AuditStage, pinned?: Hash, names?: SessionNames): Summary {
  const { view, verdict, report } = stage;
  const { nameOf } = names ?? namesIn(view);
  const checks = checkSession(view, verdict, pinned);
  const count = (state: NamedCheck["state"]) => checks.filter((check) => check.state === state).length;
  const counts = {
    passed: report.counts.verified + count("passed"),
    failed: report.counts.rejected + count("failed"),
    unchecked: report.counts.covered + report.counts.unchecked + count("unchecked"),
  };
  const notes = view.ok ? [describeCompleteness(view)] : [];
  if (verdict?.ok === true) notes.unshift(describeFinality(verdict, nameOf));
  if (report.counts.rejected > 0)
    notes.push(
      `${report.counts.rejected} of the records ${report.counts.rejected === 1 ? "is" : "are"} no valid entry and counted for nothing.`,
    );
  const digest = checks.find(({ name }) => name === "verdict digest");
  return {
    tone: toneOf(stage, checks, counts.failed),
    headline: !view.ok
      ? describeNoView(view.code, view.why?.at, view.why?.expected)
      : verdict === null
        ? "There is no verdict."
        : describeVerdict(verdict, nameOf),
    notes,
    pinnedNote: pinned === undefined ? null : digestNote(digest),
    game: view.ok ? view.terms.game : "",
    title: view.ok ? (view.terms.title ?? "") : "",
    level: stage.level,
    finality: verdict?.ok === true ? verdict.finality : null,
    checks,
    counts,
    nameOf,
  };
}

/** What anybody calls its wallets: by what they claim, else by seat. */
export function namesIn(view: AuditStage["view"], skeletonOf?: Skeleton): SessionNames {
  return sessionNames({
    participants: view.ok ? view.participants : [],
    ...(view.ok && { claimed: claimedNames(view) }),
    ...(skeletonOf !== undefined && { skeletonOf }),
  });
}

function digestNote(digest: NamedCheck | undefined): string {
  switch (digest?.state) {
    case "passed":
      return "The same verdict as when this was made.";
    case "failed":
      return "Not the verdict that this was made with: the records are others, or were changed.";
    default:
      return "Whether it is the verdict that this was made with could not be told.";
  }
}

function toneOf(
  { level, view, verdict, report }: AuditStage,
  checks: readonly NamedCheck[],
  failed: number,
): Tone {
  if (!view.ok) return "fail";
  if (checks.some(({ name, state }) => name === "verdict digest" && state === "failed")) return "fail";
  if (verdict === null || !verdict.ok) return verdict?.code === "sealed" ? "warn" : "fail";
  if (failed > 0) return "warn";
  if (level !== "verified") return "wait";
  const whole = view.complete && report.counts.unchecked === 0;
  return whole && verdict.status === "decided" ? "pass" : "warn";
}
