// From the form of a new game to an offer: the body of an invite or a genesis. What is wrong is said by the game's
// own check of its rules and the protocol's check of the terms, never by a copy of them. Pure.

import { codePoints } from "../../../core/bytes.ts";
import type { JsonObject } from "../../../core/canonical.ts";
import { PROTOCOL, readTermsBody, shareOf, type DefaultOutcome } from "../../../core/session.ts";
import { parseTypedAddress, type Address } from "../../../core/values.ts";
import { gameOf } from "../../../games/judge.ts";
import { offerBody, offerProblem } from "../../../invite/invite-entries.ts";
import type { Offer } from "../../../invite/invite.ts";
import type { GameName } from "../games.ts";

/** How the others come: the bot is called, an invite link is sent, or their addresses are known. */
export type With = "bot" | "friend" | "known";

/** Everything that the form holds, whatever the game; texts as they were typed. */
export interface Form {
  readonly game: GameName;
  readonly with: With;
  /** The creator takes a seat. */
  readonly plays: boolean;
  /** The invite is announced in the lobby. */
  readonly open: boolean;
  /** Moves are sealed: only players and holders of the session's key read them. */
  readonly isPrivate: boolean;
  /** Of a private session: name of a domain that serves several; empty for a key of its own. */
  readonly domain: string;
  readonly seats: string;
  /** Addresses of the others, one a line, for `known`. */
  readonly addresses: string;
  readonly title: string;
  readonly whenSilent: DefaultOutcome["kind"];
  /** Who is awarded; "" for the creator. */
  readonly awardTo: string;
  /** Empty: computed. */
  readonly deadline: string;
  readonly patience: string;
  readonly bestOf: string;
  /** One option a line. */
  readonly options: string;
  readonly ballot: "open" | "secret";
  readonly quorum: string;
  readonly kind: "first-price" | "second-price" | "english";
  readonly reserve: string;
  readonly increment: string;
  readonly item: string;
  readonly currency: string;
  readonly by: "highest" | "lowest" | "closest" | "match";
  readonly target: string;
  readonly question: string;
}

export const DEFAULT_FORM: Form = {
  game: "rps",
  with: "friend",
  plays: true,
  open: false,
  isPrivate: false,
  domain: "",
  seats: "2",
  addresses: "",
  title: "",
  whenSilent: "forfeit",
  awardTo: "",
  deadline: "",
  patience: "",
  bestOf: "1",
  options: "Yes\nNo",
  ballot: "open",
  quorum: "1",
  kind: "first-price",
  reserve: "0",
  increment: "1",
  item: "",
  currency: "",
  by: "highest",
  target: "",
  question: "",
};

/** The form after another game was chosen: what applies to silence is what suits that game. */
export function withGame(form: Form, game: GameName): Form {
  return {
    ...form,
    game,
    seats: game === "rps" ? "2" : form.seats,
    whenSilent: game === "rps" ? "forfeit" : "void",
  };
}

/** Entries that each side may write beyond what the game needs: for retries, and for ticks. */
const SPARE = 4;
/** Bids and a pass that an english auction leaves room for. */
const ENGLISH_BIDS = 20;

/** Each side's share of entries: what the game asks at the most, and some to spare. */
export function shareNeeded(form: Form): number {
  switch (form.game) {
    case "rps":
      return 2 * (wholeOf(form.bestOf) ?? 1) + SPARE;
    case "vote":
      return (form.ballot === "open" ? 1 : 2) + SPARE;
    case "auction":
      return form.kind === "english" ? ENGLISH_BIDS + SPARE : 2 + SPARE;
    case "compare":
      return 2 + SPARE;
  }
}

/** Whether the game is one in which commits come before openings. */
export function isSealed(form: Form): boolean {
  return (
    form.game === "compare" ||
    (form.game === "vote" && form.ballot === "secret") ||
    (form.game === "auction" && form.kind !== "english")
  );
}

/** `at`: the rule or term that is wrong, as the game or the protocol names it, or a field of the form alone. */
export type Checked =
  | { readonly ok: false; readonly at: string; readonly expected: string }
  | {
      readonly ok: true;
      readonly offer: Offer;
      /** The participants, for a session among known addresses; with places kept free for who is invited. */
      readonly participants: readonly Address[];
      readonly seats: number;
      readonly share: number;
    };

/** Checks the form. `me`: the creator's address, null while its key is still to be made. */
export function checkForm(form: Form, me: Address | null): Checked {
  const seated = participantsOf(form, me ?? placeholder(0));
  if (!Array.isArray(seated)) return seated as Checked & { ok: false };
  const participants = seated as readonly Address[];
  const deadline =
    form.deadline.trim() === ""
      ? participants.length * shareNeeded(form) + 1
      : (wholeOf(form.deadline) ?? Number.NaN);
  const offer: Offer = {
    game: form.game,
    rules: rulesOf(form),
    deadline,
    default_outcome: defaultOf(form, me ?? placeholder(0)),
    ...(form.title.trim() !== "" && { title: form.title.trim() }),
  };
  const whole = { ...offerBody(offer), deadline: Number.isNaN(deadline) ? null : deadline };
  const terms = readTermsBody({ ...whole, protocol: PROTOCOL, participants });
  if (!terms.ok) return { ok: false, at: terms.error.at, expected: terms.error.expected };
  const share = shareOf(terms.value);
  const check = gameOf(form.game)!.checkRules(offer.rules, participants, share);
  if (!check.ok) return { ok: false, ...check.error };
  const seats = participants.length;
  if (!form.isPrivate) return { ok: true, offer, participants, seats, share };
  const sealed: Offer = { ...offer, private: true };
  if (offerProblem(sealed, me ?? placeholder(0), seats) !== undefined)
    return { ok: false, at: "seats", expected: `fewer than ${seats}: the key is sealed to each of them` };
  if (codePoints(form.domain.trim()) > 200)
    return { ok: false, at: "domain", expected: "at most 200 characters" };
  return { ok: true, offer: sealed, participants, seats, share };
}

function participantsOf(form: Form, me: Address): readonly Address[] | (Checked & { ok: false }) {
  const first = form.plays ? [me] : [];
  if (form.with === "known") {
    const others = addressesIn(form.addresses);
    return others.ok ? [...first, ...others.addresses] : others;
  }
  const seats = wholeOf(form.seats);
  if (seats === undefined || seats < 2 || seats > 128)
    return { ok: false, at: "seats", expected: "a number from 2 to 128" };
  return [...first, ...Array.from({ length: seats - first.length }, (_, i) => placeholder(i + 1))];
}

/** Addresses, one a line; a wrong checksum is refused. */
function addressesIn(
  text: string,
): { readonly ok: true; readonly addresses: readonly Address[] } | (Checked & { ok: false }) {
  const addresses: Address[] = [];
  for (const line of text.split(/[\s,]+/).filter((one) => one !== "")) {
    const typed = parseTypedAddress(line);
    if (!typed.ok) {
      const expected =
        typed.code === "bad-checksum"
          ? "right letter case: a digit may be wrong in"
          : "0x and 40 hexadecimal digits instead of";
      return { ok: false, at: "addresses", expected: `${expected} “${line.slice(0, 60)}”` };
    }
    addresses.push(typed.address);
  }
  if (addresses.length === 0) return { ok: false, at: "addresses", expected: "at least one address" };
  return { ok: true, addresses };
}

/** Stands in for who is not known yet, so that rules which depend on the number of seats can be checked. */
function placeholder(i: number): Address {
  return `0x${(i + 1).toString(16).padStart(40, "0")}`;
}

function defaultOf({ whenSilent, awardTo }: Form, me: Address): DefaultOutcome {
  if (whenSilent !== "award") return { kind: whenSilent };
  const typed = parseTypedAddress(awardTo.trim());
  return { kind: "award", to: typed.ok ? typed.address : me };
}

/** The rules as they are offered: what equals the default is left out where that reads well. */
function rulesOf(form: Form): JsonObject {
  const patience =
    isSealed(form) && form.patience.trim() !== ""
      ? { patience: wholeOf(form.patience) ?? form.patience.trim() }
      : {};
  switch (form.game) {
    case "rps":
      return form.bestOf === "1" ? {} : { best_of: wholeOf(form.bestOf) ?? form.bestOf };
    case "vote":
      return {
        options: linesOf(form.options),
        ballot: form.ballot,
        quorum: wholeOf(form.quorum) ?? form.quorum,
        ...patience,
      };
    case "auction":
      return {
        kind: form.kind,
        reserve: form.reserve.trim(),
        ...(form.kind === "english" && { increment: form.increment.trim() }),
        ...(form.item.trim() !== "" && { item: form.item.trim() }),
        ...(form.currency.trim() !== "" && { currency: form.currency.trim() }),
        ...patience,
      };
    case "compare":
      return {
        by: form.by,
        ...(form.by === "closest" && { target: form.target.trim() }),
        ...(form.question.trim() !== "" && { question: form.question.trim() }),
        ...patience,
      };
  }
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A whole number in plain digits, or undefined. */
function wholeOf(text: string): number | undefined {
  return /^(0|[1-9][0-9]{0,8})$/.test(text.trim()) ? Number(text.trim()) : undefined;
}
