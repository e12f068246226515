// Codes into sentences, once, for the interface and the command line alike. Names of wallets come by argument.

import { canonicalize, type Json } from "../core/canonical.ts";
import type { Address } from "../core/values.ts";
import type { Member, View } from "../core/view.ts";
import type { FlagCode, Outcome, Reason, Verdict } from "./game.ts";

/** How a wallet is called: a name, or its shortened address; `YOU` for the reader's own. */
export type NameOf = (wallet: Address) => string;

/** The reader, at the beginning of a sentence. A name that a stranger claims stands in quotation marks, never so. */
export const YOU = "You";

/** "Mira wins", "You win". */
export function withVerb(who: string, third: string, second: string): string {
  return `${who} ${who === YOU ? second : third}`;
}

/** A name within a sentence. */
export function inSentence(who: string): string {
  return who === YOU ? "you" : who;
}

/** "the bid of Mira", "your bid". */
function ownedBy(who: string, what: string): string {
  return who === YOU ? `your ${what}` : `the ${what} of ${who}`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const FLAGS: Record<FlagCode, string> = {
  "bad-commit": "it holds no commitment (a SHA-256 as 0x and 64 hex digits)",
  "early-commit": "its author had not yet seen every opening of the round before",
  "duplicate-commit": "its author had already committed in this round",
  "reveal-without-commit": "its author had not committed in this round",
  "duplicate-reveal": "its author had already opened in this round",
  "early-reveal":
    "not everybody had committed, as far as its author had seen, and it was too early to open without",
  "bad-reveal": "it does not open the author's commitment, or is no value of this game",
  "unseen-commit":
    "most of the others opened without having seen it, so it may have come after their openings",
  "duplicate-vote": "its author had already voted",
  "bad-vote": "it names none of the options",
  "bid-after-pass": "its author had passed, and a pass is for good",
  "bad-bid": "it holds no amount (digits without sign or leading zero)",
  "self-raise": "its author was already leading, as far as it had seen",
  "low-bid": "it is below the reserve, or not enough above the leading bid that its author had seen",
  unopened: "its sealed body does not open with this session's key",
};

/** Why an entry was ignored. */
export function describeFlag(code: FlagCode): string {
  return FLAGS[code];
}

/** One reason of a verdict, as a sentence. */
export function describeReason(reason: Reason, nameOf: NameOf): string {
  const who = reason.wallet === undefined ? "An entry" : nameOf(reason.wallet);
  const round = reason.round !== undefined && reason.round > 1 ? ` in round ${reason.round}` : "";
  switch (reason.code) {
    case "counted":
      return reason.what === "opening"
        ? `${who} committed and opened ${quote(reason.value)}${round}: counted.`
        : `${upperFirst(ownedBy(who, reason.what ?? "move"))}, ${quote(reason.value)}, counts.`;
    case "ignored":
      return `An entry${reason.wallet === undefined ? "" : ` of ${who === YOU ? "yours" : who}`} is ignored: ${FLAGS[reason.flag!]}.`;
    case "owed":
      return `${withVerb(who, "owes", "owe")} a ${reason.what}.`;
    case "could-still-change":
      return `${who} can still change the outcome with entries of ${who === YOU ? "your" : "its"} share.`;
    case "disqualified":
      return who === YOU
        ? `You signed two different entries for place ${reason.value} of your log: a fork. You are out, and none of your entries count.`
        : `${who} signed two different entries for place ${reason.value} of its log: a fork. It is out, and none of its entries count.`;
    case "not-joined":
      return `${withVerb(who, "owes", "owe")} a move but never entered the session, so nothing is awarded.`;
    case "closed":
      return `${withVerb(who, "has used up its", "have used up your")} share of entries, so the session is closed.`;
    case "default-applied":
      return `Moves were still owed when the session closed, so the declared default applied: ${reason.what}.`;
    case "late":
      return `${plural(reason.entries.length, "entry", "entries")} of ${who === YOU ? "yours" : who} came after ${who === YOU ? "your" : "its"} share was used up: late, not counted.`;
    case "round":
      return reason.wallet === undefined
        ? `Round ${reason.round} was a draw.`
        : `${who} won round ${reason.round}.`;
    case "decided":
      return `Decided: ${reason.what}.`;
  }
}

/** The outcome alone, as part of a sentence. */
export function describeOutcome(outcome: Outcome, nameOf: NameOf): string {
  const name = (value: Json | undefined) => (typeof value === "string" ? nameOf(value as Address) : "nobody");
  switch (outcome.kind) {
    case "win":
      return `${withVerb(name(outcome["winner"]), "wins", "win")}${WIN_BY[outcome["by"] as string] ?? ""}`;
    case "draw":
      return "a draw";
    case "void":
      return "void: nobody wins";
    case "award":
      return `awarded to ${inSentence(name(outcome["to"]))}, as declared`;
    case "elected":
      return `${quote(outcome["choice"])} is elected`;
    case "tie":
      return `a tie between ${list(outcome["choices"]).map(quote).join(" and ")}`;
    case "sold":
      return `sold to ${inSentence(name(outcome["winner"]))} for ${text(outcome["price"])}`;
    case "unsold":
      return "unsold";
    case "ranked":
      return describeAhead(list(outcome["winners"]).map(name));
    case "match":
      return "all values match";
    case "mismatch":
      return "the values do not match";
    default:
      return outcome.kind;
  }
}

function describeAhead(names: readonly string[]): string {
  const who = names.map((name, i) => (i === 0 ? name : inSentence(name))).join(" and ");
  return `${who} ${names.length > 1 || who === YOU ? "are" : "is"} ahead`;
}

const WIN_BY: Record<string, string> = {
  play: "",
  forfeit: " by forfeit: the other did not finish",
  disqualification: ": the other forked its log",
};

/** The verdict in one sentence. */
export function describeVerdict(verdict: Verdict, nameOf: NameOf): string {
  if (!verdict.ok)
    switch (verdict.code) {
      case "sealed":
        return "Private: only players and holders of the link can read the moves. Signatures, chains, order and shares can be checked.";
      case "unknown-game":
        return "No verdict: this game is not known here.";
      case "bad-genesis":
        return `No verdict: the rules are not right (${verdict.at ?? "rules"}: expected ${verdict.expected ?? "other"}).`;
    }
  if (verdict.outcome === null) {
    const who = verdict.waiting.map(nameOf).map(inSentence);
    return who.length === 0 ? "Open." : `Open: waiting for ${who.join(", ")}.`;
  }
  return `${upperFirst(describeOutcome(verdict.outcome, nameOf))}.`;
}

/** What the finality of this verdict means in this session, in one sentence. */
export function describeFinality(verdict: Verdict & { readonly ok: true }, nameOf: NameOf): string {
  switch (verdict.finality) {
    case "open":
      return "Open: moves are still owed.";
    case "final":
      return "Final. Nothing the players still write can change it.";
    case "settled":
      return verdict.waiting.length === 0
        ? "Decided, not final: a wallet that forked has a hole in its log, and what is missing may matter."
        : `Decided, but ${verdict.waiting.map(nameOf).map(inSentence).join(", ")} can still change it.`;
  }
}

/** What is known of a participant's gap, and nothing more. */
export function describeGap({ wallet, gap, anchor }: Member, nameOf: NameOf): string | undefined {
  if (gap === null) return undefined;
  const who = nameOf(wallet);
  switch (gap.code) {
    case "gap":
      return `${upperFirst(ownedBy(who, "log"))} has a hole at place ${gap.seq}: what comes after is not counted.`;
    case "bad-prev":
      return `Entry ${gap.seq} of ${inSentence(who)} names another predecessor than the entry that is there: the chain is broken.`;
    case "bad-anchor":
      return `The genesis pins entry ${anchor.seq} of ${inSentence(who)}, and that entry is not among the records.`;
  }
}

/** Why a view cannot be made. */
export function describeNoView(
  code: "no-genesis" | "bad-genesis" | "bad-key",
  at?: string,
  expected?: string,
): string {
  switch (code) {
    case "no-genesis":
      return "The genesis of this session is not among the records.";
    case "bad-genesis":
      return `The genesis is not well formed${at === undefined ? "" : ` (${at}: expected ${expected ?? "other"})`}.`;
    case "bad-key":
      return "The key is not the one that this session's genesis names.";
  }
}

/** Whether everything that the view rests on is there, in one sentence. */
export function describeCompleteness(view: View): string {
  if (view.complete) return "Complete: every log is whole up to its last entry in this session.";
  const gaps = view.members.filter(({ gap }) => gap !== null).length;
  const parts = [
    ...(gaps > 0 ? [`${plural(gaps, "log", "logs")} with a hole`] : []),
    ...(view.pending.length > 0
      ? [`${plural(view.pending.length, "entry", "entries")} waiting for something missing`]
      : []),
    ...(view.unchecked.length > 0
      ? [`${plural(view.unchecked.length, "record", "records")} not checked`]
      : []),
  ];
  return `Incomplete: ${parts.join(", ")}.`;
}

export function plural(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function quote(value: Json | undefined): string {
  return `“${text(value)}”`;
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : value === undefined ? "" : canonicalize(value);
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
