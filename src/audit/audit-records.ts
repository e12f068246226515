// An audit of one session from a bag of records: both levels in turn, each with its view and verdict. The first comes
// within moments and is labelled `authenticated`; a verdict is called verified only at the second.

import { carriedByRecord } from "../core/evidence.ts";
import { readBag, type Bag, type ReadOptions, type Record } from "../core/bag.ts";
import { assembleSteps } from "../core/build-view.ts";
import { fromUtf8 } from "../core/bytes.ts";
import type { Entry } from "../core/entry.ts";
import type { DomainKey } from "../core/sealed.ts";
import { sortSteps, type Steps } from "../core/steps.ts";
import type { Hash, Ref } from "../core/values.ts";
import type { Level, NoView, RejectedRecord, UncheckedRecord, View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { judgeSteps } from "../games/judge.ts";
import { defaultPace, runSteps, type Pace } from "../platform/time-slices.ts";
import type { Progress, Report, Verifier } from "../verify/verifier.ts";

/** What is known of the session once a level is done. */
export interface AuditStage {
  readonly level: Level;
  readonly report: Report;
  readonly view: View | NoView;
  /** null where there is no view to judge. */
  readonly verdict: Verdict | null;
}

export interface AuditOptions {
  /** Opens a sealed session. */
  readonly domain?: DomainKey | undefined;
  readonly onStage?: (stage: AuditStage) => void;
  readonly onProgress?: (progress: Progress & { readonly level: Level }) => void;
  readonly signal?: AbortSignal;
  readonly pace?: Pace;
}

/**
 * Audits the records at both levels and returns the second stage. Never rejects because of what they hold; after an
 * abort the stage says what was not checked.
 */
export async function auditRecords(
  records: readonly Record[],
  session: Ref,
  verifier: Verifier,
  options: AuditOptions = {},
): Promise<AuditStage> {
  const pace = options.pace ?? defaultPace;
  const texts = await runSteps(textSteps(records), pace);
  const verify = (level: Level): Promise<Report> =>
    verifier.verify(texts, {
      level,
      ...(options.signal && { signal: options.signal }),
      onProgress: (progress) => options.onProgress?.({ ...progress, level }),
    });
  const view = (report: Report) => stageOf(report, records, session, options.domain, pace);
  const first = await view(await verify("authenticated"));
  options.onStage?.(first);
  await pace.pause();
  const report = await verify("verified");
  const last = (await runSteps(bearsOutSteps(report, first), pace))
    ? verifiedStage(first, report)
    : await view(report);
  options.onStage?.(last);
  return last;
}

async function stageOf(
  report: Report,
  records: readonly Record[],
  session: Ref,
  domain: DomainKey | undefined,
  pace: Pace,
): Promise<AuditStage> {
  const { check, parsed } = report;
  const bag = await runSteps(readSteps(records, { check, parsed }), pace);
  const view = await runSteps(assembleSteps(bag, session, domain), pace);
  return {
    level: report.level,
    report,
    view,
    verdict: view.ok ? await runSteps(judgeSteps(view), pace) : null,
  };
}

/**
 * Whether every signature was checked and what they say is all that the first level went by, so that its view and
 * verdict are those of the second as well: nothing is left out there, and nobody but the same records was refused.
 */
function* bearsOutSteps({ counts, check }: Report, { view, report }: AuditStage): Steps<boolean> {
  if (!view.ok || view.unchecked.length > 0) return false;
  if (counts.unchecked + counts.covered > 0 || counts.rejected !== report.counts.rejected) return false;
  let looked = 0;
  for (const entry of view.entries.values()) {
    const result = check(entry);
    if (!result.ok || result.by !== "signature") return false;
    if (++looked % (8 * STEP) === 0) yield;
  }
  return true;
}

function verifiedStage({ view, verdict }: AuditStage, report: Report): AuditStage {
  const level = "verified";
  return {
    level,
    report,
    view: view.ok ? { ...view, level } : view,
    verdict: verdict?.ok === true ? { ...verdict, level } : verdict,
  };
}

/** Records that are read in one step. */
const STEP = 32;

/** The bag of all records, a step at a time: what one bag holds does not depend on how it was filled. */
function* readSteps(records: readonly Record[], options: ReadOptions): Steps<Bag> {
  const entries = new Map<Ref, Entry>();
  const rejected = new Map<Hash, RejectedRecord>();
  const unchecked = new Map<Hash, UncheckedRecord>();
  let level: Level = "verified";
  for (let start = 0; start < records.length; start += STEP) {
    const bag = readBag(records.slice(start, start + STEP), options);
    for (const [ref, entry] of bag.entries) {
      const other = entries.get(ref);
      if (other === undefined || entry.wire < other.wire) entries.set(ref, entry);
    }
    for (const record of bag.rejected) rejected.set(record.hash, record);
    for (const record of bag.unchecked) unchecked.set(record.hash, record);
    if (bag.level === "authenticated") level = "authenticated";
    yield;
  }
  return {
    entries,
    rejected: yield* sortSteps(rejected.values(), byHash),
    unchecked: yield* sortSteps(unchecked.values(), byHash),
    level,
  };
}

function byHash(a: { readonly hash: Hash }, b: { readonly hash: Hash }): number {
  return a.hash < b.hash ? -1 : 1;
}

/** Texts to verify: the records' own, and those that evidence entries carry, which are records too (protocol, View). */
function* textSteps(records: readonly Record[]): Steps<string[]> {
  const texts = new Set<string>();
  let looked = 0;
  for (const record of records) {
    const text = typeof record === "string" ? record : fromUtf8(record);
    if (text !== undefined) texts.add(text); // what is no UTF-8 at all is the view's to reject
    if (++looked % STEP === 0) yield;
  }
  // A set is walked in order of insertion, so that what is added on the way is walked too.
  for (const text of texts) {
    for (const carried of carriedByRecord(text)) texts.add(carried);
    if (++looked % STEP === 0) yield;
  }
  return [...texts];
}
