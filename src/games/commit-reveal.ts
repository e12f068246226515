// Commit and reveal, shared by the games: one round of commitments and openings, walked in the protocol's order.
// A commitment binds session, wallet and round, so a copied one opens nothing.

import { canonicalize, own, type Json, type JsonObject } from "../core/canonical.ts";
import type { Steps } from "../core/steps.ts";
import { isHash, sha256, type Address, type Hash, type Ref } from "../core/values.ts";
import { isInPast, type Move, type View } from "../core/view.ts";
import type { Flag, FlagCode, Reason } from "./game.ts";

/** What a commitment is made of. `salt`: 32 random bytes as `0x` hex. */
export interface Commitment {
  readonly session: Ref;
  readonly wallet: Address;
  readonly round: number;
  readonly value: Json;
  readonly salt: Hash;
}

/** SHA-256 of the canonical form of the five members. @throws CanonicalError */
export function commitmentOf({ session, wallet, round, value, salt }: Commitment): Hash {
  return sha256(canonicalize({ session, wallet, round, value, salt }));
}

/** Body of a `commit`; games without rounds leave the round out. */
export function commitBody(commitment: Hash, round?: number): JsonObject {
  return round === undefined || round === 1 ? { commitment } : { commitment, round };
}

/** Body of a `reveal`. */
export function revealBody(value: Json, salt: Hash, round?: number): JsonObject {
  return round === undefined || round === 1 ? { value, salt } : { value, salt, round };
}

export interface Opening {
  readonly move: Move;
  readonly value: Json;
}

/** One round, as the entries in time have it. Keys are indices into `participants`. */
export interface Round {
  readonly round: number;
  readonly commits: ReadonlyMap<number, Move>;
  readonly openings: ReadonlyMap<number, Opening>;
  readonly flags: readonly Flag[];
}

export interface RoundRules {
  readonly round: number;
  readonly isValue: (value: Json) => boolean;
  /** All openings of the round before must be in a commit's past; none for the first. */
  readonly previous?: Round;
  /** A reveal at a place beyond this may open before everybody has committed; none: never. */
  readonly patience?: number | undefined;
}

/** Least number of commits, its own included, in the past of a reveal that opens early. */
const EARLY_COMMITS = 3;

/** Indices of the participants that have not forked. */
export function liveOf(view: View): number[] {
  const live: number[] = [];
  view.members.forEach(({ fault }, i) => {
    if (fault === null) live.push(i);
  });
  return live;
}

/** Moves looked at in one step. */
export const STEP = 256;

/** The moves that a game sees: in time, of wallets that have not forked, of the given types. */
export function* movesSeen(view: View, types: readonly string[]): Steps<Move[]> {
  const seen: Move[] = [];
  for (const [i, move] of view.order.entries()) {
    const { inTime, author, entry } = move;
    if (inTime && view.members[author]!.fault === null && types.includes(entry.type)) seen.push(move);
    if (i % (8 * STEP) === 0) yield;
  }
  return seen;
}

/** Walks the round's commits and reveals in order; each is counted or flagged. */
export function* walkRound(view: View, moves: readonly Move[], rules: RoundRules): Steps<Round> {
  const live = liveOf(view);
  const commits = new Map<number, Move>();
  const openings = new Map<number, Opening>();
  const flags: Flag[] = [];
  for (const [i, move] of moves.entries()) {
    if (i % STEP === 0) yield;
    if (roundOf(move.body) !== rules.round) continue;
    const flag =
      move.entry.type === "commit"
        ? checkCommit(move, commits, rules.previous)
        : checkReveal(view, move, live, commits, openings, rules);
    if (flag !== undefined) flags.push({ ref: move.ref, code: flag });
    else if (move.entry.type === "commit") commits.set(move.author, move);
    else openings.set(move.author, { move, value: own(move.body, "value")! });
  }
  return { round: rules.round, commits, openings, flags };
}

/** Absent means 1; anything but an integer is a round that no game plays. */
export function roundOf(body: JsonObject): Json {
  const round = own(body, "round");
  return round === undefined ? 1 : round;
}

function checkCommit(move: Move, commits: ReadonlyMap<number, Move>, previous?: Round): FlagCode | undefined {
  if (!isHash(own(move.body, "commitment"))) return "bad-commit";
  if (previous !== undefined)
    for (const opening of previous.openings.values())
      if (!isInPast(opening.move, move)) return "early-commit";
  return commits.has(move.author) ? "duplicate-commit" : undefined;
}

function checkReveal(
  view: View,
  move: Move,
  live: readonly number[],
  commits: ReadonlyMap<number, Move>,
  openings: ReadonlyMap<number, Opening>,
  rules: RoundRules,
): FlagCode | undefined {
  const commit = commits.get(move.author);
  if (commit === undefined) return "reveal-without-commit";
  if (openings.has(move.author)) return "duplicate-reveal";
  if (!mayOpen(move, live, commits, rules.patience)) return "early-reveal";
  const { body } = move;
  const value = own(body, "value");
  const salt = own(body, "salt");
  if (value === undefined || !isHash(salt) || !rules.isValue(value)) return "bad-reveal";
  const { session } = view;
  const opened = commitmentOf({ session, wallet: move.entry.wallet, round: rules.round, value, salt });
  return opened === own(commit.body, "commitment") ? undefined : "bad-reveal";
}

function mayOpen(
  move: Move,
  live: readonly number[],
  commits: ReadonlyMap<number, Move>,
  patience: number | undefined,
): boolean {
  let seen = 0;
  for (const commit of commits.values()) if (isInPast(commit, move)) seen++;
  if (seen === live.length) return true;
  return patience !== undefined && move.place > patience && seen >= EARLY_COMMITS;
}

/** Reasons for the entries that a round ignored. */
export function flagReasons(flags: readonly Flag[]): Reason[] {
  return flags.map(({ ref, code }) => {
    const wallet = ref.slice(0, 42) as Address;
    return { code: "ignored", wallet, entries: [ref], flag: code };
  });
}

/** Commit and opening of a wallet, as one reason. */
export function openingReason(view: View, author: number, round: Round): Reason {
  const { move, value } = round.openings.get(author)!;
  return {
    code: "counted",
    wallet: view.participants[author]!,
    entries: [round.commits.get(author)!.ref, move.ref],
    what: "opening",
    value: typeof value === "string" ? value : canonicalize(value),
    round: round.round,
  };
}

/** For games whose values are some plain texts. */
export function isOneOf(values: readonly string[]): (value: Json) => boolean {
  return (value) => typeof value === "string" && values.includes(value);
}

/** One member of a move's body as text for people. */
export function labelOf(body: JsonObject, member: string): string {
  const value = own(body, member);
  return value === undefined ? "no value" : typeof value === "string" ? value : canonicalize(value);
}
