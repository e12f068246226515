// What a game is: typed moves over a view, and a pure resolver. No clock, no randomness, no I/O.

import type { JsonObject } from "../core/canonical.ts";
import type { Address, Hash, Ref } from "../core/values.ts";
import type { Result } from "../core/result.ts";
import type { Steps } from "../core/steps.ts";
import type { Level, Move, View } from "../core/view.ts";

/** An outcome is plain data; `kind` says which: void, award, win, draw, elected, tie, sold, unsold, ranked, match, mismatch. */
export type Outcome = JsonObject & { readonly kind: string };

/** An entry that the game saw and ignored, and why. */
export interface Flag {
  readonly ref: Ref;
  readonly code: FlagCode;
}

export const FLAG_CODES = [
  "bad-commit",
  "early-commit",
  "duplicate-commit",
  "reveal-without-commit",
  "duplicate-reveal",
  "early-reveal",
  "bad-reveal",
  "unseen-commit",
  "duplicate-vote",
  "bad-vote",
  "bid-after-pass",
  "bad-bid",
  "self-raise",
  "low-bid",
  "unopened",
] as const;
export type FlagCode = (typeof FLAG_CODES)[number];

export const REASON_CODES = [
  "counted", // these entries count (wallet: their author; value: what they say)
  "ignored", // this entry was ignored (flag: why)
  "owed", // this wallet owes a move (what: commit, reveal, vote, bid or pass)
  "could-still-change", // decided, but this wallet could still change it
  "disqualified", // the wallet forked; entries: both versions
  "not-joined", // the wallet never entered, so nothing is awarded
  "closed", // a wallet's share is spent, so the session is closed
  "default-applied", // the declared default decided (what: void, forfeit, award)
  "late", // these entries came after the author's share
  "round", // result of a round (round, value)
  "decided", // the rule that decided (what)
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** One step of the explanation of a verdict, and the entries that it rests on. `describeReason` makes it a sentence. */
export interface Reason {
  readonly code: ReasonCode;
  readonly wallet?: Address;
  readonly entries: readonly Ref[];
  readonly what?: string;
  readonly value?: string;
  readonly round?: number;
  readonly flag?: FlagCode;
}

/** What a game's resolver returns. */
export interface Resolution {
  readonly status: "pending" | "decided";
  /** null while pending. */
  readonly outcome: Outcome | null;
  /** In the order of participants: who owes a move (pending), or who could still change the outcome (decided). */
  readonly waiting: readonly Address[];
  readonly flags: readonly Flag[];
  /** The entries that the outcome rests on. */
  readonly basis: readonly Move[];
  readonly reasons: readonly Reason[];
}

/** Why a game refuses rules: the rule that is wrong, and what it should be. */
export interface BadRules {
  readonly at: string;
  readonly expected: string;
}

export type RulesCheck<R> = Result<R, BadRules>;

/** A game with rules of type R. `readRules` fills in defaults; `resolve` sees only entries that are in time. */
export interface Game<R = unknown> {
  readonly name: string;
  /** Types of entry that the game reads. */
  readonly moves: readonly string[];
  readRules(rules: JsonObject, participants: readonly Address[], share: number): RulesCheck<R>;
  /** In steps, so that a page with a long session can answer meanwhile. */
  resolve(view: View, rules: R): Steps<Resolution>;
  /** What a move of these says, as a short text for people; null where its value is sealed in it. */
  readonly label: (type: string, body: JsonObject) => string | null;
  /** The round that a move names; absent in games without rounds. */
  readonly roundOf?: (body: JsonObject) => number | null;
}

export type Finality = "open" | "settled" | "final";

/** The verdict on a session (protocol section 6). */
export type Verdict =
  | {
      readonly ok: true;
      readonly status: "pending" | "decided";
      readonly outcome: Outcome | null;
      readonly waiting: readonly Address[];
      readonly finality: Finality;
      /** SHA-256 of the canonical form of {session, outcome, entries}. */
      readonly digest: Hash;
      readonly flags: readonly Flag[];
      readonly basis: readonly Ref[];
      readonly reasons: readonly Reason[];
      readonly level: Level;
    }
  | {
      readonly ok: false;
      readonly code: "sealed" | "unknown-game" | "bad-genesis";
      readonly at?: string;
      readonly expected?: string;
    };
