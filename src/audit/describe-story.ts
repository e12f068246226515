// A story's lines as plain sentences, once, for the page, the report and the command line. Names come by argument.

import type { Json } from "../core/canonical.ts";
import { describeFlag, inSentence, plural, withVerb, YOU, type NameOf } from "../games/describe.ts";
import { describeFinalityPlainly, describeResult, joinNames } from "./describe-result.ts";
import { textOf, type MoveFact, type StoryFact } from "./story-line.ts";
import type { View } from "../core/view.ts";

/** One line of the story of this view. */
export function describeStoryLine(fact: StoryFact, view: View, nameOf: NameOf): string {
  switch (fact.kind) {
    case "invited":
      return `${nameOf(fact.wallet)} invited to a game.`;
    case "accepted":
      return `${nameOf(fact.wallet)} accepted.`;
    case "started": {
      const others = fact.players
        .filter((wallet) => wallet !== fact.wallet)
        .map((one) => inSentence(nameOf(one)));
      const few = others.length <= 3 ? joinNames(others) : `${others.length} others`;
      return `${nameOf(fact.wallet)} started ${describeGame(fact.game, fact.rules)}${few === "" ? "" : `, with ${few}`}.`;
    }
    case "move":
      return describeMove(fact, nameOf);
    case "forked":
      return `${nameOf(fact.wallet)} forked ${their(nameOf(fact.wallet))} log: ${fact.count} different entries are signed for one position. That breaks the rules, so nothing of ${whose(nameOf(fact.wallet))} counts.`;
    case "elsewhere":
      return `${nameOf(fact.wallet)} wrote ${plural(fact.count, "entry", "entries")} for another session: real, but not counted here.`;
    case "rejected":
      return describeRejected(fact, nameOf);
    case "more-rejected":
      return `${plural(fact.count, "more record", "more records")} failed a check and count for nothing.`;
    case "withheld":
      return fact.count === null || fact.count === 1
        ? `An entry of ${whose(nameOf(fact.wallet))} is withheld: a later one proves that it exists, and no source gave it.`
        : `${fact.count} entries of ${whose(nameOf(fact.wallet))} are withheld: a later one proves that they exist, and no source gave them.`;
    case "broken":
      return `${possessive(nameOf(fact.wallet))} chain is broken: an entry names another one before it than the one that is here.`;
    case "more-waiting":
      return `${plural(fact.count, "more entry waits", "more entries wait")} for what is missing.`;
    case "owed":
      return describeOwed(fact, nameOf);
    case "default":
      return describeDefault(view, nameOf);
    case "result":
      return describeResult(fact.verdict, view, nameOf);
    case "rests":
      return describeBasis(fact.verdict.ok ? fact.verdict.basis.length : 0, fact, view, nameOf);
  }
}

/** What is played, and by which rules. */
export function describeGame(game: string, rules: { readonly [name: string]: Json }): string {
  const text = (name: string): string => (typeof rules[name] === "string" ? rules[name] : "");
  switch (game) {
    case "rps": {
      const best = typeof rules["best_of"] === "number" ? rules["best_of"] : 1;
      return `rock, paper, scissors${best > 1 ? `, best of ${best}` : ""}`;
    }
    case "vote": {
      const options = Array.isArray(rules["options"]) ? (rules["options"] as readonly Json[]) : [];
      const few = options.slice(0, 5).map((option) => `“${textOf(option)}”`);
      const more = options.length > few.length ? ` or ${options.length - few.length} more` : "";
      return `${rules["ballot"] === "secret" ? "a secret vote" : "an open vote"} on ${few.join(", ")}${more}`;
    }
    case "auction":
      return `${AUCTIONS[text("kind")] ?? AUCTIONS["first-price"]!}${text("item") === "" ? "" : ` for “${text("item")}”`}`;
    case "compare":
      return COMPARISONS[text("by")]?.(text("target")) ?? "a comparison";
    default:
      return `a session of “${game}”`;
  }
}

const AUCTIONS: { readonly [kind: string]: string } = {
  english: "an open auction",
  "first-price": "a sealed auction in which the highest bid wins and is paid",
  "second-price": "a sealed auction in which the highest bid wins and pays the second highest",
};

const COMPARISONS: { readonly [by: string]: (target: string) => string } = {
  closest: (target) => `a guess: whose value is closest to ${target}`,
  highest: () => "a comparison: whose value is highest",
  lowest: () => "a comparison: whose value is lowest",
  match: () => "a comparison: do all values match",
};

function describeMove(fact: MoveFact, nameOf: NameOf): string {
  const did = describeAct(fact, nameOf(fact.wallet));
  if (fact.waits) return `${did} It waits for something that is missing, so it does not count yet.`;
  if (fact.late !== null)
    return `${did} Too late: it is entry ${fact.late} of a share of ${fact.share}, so it does not count.`;
  if (fact.ignored !== null) return `${did} Ignored: ${describeIgnored(fact, fact.ignored)}.`;
  return `${did}${describeRound(fact, nameOf)}${fact.closes ? ` That was the last of ${their(nameOf(fact.wallet))} ${plural(fact.share, "entry", "entries")}, which closes the session.` : ""}`;
}

function describeAct({ act, noun, value, type, copyOf }: MoveFact, who: string): string {
  const said = value === null ? "" : noun === "move" ? capitalise(value) : quoted(noun, value);
  switch (act) {
    case "sealed":
      if (copyOf !== null) return `${who} repeated a seal that was not ${their(who)} own.`;
      return `${who} sealed ${who === YOU ? "your" : "a"} ${noun}.`;
    case "opened":
      return said === "" ? `${who} opened ${their(who)} ${noun}.` : `${who} opened: ${said}.`;
    case "voted":
      return said === "" ? `${who} voted.` : `${who} voted ${said}.`;
    case "bid":
      return said === "" ? `${who} bid.` : `${who} bid ${said}.`;
    case "passed":
      return `${who} passed.`;
    case "waited":
      return `${who} used up one entry without a move.`;
    case "reported":
      return `${who} published the proof of a fork.`;
    case "other":
      return `${who} wrote an entry of type “${type}”, which this game does not read.`;
  }
}

function describeIgnored({ value }: MoveFact, ignored: NonNullable<MoveFact["ignored"]>): string {
  if (ignored.flag !== "low-bid" || ignored.least === undefined)
    return PLAIN_FLAGS[ignored.flag] ?? describeFlag(ignored.flag);
  if (ignored.leading === undefined) return `${value} is below the reserve of ${ignored.least}`;
  const above = value !== null && BigInt(value) > BigInt(ignored.leading);
  return above
    ? `${value} is less than ${ignored.least}, the least that beats ${ignored.leading}`
    : `${value} is not above ${ignored.leading}`;
}

/** Where the plain reason is shorter than the exact one. */
const PLAIN_FLAGS: { readonly [flag: string]: string | undefined } = {
  "early-reveal": "it was too early, as not everybody had sealed yet",
  "duplicate-vote": "only the first vote counts",
  "bad-reveal": "it does not fit what was sealed",
  "reveal-without-commit": "nothing had been sealed before",
  "duplicate-commit": "another one was sealed before",
  "duplicate-reveal": "it was opened before",
  "bad-vote": "it is none of the options",
  "bid-after-pass": "who has passed can’t bid again",
  "self-raise": "it would only raise the bidder’s own leading bid",
};

function describeRound({ round }: MoveFact, nameOf: NameOf): string {
  if (round === null) return "";
  const [winning, losing] = round.values.map(capitalise) as [string, string];
  const won =
    round.winner === null ? ` Both chose ${winning}.` : ` ${winning} beats ${losing.toLowerCase()}.`;
  if (round.of === 1) return won;
  const [a, b] = round.score;
  if (round.winner === null) return `${won} Round ${round.round} is a draw.`;
  return `${won} ${withVerb(nameOf(round.winner), "wins", "win")} round ${round.round} (${a}–${b}).`;
}

function describeRejected(
  { wallet, code, type }: StoryFact & { readonly kind: "rejected" },
  nameOf: NameOf,
): string {
  const what = type === null ? "A record" : `A record of type “${type}”`;
  if (wallet === null) return `${what} failed a check (${code}) and counts for nothing.`;
  if (code === "wrong-signer" || code === "bad-signature")
    return `${what} under ${possessive(nameOf(wallet))} name is not what ${inSentence(nameOf(wallet))} signed: it counts for nothing.`;
  return `${what} under ${possessive(nameOf(wallet))} name is not well formed (${code}): it counts for nothing.`;
}

function describeOwed(
  { wallet, what, joined, closed, hasGap }: StoryFact & { readonly kind: "owed" },
  nameOf: NameOf,
): string {
  const who = nameOf(wallet);
  if (!joined) return closed ? `${who} never joined.` : `${withVerb(who, "has", "have")} not joined yet.`;
  if (hasGap) return `What ${inSentence(who)} did is not all here, so ${their(who)} move is still owed.`;
  const done = OWED[what];
  if (done === undefined) return `${withVerb(who, "owes", "owe")} a ${what}.`;
  return closed ? `${who} never ${done}.` : `${withVerb(who, "has", "have")} not ${done} yet.`;
}

const OWED: { readonly [what: string]: string | undefined } = {
  commit: "sealed a move",
  reveal: "opened the sealed move",
  vote: "voted",
  ballot: "opened a ballot",
  bid: "opened a bid",
  value: "opened a value",
  "bid or pass": "answered the last bid",
};

function describeDefault(view: View, nameOf: NameOf): string {
  const { default_outcome } = view.terms;
  const agreed =
    default_outcome.kind === "void"
      ? "nobody wins"
      : default_outcome.kind === "award"
        ? `${inSentence(nameOf(default_outcome.to))} ${nameOf(default_outcome.to) === YOU ? "get" : "gets"} it`
        : "the one who owes nothing wins";
  const strangers = view.members.filter(({ joined }) => !joined);
  const but = strangers.length > 0 ? ", but nobody loses a session without having joined it" : "";
  return `For this case it was agreed beforehand: ${agreed}${but}.`;
}

function describeBasis(
  count: number,
  fact: StoryFact & { readonly kind: "rests" },
  view: View,
  nameOf: NameOf,
): string {
  const rests = count === 0 ? "" : `This rests on ${plural(count, "signed entry", "signed entries")}. `;
  return `${rests}${fact.verdict.ok ? describeFinalityPlainly(fact.verdict, view, nameOf) : ""}`;
}

function quoted(noun: string, value: string): string {
  return noun === "bid" || noun === "value" ? value : `“${value}”`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function their(who: string): string {
  return who === YOU ? "your" : "their";
}

function whose(who: string): string {
  return who === YOU ? "yours" : `${who}’s`;
}

/** "Mira’s", "Your" within a sentence as "your". */
function possessive(who: string): string {
  return who === YOU ? "your" : `${who}’s`;
}
