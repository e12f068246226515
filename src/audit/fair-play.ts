// Did anybody cheat? Three steps, computed anew from the view: everything was sealed before anything was opened, each
// opening fits its seal, and no log has a hole. What broke a rule and was ignored counts as caught.

import { own } from "../core/canonical.ts";
import { isHash, type Address, type Ref } from "../core/values.ts";
import { isInPast, type Member, type Move, type View } from "../core/view.ts";
import { commitmentOf } from "../games/commit-reveal.ts";
import type { Reason, Verdict } from "../games/game.ts";

export type ProofState = "passed" | "caught" | "failed" | "unchecked" | "not-applicable";

/** One thing that was computed: about whom, what had to be there, and what is. */
export interface ProofFact {
  readonly state: ProofState;
  readonly wallet: Address;
  readonly round: number;
  readonly entries: readonly Ref[];
  readonly expected: string;
  readonly found: string;
}

export type ProofStepId = "sealed-first" | "opens-seal" | "nothing-left-out";

export interface ProofStep {
  readonly id: ProofStepId;
  /** The worst of its facts. */
  readonly state: ProofState;
  readonly facts: readonly ProofFact[];
}

/** The three steps, each computed when it is asked for. */
export const PROOF_STEPS: readonly ProofStepId[] = ["sealed-first", "opens-seal", "nothing-left-out"];

export function proveStep(id: ProofStepId, view: View, verdict: Verdict): ProofStep {
  const facts = FACTS[id](view, verdict);
  return { id, state: worstOf(facts), facts };
}

const FACTS: { readonly [id in ProofStepId]: (view: View, verdict: Verdict) => readonly ProofFact[] } = {
  "sealed-first": sealedFirst,
  "opens-seal": opensSeal,
  "nothing-left-out": (view) => view.members.map((member) => logFact(view, member)),
};

const ORDER: readonly ProofState[] = ["failed", "unchecked", "caught", "passed"];

function worstOf(facts: readonly ProofFact[]): ProofState {
  return ORDER.find((state) => facts.some((fact) => fact.state === state)) ?? "not-applicable";
}

interface Pair {
  readonly reason: Reason;
  readonly commit: Move;
  readonly reveal: Move;
}

/** Commit and opening of what counted. */
function pairsOf(view: View, verdict: Verdict): readonly Pair[] {
  if (!verdict.ok) return [];
  const moves = new Map(view.order.map((move) => [move.ref, move]));
  return verdict.reasons.flatMap((reason) => {
    if (reason.code !== "counted" || reason.what !== "opening") return [];
    const [commit, reveal] = reason.entries.map((ref) => moves.get(ref));
    return commit === undefined || reveal === undefined ? [] : [{ reason, commit, reveal }];
  });
}

/** Openings that were ignored with one of these flags. */
function caughtMoves(view: View, verdict: Verdict, codes: readonly string[]): readonly Move[] {
  if (!verdict.ok) return [];
  const flagged = new Set(verdict.flags.filter(({ code }) => codes.includes(code)).map(({ ref }) => ref));
  return flagged.size === 0 ? [] : view.order.filter(({ ref }) => flagged.has(ref));
}

function sealedFirst(view: View, verdict: Verdict): readonly ProofFact[] {
  const pairs = pairsOf(view, verdict);
  const facts = pairs.map(({ reason, reveal }): ProofFact => {
    const others = pairs.filter((one) => one.reason.round === reason.round && one.reveal !== reveal);
    const seen = others.filter(({ commit }) => isInPast(commit, reveal)).length;
    const isEarly = seen < others.length;
    return {
      state: isEarly && view.participants.length < 4 ? "failed" : "passed",
      wallet: reason.wallet!,
      round: reason.round ?? 1,
      entries: [reveal.ref],
      expected: `its past holds the seals of the others: ${others.length}`,
      found: isEarly ? `${seen}; its rules let it open after waiting` : `${seen} of ${others.length}`,
    };
  });
  const early = caughtMoves(view, verdict, ["early-reveal", "unseen-commit", "early-commit"]);
  return [...facts, ...early.map((move) => caught(move, "everybody had sealed before", "not yet: ignored"))];
}

function opensSeal(view: View, verdict: Verdict): readonly ProofFact[] {
  const facts = pairsOf(view, verdict).map(({ reason, commit, reveal }): ProofFact => {
    const sealed = own(commit.body, "commitment");
    const computed = sealOf(view, reveal, reason.round ?? 1);
    return {
      state: sealed === computed ? "passed" : "failed",
      wallet: reason.wallet!,
      round: reason.round ?? 1,
      entries: [commit.ref, reveal.ref],
      expected: typeof sealed === "string" ? sealed : "a SHA-256",
      found: computed ?? "nothing to hash",
    };
  });
  const bad = caughtMoves(view, verdict, ["bad-reveal", "reveal-without-commit"]);
  return [
    ...facts,
    ...bad.map((move) =>
      caught(move, "the hash that its author sealed", `${sealOf(view, move, 1) ?? "none"}: ignored`),
    ),
  ];
}

/** SHA-256 of what a reveal opens, as its author must have sealed it. */
function sealOf(view: View, { body, entry }: Move, round: number): string | undefined {
  const [value, salt] = [own(body, "value"), own(body, "salt")];
  if (value === undefined || !isHash(salt)) return undefined;
  return commitmentOf({ session: view.session, wallet: entry.wallet, round, value, salt });
}

function caught(move: Move, expected: string, found: string): ProofFact {
  const round = own(move.body, "round");
  return {
    state: "caught",
    wallet: move.entry.wallet,
    round: typeof round === "number" ? round : 1,
    entries: [move.ref],
    expected,
    found,
  };
}

/** Follows one log from its anchor to its last move, link by link. */
function logFact(view: View, { wallet, segment, fault, gap, anchor, end }: Member): ProofFact {
  const fact = { wallet, round: 1, entries: segment.slice(-1).map(({ ref }) => ref) };
  const expected = "each entry names the hash of the one before it";
  if (fault !== null)
    return { ...fact, state: "failed", expected, found: `two entries for place ${fault.seq}` };
  const broken = segment.findIndex((entry, i) => i > 0 && entry.prev_hash !== segment[i - 1]!.hash);
  if (gap?.code === "bad-prev" || broken >= 0)
    return {
      ...fact,
      state: "failed",
      expected,
      found: `a broken link at entry ${gap?.seq ?? segment[broken]!.seq}`,
    };
  if (gap !== null) return { ...fact, state: "unchecked", expected, found: `entry ${gap.seq} is not here` };
  const waits = view.pending.filter(({ entry }) => entry.wallet === wallet).length;
  if (waits > 0) return { ...fact, state: "unchecked", expected, found: `${waits} wait for what is missing` };
  if (view.unchecked.length > 0 || view.level !== "verified")
    return { ...fact, state: "unchecked", expected, found: "not every signature was checked" };
  if (end === null) return { ...fact, state: "not-applicable", expected, found: "no entry in this session" };
  return {
    ...fact,
    state: "passed",
    expected,
    found: `entries ${anchor.seq} to ${end}: ${segment.length}, none missing`,
  };
}
