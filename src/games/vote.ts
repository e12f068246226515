// Vote among options, open (one `vote` each) or secret (sealed), with a quorum.

import { own, type Json, type JsonObject } from "../core/canonical.ts";
import { fail, ok } from "../core/result.ts";
import { isText } from "../core/session.ts";
import type { Steps } from "../core/steps.ts";
import type { Address } from "../core/values.ts";
import type { Move, View } from "../core/view.ts";
import { flagReasons, isOneOf, labelOf, liveOf, movesSeen, STEP } from "./commit-reveal.ts";
import { applyDefault, closedReasons, owedReasons, walletsOf } from "./default-outcome.ts";
import type { Flag, Game, Outcome, Reason, Resolution, RulesCheck } from "./game.ts";
import { readPatience, resolveSealed } from "./sealed-game.ts";

export interface VoteRules {
  readonly options: readonly string[];
  readonly ballot: "open" | "secret";
  readonly quorum: number;
  readonly patience: number | undefined;
}

export const vote: Game<VoteRules> = {
  name: "vote",
  moves: ["vote", "commit", "reveal"],
  readRules,
  resolve: (view, rules) =>
    rules.ballot === "secret" ? resolveSecret(view, rules) : resolveOpen(view, rules),
  label: (type, body) => (type === "commit" ? null : labelOf(body, type === "vote" ? "choice" : "value")),
};

function readRules(
  rules: JsonObject,
  participants: readonly Address[],
  share: number,
): RulesCheck<VoteRules> {
  for (const key of Object.keys(rules))
    if (!["options", "ballot", "quorum", "patience"].includes(key))
      return fail({ at: key, expected: "no such rule" });
  const options = own(rules, "options");
  if (!isOptions(options))
    return fail({ at: "options", expected: "2 to 64 different texts of 1 to 200 characters" });
  const { ballot = "open", quorum = 1 } = rules;
  if (ballot !== "open" && ballot !== "secret") return fail({ at: "ballot", expected: "open or secret" });
  if (typeof quorum !== "number" || !Number.isInteger(quorum) || quorum < 1 || quorum > participants.length)
    return fail({ at: "quorum", expected: `an integer from 1 to ${participants.length}` });
  if (ballot === "open" && Object.hasOwn(rules, "patience"))
    return fail({ at: "patience", expected: "no patience in an open vote" });
  const patience = ballot === "secret" ? readPatience(rules, participants, share) : undefined;
  if (patience?.ok === false) return patience;
  return ok({ options, ballot, quorum, patience: patience?.value });
}

function isOptions(value: Json | undefined): value is readonly string[] {
  if (!Array.isArray(value) || value.length < 2 || value.length > 64) return false;
  const list = value as readonly Json[];
  return list.every((option) => isText(option, 1, 200)) && new Set(list).size === list.length;
}

function resolveSecret(view: View, rules: VoteRules): Steps<Resolution> {
  return resolveSealed(view, {
    isValue: isOneOf(rules.options),
    patience: rules.patience,
    what: "ballot",
    outcomeOf: (openings) =>
      countBallots(
        rules,
        [...openings.values()].map(({ value }) => value as string),
      ),
  });
}

function* resolveOpen(view: View, rules: VoteRules): Steps<Resolution> {
  const counted = new Map<number, Move>();
  const flags: Flag[] = [];
  const moves = yield* movesSeen(view, ["vote"]);
  for (const [i, move] of moves.entries()) {
    if (i % STEP === 0) yield;
    const choice = own(move.body, "choice");
    if (counted.has(move.author)) flags.push({ ref: move.ref, code: "duplicate-vote" });
    else if (typeof choice !== "string" || !rules.options.includes(choice))
      flags.push({ ref: move.ref, code: "bad-vote" });
    else counted.set(move.author, move);
  }
  const owing = new Set(liveOf(view).filter((i) => !counted.has(i)));
  const basis = [...counted.values()];
  const reasons: Reason[] = [
    ...basis.map(({ entry, ref, body }): Reason => {
      const value = own(body, "choice") as string;
      return { code: "counted", wallet: entry.wallet, entries: [ref], what: "vote", value };
    }),
    ...flagReasons(flags),
    ...owedReasons(view, owing, "vote"),
  ];
  const waiting = walletsOf(view, owing);
  if (owing.size > 0 && !view.closed)
    return { status: "pending", outcome: null, waiting, flags, basis, reasons };
  const outcome = countBallots(
    rules,
    basis.map(({ body }) => own(body, "choice") as string),
  );
  if (outcome === undefined) return applyDefault(view, owing, owing, flags, reasons);
  return { status: "decided", outcome, waiting, flags, basis, reasons: [...reasons, ...closedReasons(view)] };
}

/** Undefined below the quorum. */
function countBallots({ options, quorum }: VoteRules, ballots: readonly string[]): Outcome | undefined {
  if (ballots.length < quorum) return undefined;
  const counts = options.map((option) => ballots.filter((ballot) => ballot === option).length);
  const most = Math.max(...counts);
  const choices = options.filter((_, i) => counts[i] === most);
  const tally = Object.fromEntries(options.map((option, i) => [option, counts[i]!]));
  return choices.length === 1
    ? { kind: "elected", choice: choices[0]!, tally }
    : { kind: "tie", choices, tally };
}
