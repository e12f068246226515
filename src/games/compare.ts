// Compare sealed values: highest, lowest, closest to a target, or whether all match.

import { own, type Json, type JsonObject } from "../core/canonical.ts";
import { fail, ok } from "../core/result.ts";
import { isText } from "../core/session.ts";
import type { Address } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { isInteger } from "./amounts.ts";
import { labelOf, type Opening } from "./commit-reveal.ts";
import type { Game, Outcome, RulesCheck } from "./game.ts";
import { readPatience, resolveSealed } from "./sealed-game.ts";

export interface CompareRules {
  readonly by: "highest" | "lowest" | "closest" | "match";
  readonly target: bigint;
  readonly patience: number | undefined;
}

const WAYS = ["highest", "lowest", "closest", "match"];

export const compare: Game<CompareRules> = {
  name: "compare",
  moves: ["commit", "reveal"],
  readRules,
  resolve: (view, rules) =>
    resolveSealed(view, {
      isValue: rules.by === "match" ? (value) => isText(value, 1, 2000) : isInteger,
      patience: rules.patience,
      what: "value",
      outcomeOf: (openings) => rank(view, rules, openings),
    }),
  label: (type, body) => (type === "commit" ? null : labelOf(body, "value")),
};

function readRules(
  rules: JsonObject,
  participants: readonly Address[],
  share: number,
): RulesCheck<CompareRules> {
  for (const key of Object.keys(rules))
    if (!["by", "target", "patience", "question"].includes(key))
      return fail({ at: key, expected: "no such rule" });
  const by = own(rules, "by");
  const target = own(rules, "target");
  if (typeof by !== "string" || !WAYS.includes(by)) return fail({ at: "by", expected: WAYS.join(", ") });
  if (by === "closest" ? !isInteger(target) : target !== undefined)
    return fail({ at: "target", expected: "an integer as text, for closest and only there" });
  const { question = "" } = rules;
  if (!isText(question, 0, 2000)) return fail({ at: "question", expected: "text up to 2000 characters" });
  const patience = readPatience(rules, participants, share);
  if (!patience.ok) return patience;
  return ok({
    by: by as CompareRules["by"],
    target: BigInt((target as string | undefined) ?? 0),
    patience: patience.value,
  });
}

/** Undefined with fewer than two counted openings. */
function rank(view: View, rules: CompareRules, openings: ReadonlyMap<number, Opening>): Outcome | undefined {
  if (openings.size < 2) return undefined;
  const opened = [...openings].sort(([a], [b]) => a - b).map(([author, { value }]) => ({ author, value }));
  const values = Object.fromEntries(
    opened.map(({ author, value }): [Address, Json] => [view.participants[author]!, value]),
  );
  if (rules.by === "match") {
    const first = opened[0]!.value;
    return opened.every(({ value }) => value === first)
      ? { kind: "match", value: first }
      : { kind: "mismatch", values };
  }
  const scored = opened.map(({ author, value }) => ({
    author,
    score: scoreOf(rules, BigInt(value as string)),
  }));
  let best = scored[0]!.score;
  for (const { score } of scored) if (score > best) best = score;
  const winners = scored
    .filter(({ score }) => score === best)
    .map(({ author }) => view.participants[author]!);
  return { kind: "ranked", winners, values };
}

/** Greater is better. */
function scoreOf({ by, target }: CompareRules, value: bigint): bigint {
  if (by === "highest") return value;
  if (by === "lowest") return -value;
  return value > target ? target - value : value - target;
}
