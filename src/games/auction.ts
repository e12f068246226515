// Auctions: first-price and second-price (sealed), and english (open, ascending). Amounts are exact at any size.

import type { JsonObject } from "../core/canonical.ts";
import { fail, ok } from "../core/result.ts";
import { isText } from "../core/session.ts";
import type { Address } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { isAmount } from "./amounts.ts";
import { labelOf, type Opening } from "./commit-reveal.ts";
import { resolveEnglish } from "./english.ts";
import type { Game, Outcome, RulesCheck } from "./game.ts";
import { readPatience, resolveSealed } from "./sealed-game.ts";

export interface AuctionRules {
  readonly kind: "first-price" | "second-price" | "english";
  readonly reserve: bigint;
  readonly increment: bigint;
  readonly patience: number | undefined;
}

const KINDS = ["first-price", "second-price", "english"];
const RULES = ["kind", "reserve", "increment", "patience", "item", "currency"];

export const auction: Game<AuctionRules> = {
  name: "auction",
  moves: ["bid", "pass", "commit", "reveal"],
  readRules,
  resolve: (view, rules) =>
    rules.kind === "english"
      ? resolveEnglish(view, rules)
      : resolveSealed(view, {
          isValue: isAmount,
          patience: rules.patience,
          what: "bid",
          outcomeOf: (openings) => sale(view, rules, openings),
        }),
  label: (type, body) => {
    if (type === "commit") return null;
    return type === "pass" ? "Pass" : labelOf(body, type === "bid" ? "amount" : "value");
  },
};

function readRules(
  rules: JsonObject,
  participants: readonly Address[],
  share: number,
): RulesCheck<AuctionRules> {
  for (const key of Object.keys(rules))
    if (!RULES.includes(key)) return fail({ at: key, expected: "no such rule" });
  const { kind = "first-price", reserve = "0", increment = "1", item = "", currency = "" } = rules;
  if (typeof kind !== "string" || !KINDS.includes(kind))
    return fail({ at: "kind", expected: KINDS.join(", ") });
  const english = kind === "english";
  if (!isAmount(reserve)) return fail({ at: "reserve", expected: "an amount as text" });
  if (!isAmount(increment) || increment === "0" || (!english && Object.hasOwn(rules, "increment")))
    return fail({ at: "increment", expected: "an amount of at least 1, only in an english auction" });
  if (!isText(item, 0, 200)) return fail({ at: "item", expected: "text up to 200 characters" });
  if (!isText(currency, 0, 200)) return fail({ at: "currency", expected: "text up to 200 characters" });
  if (english && Object.hasOwn(rules, "patience"))
    return fail({ at: "patience", expected: "no patience in an english auction" });
  const patience = english ? undefined : readPatience(rules, participants, share);
  if (patience?.ok === false) return patience;
  return ok({
    kind: kind as AuctionRules["kind"],
    reserve: BigInt(reserve),
    increment: BigInt(increment),
    patience: patience?.value,
  });
}

/** Undefined without any counted opening. */
function sale(view: View, rules: AuctionRules, openings: ReadonlyMap<number, Opening>): Outcome | undefined {
  if (openings.size === 0) return undefined;
  const bids = [...openings]
    .map(([author, { value }]) => ({ author, amount: BigInt(value as string) }))
    .filter(({ amount }) => amount >= rules.reserve)
    .sort((a, b) => (a.amount === b.amount ? a.author - b.author : a.amount > b.amount ? -1 : 1));
  const [best, second] = bids;
  if (best === undefined) return { kind: "unsold" };
  const price = rules.kind === "first-price" ? best.amount : (second?.amount ?? rules.reserve);
  return { kind: "sold", winner: view.participants[best.author]!, price: String(price) };
}
