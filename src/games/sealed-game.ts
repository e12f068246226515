// Sealed games (secret vote, sealed auction, compare): everybody commits, then opens. With four or more
// participants the patient may open early, and a commit that most openings had not seen is out.

import type { Json, JsonObject } from "../core/canonical.ts";
import { own } from "../core/canonical.ts";
import { fail, ok } from "../core/result.ts";
import type { Steps } from "../core/steps.ts";
import { isInPast, type Move, type View } from "../core/view.ts";
import {
  flagReasons,
  liveOf,
  movesSeen,
  openingReason,
  walkRound,
  type Opening,
  type Round,
} from "./commit-reveal.ts";
import { applyDefault, closedReasons, owedReasons, walletsOf } from "./default-outcome.ts";
import type { Flag, Outcome, Reason, Resolution, RulesCheck } from "./game.ts";

/** From how many participants on a wallet may open before all have committed. */
const EARLY_FROM = 4;

/** The `patience` rule: undefined where the game has fewer than four participants. */
export function readPatience(
  rules: JsonObject,
  participants: readonly unknown[],
  share: number,
): RulesCheck<number | undefined> {
  const patience = own(rules, "patience");
  const few = participants.length < EARLY_FROM;
  if (patience === undefined) return ok(few ? undefined : Math.max(1, Math.floor(share / 2)));
  if (few)
    return fail({ at: "patience", expected: `no patience with fewer than ${EARLY_FROM} participants` });
  const most = Math.max(1, share - 1);
  const fits =
    typeof patience === "number" && Number.isInteger(patience) && patience >= 1 && patience <= most;
  return fits ? ok(patience) : fail({ at: "patience", expected: `an integer from 1 to ${most}` });
}

interface SealedState {
  readonly round: Round;
  readonly live: readonly number[];
  /** Committed, and the commit is not out. */
  readonly counted: ReadonlySet<number>;
  readonly out: ReadonlySet<number>;
  /** Of others' openings, how many have not the wallet's commit in their past. */
  readonly blind: ReadonlyMap<number, number>;
  readonly phaseOver: boolean;
}

export interface SealedGame {
  readonly isValue: (value: Json) => boolean;
  readonly patience: number | undefined;
  /** What is committed to, in a word: ballot, bid, value. */
  readonly what: string;
  /** The outcome of the counted openings, by participant; undefined: the default applies. */
  readonly outcomeOf: (openings: ReadonlyMap<number, Opening>) => Outcome | undefined;
}

/** Resolves a sealed game. */
export function* resolveSealed(view: View, game: SealedGame): Steps<Resolution> {
  const state = yield* sealedState(view, game);
  const { round, live, counted, out } = state;
  const openings = new Map([...round.openings].filter(([author]) => counted.has(author)));
  const unopened = [...counted].filter((i) => !openings.has(i));
  const flags: Flag[] = [...round.flags];
  for (const i of out) flags.push({ ref: round.commits.get(i)!.ref, code: "unseen-commit" });
  const reasons: Reason[] = [
    ...[...openings.keys()].map((author) => openingReason(view, author, round)),
    ...flagReasons(flags),
  ];
  const decided = view.closed || (state.phaseOver && unopened.length === 0);
  if (!decided) {
    const waiting = state.phaseOver ? unopened : live.filter((i) => !round.commits.has(i));
    const owed = owedReasons(view, waiting, state.phaseOver ? "reveal" : "commit");
    const basis = basisOf(round, openings);
    return {
      status: "pending",
      outcome: null,
      waiting: walletsOf(view, waiting),
      flags,
      basis,
      reasons: [...reasons, ...owed],
    };
  }
  const waiting = new Set([...unopened, ...changers(state)]);
  const outcome = game.outcomeOf(openings);
  if (outcome === undefined) {
    const owing = new Set(live.filter((i) => !openings.has(i)));
    return applyDefault(view, owing, waiting, flags, [...reasons, ...owedReasons(view, owing, game.what)]);
  }
  const all = walletsOf(view, waiting);
  const late = all.map((wallet): Reason => ({ code: "could-still-change", wallet, entries: [] }));
  return {
    status: "decided",
    outcome,
    waiting: all,
    flags,
    basis: basisOf(round, openings),
    reasons: [...reasons, ...closedReasons(view), ...late],
  };
}

function* sealedState(view: View, { isValue, patience }: SealedGame): Steps<SealedState> {
  const live = liveOf(view);
  const moves = yield* movesSeen(view, ["commit", "reveal"]);
  const round = yield* walkRound(view, moves, { round: 1, isValue, patience });
  const blind = new Map<number, number>();
  const counted = new Set<number>();
  const out = new Set<number>();
  for (const [author, commit] of round.commits) {
    let unseeing = 0;
    for (const [other, { move }] of round.openings)
      if (other !== author && !isInPast(commit, move)) unseeing++;
    blind.set(author, unseeing);
    (2 * unseeing > round.commits.size - 1 ? out : counted).add(author);
  }
  const impatient = [...round.openings.values()].some(
    ({ move }) => patience !== undefined && move.place > patience,
  );
  return { round, live, counted, out, blind, phaseOver: round.commits.size === live.length || impatient };
}

/** Who, though decided, could still change the outcome by committing or by opening what is out. */
function changers({ round, live, counted, out, blind }: SealedState): number[] {
  const absent = live.filter((i) => !round.commits.has(i));
  const outUnopened = [...out].filter((i) => !round.openings.has(i));
  const g = absent.length;
  const more = g + outUnopened.length;
  const others = round.commits.size - 1 + g;
  const fixed =
    (g === 0 || 2 * round.openings.size > others) &&
    [...counted].every((i) => 2 * (blind.get(i)! + more) <= others) &&
    [...out].every((i) => 2 * blind.get(i)! > others);
  return fixed ? [] : [...absent, ...outUnopened];
}

function basisOf(round: Round, openings: ReadonlyMap<number, Opening>): Move[] {
  return [...openings].flatMap(([author, { move }]) => [round.commits.get(author)!, move]);
}
