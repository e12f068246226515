// A line of a session's story, as data: a move and what came of it, or something beside the moves.

import { canonicalize, own, type Json } from "../core/canonical.ts";
import type { Address } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { FlagCode, Outcome, Verdict } from "../games/game.ts";
import type { RoundResult } from "../games/round-results.ts";

/** What a move does, in the words of people. */
export type Act = "sealed" | "opened" | "voted" | "bid" | "passed" | "waited" | "reported" | "other";

export interface MoveFact {
  readonly kind: "move";
  readonly wallet: Address;
  readonly act: Act;
  /** Type of the entry, as it stands in it. */
  readonly type: string;
  /** What is sealed or opened: move, ballot, bid, value. */
  readonly noun: string;
  /** What it says; null where that is sealed, or nothing is said. */
  readonly value: string | null;
  /** Whose seal it repeats, which opens nothing for anybody else. */
  readonly copyOf: Address | null;
  /** Ignored by the game, with the numbers that it was measured by. */
  readonly ignored: { readonly flag: FlagCode; readonly least?: string; readonly leading?: string } | null;
  /** Number of the entry among its author's, where it came after the share. */
  readonly late: number | null;
  readonly share: number;
  /** Its author's share ends with it, and so the session is closed. */
  readonly closes: boolean;
  /** It waits for something that is missing. */
  readonly waits: boolean;
  /** The round that it completes. */
  readonly round: RoundResult | null;
}

export type StoryFact =
  | { readonly kind: "invited"; readonly wallet: Address }
  | { readonly kind: "accepted"; readonly wallet: Address }
  | {
      readonly kind: "started";
      readonly wallet: Address;
      readonly game: string;
      readonly rules: { readonly [name: string]: Json };
      readonly players: readonly Address[];
    }
  | MoveFact
  | { readonly kind: "forked"; readonly wallet: Address; readonly seq: number; readonly count: number }
  | { readonly kind: "elsewhere"; readonly wallet: Address; readonly count: number }
  | {
      readonly kind: "rejected";
      readonly wallet: Address | null;
      readonly code: string;
      readonly type: string | null;
    }
  | { readonly kind: "withheld"; readonly wallet: Address; readonly count: number | null }
  | { readonly kind: "broken"; readonly wallet: Address }
  | { readonly kind: "more-rejected"; readonly count: number }
  | { readonly kind: "more-waiting"; readonly count: number }
  | {
      readonly kind: "owed";
      readonly wallet: Address;
      readonly what: string;
      readonly joined: boolean;
      readonly closed: boolean;
      /** Its log is not all here. */
      readonly hasGap: boolean;
    }
  | { readonly kind: "default"; readonly outcome: Outcome }
  | { readonly kind: "result"; readonly verdict: Verdict }
  | { readonly kind: "rests"; readonly verdict: Verdict };

export interface StoryLine {
  /** Keys of what the line is about: refs, or `record:<hash>`. A click selects the first. */
  readonly entries: readonly string[];
  /** Moves of the session's order that are shown when the line is. */
  readonly at: number;
  readonly fact: StoryFact;
}

const ACTS: { readonly [type: string]: readonly [act: Act, member: string | null] } = {
  commit: ["sealed", null],
  reveal: ["opened", "value"],
  vote: ["voted", "choice"],
  bid: ["bid", "amount"],
  pass: ["passed", null],
  tick: ["waited", null],
  evidence: ["reported", null],
};

/** What an entry of that type does, and what it says. */
export function actOf(
  view: View,
  type: string,
  body: { readonly [name: string]: Json },
): Pick<MoveFact, "act" | "noun" | "value"> {
  const [act, member] = Object.hasOwn(ACTS, type) ? ACTS[type]! : (["other", null] as const);
  const value = member === null || view.sealed ? undefined : own(body, member);
  return { act, noun: nounOf(view.terms.game), value: value === undefined ? null : textOf(value) };
}

/** A text as it is, another value in its canonical form. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : canonicalize(value);
}

function nounOf(game: string): string {
  return { rps: "move", vote: "ballot", auction: "bid", compare: "value" }[game] ?? "move";
}
