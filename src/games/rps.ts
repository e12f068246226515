// Rock, paper, scissors for two, best of n: rounds of commit and reveal until one has a majority.

import { own, type JsonObject } from "../core/canonical.ts";
import { fail, ok } from "../core/result.ts";
import type { Steps } from "../core/steps.ts";
import type { Address } from "../core/values.ts";
import type { Move, View } from "../core/view.ts";
import {
  flagReasons,
  isOneOf,
  labelOf,
  movesSeen,
  openingReason,
  roundOf,
  walkRound,
  type Round,
} from "./commit-reveal.ts";
import { applyDefault, owedReasons, walletsOf } from "./default-outcome.ts";
import type { Flag, Game, Outcome, Reason, Resolution, RulesCheck } from "./game.ts";

export const RPS_VALUES = ["rock", "paper", "scissors"] as const;
export type RpsValue = (typeof RPS_VALUES)[number];

export interface RpsRules {
  readonly best_of: number;
}

export const rps: Game<RpsRules> = {
  name: "rps",
  moves: ["commit", "reveal"],
  readRules(rules: JsonObject, participants: readonly Address[]): RulesCheck<RpsRules> {
    for (const key of Object.keys(rules))
      if (key !== "best_of") return fail({ at: key, expected: "no such rule" });
    if (participants.length !== 2) return fail({ at: "participants", expected: "two participants" });
    const best = own(rules, "best_of") ?? (Object.hasOwn(rules, "best_of") ? null : 1);
    if (typeof best !== "number" || !Number.isInteger(best) || best < 1 || best > 99 || best % 2 === 0)
      return fail({ at: "best_of", expected: "an odd number from 1 to 99" });
    return ok({ best_of: best });
  },
  resolve,
  label: (type, body) => (type === "commit" ? null : capitalise(labelOf(body, "value"))),
  roundOf: (body) => {
    const round = roundOf(body);
    return typeof round === "number" ? round : null;
  },
};

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Play {
  readonly basis: Move[];
  readonly flags: Flag[];
  readonly reasons: Reason[];
  readonly score: [number, number];
}

function* resolve(view: View, { best_of }: RpsRules): Steps<Resolution> {
  const disqualified = resolveFaults(view);
  if (disqualified !== undefined) return disqualified;
  const play: Play = { basis: [], flags: [], reasons: [], score: [0, 0] };
  const moves = yield* movesSeen(view, rps.moves);
  const isValue = isOneOf(RPS_VALUES);
  let previous: Round | undefined;
  for (let n = 1; n <= best_of && Math.max(...play.score) * 2 <= best_of; n++) {
    const round = yield* walkRound(view, moves, { round: n, isValue, ...(previous && { previous }) });
    addRound(view, round, play);
    if (round.openings.size < 2) return unfinished(view, round, play);
    previous = round;
  }
  const outcome = outcomeOf(view, play.score);
  const { basis, flags, reasons } = play;
  return { status: "decided", outcome, waiting: [], flags, basis, reasons };
}

function resolveFaults(view: View): Resolution | undefined {
  const faulty = view.members.filter(({ fault }) => fault !== null);
  if (faulty.length === 0) return undefined;
  const honest = view.members.find(({ fault }) => fault === null);
  const outcome: Outcome =
    honest === undefined ? { kind: "void" } : { kind: "win", winner: honest.wallet, by: "disqualification" };
  return { status: "decided", outcome, waiting: [], flags: [], basis: [], reasons: [] };
}

function addRound(view: View, round: Round, play: Play): void {
  play.flags.push(...round.flags);
  const opened = [...round.openings.keys()].sort((a, b) => a - b);
  for (const author of opened) {
    play.basis.push(round.commits.get(author)!, round.openings.get(author)!.move);
    play.reasons.push(openingReason(view, author, round));
  }
  play.reasons.push(...flagReasons(round.flags));
  if (opened.length < 2) return;
  const [a, b] = opened.map((i) => RPS_VALUES.indexOf(round.openings.get(i)!.value as RpsValue)) as [
    number,
    number,
  ];
  const lead = (a - b + 3) % 3; // 0: equal, 1: the first wins, 2: the second wins
  if (lead > 0) play.score[lead - 1]!++;
  const winner = lead > 0 ? { wallet: view.participants[lead - 1]! } : {};
  const entries = opened.map((i) => round.openings.get(i)!.move.ref);
  play.reasons.push({ code: "round", ...winner, entries, round: round.round });
}

function unfinished(view: View, round: Round, { basis, flags, reasons }: Play): Resolution {
  const absent = [0, 1].filter((i) => !round.commits.has(i));
  const owing = absent.length > 0 ? absent : [0, 1].filter((i) => !round.openings.has(i));
  const why = [...reasons, ...owedReasons(view, owing, absent.length > 0 ? "commit" : "reveal")];
  if (view.closed) return applyDefault(view, new Set(owing), new Set(owing), flags, why);
  return { status: "pending", outcome: null, waiting: walletsOf(view, owing), flags, basis, reasons: why };
}

function outcomeOf(view: View, score: readonly [number, number]): Outcome {
  const byWallet = Object.fromEntries(view.participants.map((wallet, i) => [wallet, score[i]!]));
  if (score[0] === score[1]) return { kind: "draw", score: byWallet };
  return {
    kind: "win",
    winner: view.participants[score[0] > score[1] ? 0 : 1]!,
    by: "play",
    score: byWallet,
  };
}
