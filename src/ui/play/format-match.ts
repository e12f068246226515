// The rules of a match in a sentence, said before it starts and while it goes on. Pure.

import { own, type Json, type JsonObject } from "../../core/canonical.ts";

/** "" for a game that is not known here. */
export function formatMatch(game: string, rules: JsonObject): string {
  switch (game) {
    case "rps":
      return formatRps(own(rules, "best_of"));
    case "vote": {
      const secret = own(rules, "ballot") === "secret";
      return `One ballot each, the first one counts. ${secret ? "Ballots stay sealed until all are in." : "Everybody sees each vote at once."} Equal counts are a tie.`;
    }
    case "auction":
      return lookUp(AUCTIONS, own(rules, "kind"));
    case "compare":
      return `Everybody seals a value; all are opened together. ${lookUp(COMPARES, own(rules, "by"))}`.trim();
    default:
      return "";
  }
}

function lookUp(sentences: { readonly [value: string]: string }, value: Json | undefined): string {
  return typeof value === "string" ? (sentences[value] ?? "") : "";
}

function formatRps(bestOf: unknown): string {
  const rounds = typeof bestOf === "number" ? bestOf : 1;
  const seal = "You both seal a choice, then both are opened.";
  return rounds === 1
    ? `One round. ${seal} Equal choices are a draw.`
    : `Best of ${rounds}; a draw counts as a round. ${seal}`;
}

const AUCTIONS: { readonly [kind: string]: string } = {
  "first-price": "Bids stay sealed until all are in. The highest bid wins and pays what it bid.",
  "second-price": "Bids stay sealed until all are in. The highest bid wins and pays the second highest.",
  english: "Open bids rise until all others pass. The highest bid wins.",
};

const COMPARES: { readonly [by: string]: string } = {
  highest: "The highest is ahead.",
  lowest: "The lowest is ahead.",
  closest: "The closest to the target is ahead.",
  match: "The question is whether all match.",
};
