// What an audit comes to: its named checks, what is missing and whether that matters, one trust light, and the exit code.
// The same for the command line and for agents. Pure.

import { compareHeads, type Heads } from "../core/heads.ts";
import { parseRef, type Hash, type Ref } from "../core/values.ts";
import { describeGap, plural, type NameOf } from "../games/describe.ts";
import type { AuditStage } from "../audit/audit-records.ts";
import { missingOf, weigher, type GapWeight } from "../audit/gap-impact.ts";
import { isOutsideSession } from "../audit/outside-session.ts";
import type { NamedCheck } from "../audit/record-checks.ts";
import { checkSession } from "../audit/session-checks.ts";
import type { CollectNote } from "./collect-session.ts";
import { notedMissing } from "./noted-gaps.ts";

/** Where the records of an audit came from, and what its link pins. */
export interface AuditSource {
  readonly session: Ref;
  /** What the Hubs could not give. */
  readonly notes: readonly CollectNote[];
  /** Why the reading ended before all was read. */
  readonly stopped: string | null;
  /** What a link claims. */
  readonly verdict?: Hash | undefined;
  readonly heads?: Heads | undefined;
}

/** `Checked` is never said beside a failure, or while a check has not run. */
export type TrustLight = "Checked" | "Incomplete" | "Failed";

export interface WeighedGap {
  readonly says: string;
  readonly weight: GapWeight;
}

export interface AuditConclusion {
  readonly light: TrustLight;
  /** Whether the session's verdict is decided; an open session can be `Checked`. */
  readonly decided: boolean;
  readonly checks: readonly NamedCheck[];
  /** What is missing, and whether it could change the verdict. */
  readonly gaps: readonly WeighedGap[];
}

export function concludeAudit(source: AuditSource, stage: AuditStage, nameOf: NameOf): AuditConclusion {
  const checks = sessionChecks(source, stage);
  const { verdict } = stage;
  return {
    light: lightOf(source, stage, checks),
    decided: verdict?.ok === true && verdict.status === "decided",
    checks,
    gaps: gapsOf(source, stage, nameOf),
  };
}

/** The session's checks, and whether what a link pins was found again. */
function sessionChecks({ verdict: pinned, heads }: AuditSource, stage: AuditStage): readonly NamedCheck[] {
  const { view, verdict } = stage;
  const checks: NamedCheck[] = [...checkSession(view, verdict, pinned)];
  if (heads === undefined || !view.ok) return checks;
  const compared = compareHeads(view, heads);
  const found = "by" in compared ? `${compared.kind} by ${compared.by}` : compared.kind;
  const state = compared.kind === "rewritten" ? "failed" : compared.kind === "less" ? "unchecked" : "passed";
  checks.push({ name: "heads", state, expected: "what the link was made from", found, at: "h" });
  return checks;
}

function lightOf(
  { notes, stopped }: AuditSource,
  stage: AuditStage,
  checks: readonly NamedCheck[],
): TrustLight {
  const { view, verdict } = stage;
  if (checks.some(({ state }) => state === "failed")) return "Failed";
  if (!view.ok) return view.code === "no-genesis" ? "Incomplete" : "Failed";
  if (failedRecords(stage).length > 0) return "Failed";
  if (verdict?.ok === false) return verdict.code === "sealed" ? "Incomplete" : "Failed";
  const isRead = stopped === null && !notes.some(({ kind }) => kind === "failed" || kind === "capped");
  if (!view.complete || !isRead || view.level !== "verified") return "Incomplete";
  if (checks.some(({ state, name }) => state === "unchecked" && name !== "log")) return "Incomplete";
  return verdict === null ? "Incomplete" : "Checked";
}

/** Rejected records that say something of this session: those of other sessions decide nothing here. */
export function failedRecords({ view }: Pick<AuditStage, "view">): AuditStage["view"]["rejected"] {
  return view.ok ? view.rejected.filter((record) => !isOutsideSession(view, record)) : view.rejected;
}

/** What is missing, and whether it could change the verdict. */
function gapsOf(
  { notes }: AuditSource,
  { view, verdict }: AuditStage,
  nameOf: NameOf,
): readonly WeighedGap[] {
  if (!view.ok || verdict === null) return [];
  const weigh = weigher(view, verdict);
  const logs = view.members.flatMap((member) => {
    const missing = missingOf(view, member);
    return missing === null ? [] : [{ says: describeGap(member, nameOf) ?? "", weight: weigh(missing) }];
  });
  const waiting = view.pending.flatMap(({ entry, missing }) =>
    missing.map((ref) => ({ says: `${entry.ref} waits for ${ref}.`, weight: weigh({ kind: "ref", ref }) })),
  );
  const noted = notes.flatMap((note) => {
    const missing = notedMissing(note);
    return missing === null ? [] : [{ says: `${describeNote(note)}.`, weight: weigh(missing) }];
  });
  return [...logs, ...waiting, ...noted];
}

/** The trust light in one sentence: what was checked, or the first thing that failed or is missing. */
export function describeLight(conclusion: AuditConclusion, stage: AuditStage, nameOf: NameOf): string {
  const { light, checks, gaps } = conclusion;
  switch (light) {
    case "Checked":
      return "Checked: every signature, link and rule.";
    case "Failed":
      return `Failed: ${firstFailure(checks, stage)}.`;
    case "Incomplete":
      return `Incomplete: ${firstGap(checks, stage, nameOf)}; ${effectOf(gaps, stage)}.`;
  }
}

function firstFailure(checks: readonly NamedCheck[], stage: AuditStage): string {
  const { view, verdict } = stage;
  const records = failedRecords(stage);
  const [first] = records;
  if (first !== undefined) {
    const isSigned = ["bad-signature", "wrong-signer"].includes(first.rejection.code);
    if (records.length > 1)
      return `${records.length} records are not what their authors signed, or no entries`;
    return isSigned ? "1 record is not what its author signed" : "1 record is no valid entry";
  }
  const failed = checks.find(({ state }) => state === "failed");
  if (failed !== undefined) return `${failed.name}: expected ${failed.expected}, found ${failed.found}`;
  if (!view.ok) return view.code === "bad-key" ? "the key is not this session's" : "the genesis is not valid";
  return verdict?.ok === false && verdict.code === "unknown-game"
    ? "this game is not known here"
    : "the rules of the game are not valid";
}

function firstGap(checks: readonly NamedCheck[], { view, verdict }: AuditStage, nameOf: NameOf): string {
  if (!view.ok) return "the genesis of this session is missing";
  const unreached = view.pending.flatMap(({ missing }) => missing.map((ref) => parseRef(ref)!.wallet));
  const holes = view.members.flatMap(({ wallet, gap }) => (gap === null ? [] : [wallet]));
  const authors = [...new Set([...holes, ...unreached])].map(nameOf);
  if (authors.length > 0) return `entries of ${authors.join(" and ")} are missing`;
  if (view.unchecked.length > 0)
    return `${plural(view.unchecked.length, "record was", "records were")} not checked`;
  if (verdict?.ok === false) return "the session is sealed, and its key is not here";
  const open = checks.find(({ state, name }) => state === "unchecked" && name !== "log");
  return open === undefined ? "not everything could be read" : `${open.name}: ${open.found}`;
}

function effectOf(gaps: readonly WeighedGap[], { view }: AuditStage): string {
  if (!view.ok) return "there is no result yet";
  if (gaps.length === 0) return "not every check could run";
  return gaps.some(({ weight }) => weight.could)
    ? "the result could change"
    : "what is missing could not change the result";
}

/** One fact about what a Hub did not give. */
export function describeNote(note: CollectNote): string {
  const where = `${note.hub}, ${note.what} of ${note.owner}`;
  switch (note.kind) {
    case "failed":
      return `${where}: ${note.error.message}`;
    case "missing":
      return `${where}: nothing at ${note.ref}`;
    case "other":
      return `${where}: at ${note.ref} lies ${note.found ?? "something unreadable"}`;
    case "hole":
      return `${where}: no entries ${note.from} to ${note.to}, later ones are there`;
    case "unreadable":
      return `${where}: what lies at entry ${note.seq} does not name its place`;
    case "differs":
      return `${where}: two texts for entry ${note.seq}`;
    case "capped":
      return `${where}: reading stopped at ${note.limit} ${note.unit}`;
    default:
      return `${where}: ${note.count} texts ${note.kind}`;
  }
}
