// What a verdict says of single entries: which count and with what value, which were ignored and why, which won.

import type { Json } from "../core/canonical.ts";
import type { Steps } from "../core/steps.ts";
import type { Address, Ref } from "../core/values.ts";
import type { FlagCode, Outcome, Reason, Verdict } from "./game.ts";

export interface EntryMark {
  readonly counted: boolean;
  /** What it says, as the verdict quotes it: of a commit, what was sealed in it. */
  readonly value: string | null;
  /** Why it was ignored. */
  readonly flag: FlagCode | null;
  /** It won its round or the game. */
  readonly wins: boolean;
}

/** Reasons looked at in one step. */
const STEP = 2048;

/** Marks by entry; an entry of which the verdict says nothing has none. */
export function* markSteps(verdict: Verdict): Steps<ReadonlyMap<Ref, EntryMark>> {
  const marks = new Map<Ref, EntryMark>();
  if (!verdict.ok) return marks;
  for (const [i, reason] of verdict.reasons.entries()) {
    if (reason.code === "counted")
      for (const ref of reason.entries)
        marks.set(ref, { counted: true, value: reason.value ?? null, flag: null, wins: false });
    else if (reason.code === "ignored" && reason.flag !== undefined)
      for (const ref of reason.entries)
        marks.set(ref, { counted: false, value: null, flag: reason.flag, wins: false });
    if (i % STEP === 0) yield;
  }
  for (const ref of winningEntries(verdict.outcome, verdict.reasons)) {
    const mark = marks.get(ref);
    if (mark !== undefined) marks.set(ref, { ...mark, wins: true });
  }
  return marks;
}

/** The entries that won: of rounds the winner's opening, of a game the entry that made its author or choice win. */
export function winningEntries(outcome: Outcome | null, reasons: readonly Reason[]): readonly Ref[] {
  const byRound = reasons.flatMap(({ code, wallet, entries }) =>
    code === "round" && wallet !== undefined ? entries.filter((ref) => ref.startsWith(wallet)) : [],
  );
  if (outcome === null) return byRound;
  const counted = reasons.filter(({ code }) => code === "counted");
  switch (outcome.kind) {
    case "elected":
      return lastEntries(counted.filter(({ value }) => value === outcome["choice"]));
    case "sold":
      return lastEntries(counted.filter(({ wallet }) => wallet === outcome["winner"]).slice(-1));
    case "ranked":
      return lastEntries(counted.filter(({ wallet }) => isAmong(wallet, outcome["winners"])));
    default:
      return byRound;
  }
}

/** Of a commit and its opening the opening. */
function lastEntries(reasons: readonly Reason[]): readonly Ref[] {
  return reasons.flatMap(({ entries }) => entries.slice(-1));
}

function isAmong(wallet: Address | undefined, list: Json | undefined): boolean {
  return wallet !== undefined && Array.isArray(list) && (list as readonly Json[]).includes(wallet);
}
