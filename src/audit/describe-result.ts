// The result of a session in one sentence that says why, and whether it can still change. For headlines, the story's end,
// the report and the command line.

import { own, type Json } from "../core/canonical.ts";
import type { Address } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { describeVerdict, inSentence, plural, withVerb, YOU, type NameOf } from "../games/describe.ts";
import type { Outcome, Verdict } from "../games/game.ts";
import { roundResults } from "../games/round-results.ts";
import { textOf } from "./story-line.ts";

type Judged = Verdict & { readonly ok: true };

/** Who won, by what, against whom; while open, who has to move. */
export function describeResult(verdict: Verdict, view: View, nameOf: NameOf): string {
  if (!verdict.ok) return describeVerdict(verdict, nameOf);
  if (verdict.outcome === null) return describeOpen(verdict, view, nameOf);
  const sentence = describeOutcomePlainly(verdict, verdict.outcome, view, nameOf);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function describeOpen(verdict: Judged, view: View, nameOf: NameOf): string {
  if (verdict.waiting.length === 0) return "Open.";
  const holed = view.members.filter(({ wallet, gap }) => gap !== null && verdict.waiting.includes(wallet));
  if (holed.length > 0) {
    return `Open: entries of ${joinNames(holed.map(({ wallet }) => inSentence(nameOf(wallet))))} are missing here.`;
  }
  const owed = verdict.reasons.find(({ code, wallet }) => code === "owed" && wallet === verdict.waiting[0]);
  const names = verdict.waiting.map((wallet) => inSentence(nameOf(wallet)));
  const few = names.length <= 3 ? joinNames(names) : `${names.length} players`;
  const to = owed?.what === undefined ? "" : (TO_DO[owed.what] ?? "");
  return `Open: waiting for ${few}${to}.`;
}

const TO_DO: { readonly [what: string]: string | undefined } = {
  commit: " to seal a move",
  reveal: " to open the sealed move",
  vote: " to vote",
  "bid or pass": " to bid or pass",
};

function describeOutcomePlainly(verdict: Judged, outcome: Outcome, view: View, nameOf: NameOf): string {
  const currency = currencyOf(view);
  switch (outcome.kind) {
    case "win":
      return describeWin(verdict, outcome, view, nameOf);
    case "draw":
      return describeDraw(verdict, view);
    case "void":
      return `nobody wins${becauseOfSilence(verdict, view, nameOf)}`;
    case "award": {
      const to = nameOf(own(outcome, "to") as Address);
      return `awarded to ${inSentence(to)}, as agreed beforehand${becauseOfSilence(verdict, view, nameOf)}`;
    }
    case "elected": {
      const tally = own(outcome, "tally") as { readonly [option: string]: number } | undefined;
      const choice = own(outcome, "choice") as string;
      const votes = Object.values(tally ?? {}).reduce((sum, n) => sum + n, 0);
      return `“${choice}” is elected with ${tally?.[choice] ?? 0} of ${plural(votes, "vote", "votes")}`;
    }
    case "tie":
      return `a tie between ${list(outcome["choices"])
        .map((choice) => `“${textOf(choice)}”`)
        .join(" and ")}`;
    case "sold":
      return `sold to ${inSentence(nameOf(own(outcome, "winner") as Address))} for ${textOf(outcome["price"] ?? "")}${currency}${secondPrice(verdict, view)}`;
    case "unsold":
      return "unsold: no bid reached the reserve";
    case "ranked":
      return describeRanked(outcome, view, nameOf);
    default:
      return describeVerdict(verdict, nameOf).replace(/\.$/, "");
  }
}

function secondPrice({ reasons }: Judged, view: View): string {
  const bids = reasons.filter(({ code, what }) => code === "counted" && what === "opening").length;
  return view.terms.rules["kind"] === "second-price" && bids > 1 ? ", the second-highest bid" : "";
}

function describeWin(verdict: Judged, outcome: Outcome, view: View, nameOf: NameOf): string {
  const winner = own(outcome, "winner") as Address;
  const wins = withVerb(nameOf(winner), "wins", "win");
  const others = view.participants
    .filter((wallet) => wallet !== winner)
    .map((one) => inSentence(nameOf(one)));
  const loser = others[0] ?? "the other";
  if (outcome["by"] === "forfeit") return `${wins} by forfeit: ${loser} did not finish`;
  if (outcome["by"] === "disqualification")
    return `${wins}: ${loser} forked ${others[0] === "you" ? "your" : "their"} log by signing two moves for one position`;
  const rounds = [...roundResults(view, verdict).values()];
  const last = rounds.at(-1);
  if (last === undefined) return wins;
  if (last.of === 1) return `${wins} against ${loser}: ${last.values[0]} beats ${last.values[1]}`;
  const score = own(outcome, "score") as { readonly [wallet: string]: number } | undefined;
  const lost = view.participants.find((wallet) => wallet !== winner);
  return `${wins} ${score?.[winner] ?? 0}–${score?.[lost ?? ""] ?? 0} against ${loser}`;
}

function describeDraw(verdict: Judged, view: View): string {
  const last = [...roundResults(view, verdict).values()].at(-1);
  return last !== undefined && last.of === 1 ? `a draw: both chose ${last.values[0]}` : "a draw";
}

function describeRanked(outcome: Outcome, view: View, nameOf: NameOf): string {
  const winners = list(outcome["winners"]) as readonly Address[];
  const values = own(outcome, "values") as { readonly [wallet: string]: Json } | undefined;
  const names = winners.map((wallet, i) => (i === 0 ? nameOf(wallet) : inSentence(nameOf(wallet))));
  const are = names.length > 1 || names[0] === YOU ? "are" : "is";
  const target = view.terms.rules["target"];
  const by = { highest: "highest", lowest: "lowest", closest: `closest to ${textOf(target ?? "")}` }[
    textOf(view.terms.rules["by"] ?? "")
  ];
  const value = winners[0] === undefined ? undefined : values?.[winners[0]];
  return `${joinNames(names)} ${are} ${by ?? "ahead"}${value === undefined ? "" : `, with ${textOf(value)}`}`;
}

/** Who did not do what, where a default applied. */
function becauseOfSilence(verdict: Judged, view: View, nameOf: NameOf): string {
  const strangers = view.members
    .filter(({ joined }) => !joined)
    .map(({ wallet }) => inSentence(nameOf(wallet)));
  const owing = verdict.reasons.filter(({ code }) => code === "owed").flatMap(({ wallet }) => wallet ?? []);
  if (owing.length === 0) return "";
  if (strangers.length > 0) return `: ${joinNames(strangers)} never joined`;
  return `: ${joinNames(owing.map((wallet) => inSentence(nameOf(wallet))))} did not finish`;
}

/** Whether anything can still change the verdict, by whom and how. */
export function describeFinalityPlainly(verdict: Judged, view: View, nameOf: NameOf): string {
  if (verdict.finality === "open") return "Nothing is decided yet.";
  if (verdict.finality === "final") return "Final. Nothing the players still write can change it.";
  if (verdict.waiting.length === 0)
    return "Decided, not final: a player who forked has a hole in the log, and what is missing may matter.";
  const names = verdict.waiting.map((wallet) => inSentence(nameOf(wallet)));
  const few = names.length <= 3 ? joinNames(names) : `${names.length} players`;
  return `Decided, but ${few} can still change it by ${howToChange(verdict, view, names)}.`;
}

function howToChange({ waiting }: Judged, view: View, names: readonly string[]): string {
  const seats = waiting.map((wallet) => view.participants.indexOf(wallet));
  const [your, sealed] = [names.length === 1 && names[0] === "you" ? "your" : "their", "sealed"];
  if (seats.some((seat) => view.members[seat]?.joined === false)) return `joining and making ${your} move`;
  const hasSealed = seats.every((seat) => {
    const count = (type: string) =>
      view.order.filter(({ author, entry, inTime }) => author === seat && inTime && entry.type === type)
        .length;
    return count("commit") > count("reveal");
  });
  if (!hasSealed) return `making the move that is owed`;
  return `opening ${your} ${sealed} ${{ vote: "ballot", auction: "bid", compare: "value" }[view.terms.game] ?? "move"}${names.length > 1 ? "s" : ""}`;
}

function currencyOf(view: View): string {
  const currency = view.terms.rules["currency"];
  return typeof currency === "string" && currency !== "" ? ` ${currency}` : "";
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
