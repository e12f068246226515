// What a seat owes and what it may refer to: pure functions of view and verdict, the same for the board's buttons,
// for the bot and for what is signed.

import { own } from "../core/canonical.ts";
import type { Candidate } from "../core/entry.ts";
import type { Address, Hash, Ref } from "../core/values.ts";
import { isInPast, type Move, type View } from "../core/view.ts";
import { isAmount, isInteger } from "../games/amounts.ts";
import type { FlagCode, Verdict } from "../games/game.ts";
import { RPS_VALUES } from "../games/rps.ts";
import { isText } from "../core/session.ts";
import type { Owed } from "./peer.ts";

/**
 * What a wallet owes now: a move while the verdict is pending; once it is decided and not final, the opening of what it
 * has committed, as long as its share lasts. Only then does a player gain nothing by rushing through its share.
 */
export function owedBy(view: View, verdict: Verdict, wallet: Address): Owed[] {
  if (!verdict.ok || verdict.finality === "final") return [];
  if (verdict.status === "decided") return lateOpening(view, verdict, wallet);
  const round = verdict.reasons.filter(({ code }) => code === "round").length + 1;
  return verdict.reasons.flatMap((reason): Owed[] => {
    if (reason.code !== "owed" || reason.wallet !== wallet) return [];
    const what = reason.what?.startsWith("bid") === true ? "bid" : reason.what;
    return what === "commit" || what === "reveal" || what === "vote" || what === "bid"
      ? [{ what, round }]
      : [];
  });
}

/** The opening of the wallet's own commit that could still change a verdict that others have brought about. */
function lateOpening(view: View, verdict: Verdict & { ok: true }, wallet: Address): Owed[] {
  if (!verdict.waiting.includes(wallet) || entriesLeft(view, wallet) === 0) return [];
  const [commit] = unopenedCommits(view, verdict, wallet);
  return commit === undefined ? [] : [{ what: "reveal", round: commit.round }];
}

/** Entries left of a wallet's share; 0 for who is no participant. */
export function entriesLeft(view: View, wallet: Address): number {
  const member = view.members.find((one) => one.wallet === wallet);
  return member === undefined ? 0 : Math.max(0, view.share - member.used);
}

/**
 * The refs of a session entry by `wallet` (protocol section 4): the genesis and, for every other participant, the
 * latest entry that is placed, so that it and all it rests on are held and verified.
 */
export function refsFor(view: View, wallet: Address): Ref[] {
  const latest = new Map<number, Move>();
  for (const move of view.order)
    if ((latest.get(move.author)?.place ?? 0) < move.place) latest.set(move.author, move);
  const others = [...latest.values()].filter(({ entry }) => entry.wallet !== wallet);
  return [view.session, ...others.map(({ ref }) => ref)];
}

/** Peers' entries that an audit of the session may need: what goes into the wallet's own mirror. */
export function entriesToMirror(view: View, wallet: Address): Candidate[] {
  const entries = new Map<Ref, Candidate>();
  const take = (entry: Candidate) => {
    if (entry.wallet !== wallet) entries.set(entry.ref, entry);
  };
  take(view.genesis);
  for (const ref of view.genesis.refs) {
    const entry = view.entries.get(ref);
    if (entry !== undefined) take(entry);
  }
  for (const { segment, fault } of view.members) {
    segment.forEach(take);
    fault?.versions.forEach(take);
  }
  return [...entries.values()];
}

/** Other participants who have that entry of `wallet` in the past of one of theirs. */
export function seenBy(view: View, ref: Ref): Address[] {
  const move = view.order.find((one) => one.ref === ref);
  if (move === undefined) return [];
  const seers = new Set(
    view.order
      .filter((other) => other.author !== move.author && isInPast(move, other))
      .map(({ author }) => author),
  );
  return view.participants.filter((_, i) => seers.has(i));
}

export interface OwnCommit {
  readonly move: Move;
  readonly commitment: Hash;
  readonly round: number;
}

/** The wallet's commits that count and that none of its reveals has opened, in order. */
export function unopenedCommits(view: View, verdict: Verdict, wallet: Address): OwnCommit[] {
  const flagged = new Set(verdict.ok ? verdict.flags.map(({ ref }) => ref) : []);
  const mine = view.order.filter(({ entry, ref }) => entry.wallet === wallet && !flagged.has(ref));
  const roundOf = ({ body }: Move) => own(body, "round") ?? 1;
  const opened = new Set(mine.filter(({ entry }) => entry.type === "reveal").map(roundOf));
  return mine.flatMap((move): OwnCommit[] => {
    const round = roundOf(move);
    const commitment = own(move.body, "commitment");
    return move.entry.type === "commit" && move.inTime && typeof round === "number" && !opened.has(round)
      ? [{ move, round, commitment: commitment as Hash }]
      : [];
  });
}

/** What would become of a draft, in a view that holds it. */
export type Fate =
  | { readonly kind: "counts" }
  | { readonly kind: "flagged"; readonly flag: FlagCode }
  | { readonly kind: "late" }
  /** Something that it rests on is not here. */
  | { readonly kind: "pending" };

export function fateOf(view: View, verdict: Verdict, draft: Ref): Fate {
  const move = view.order.find(({ ref }) => ref === draft);
  if (move === undefined) return { kind: "pending" };
  if (!move.inTime) return { kind: "late" };
  const flag = verdict.ok ? verdict.flags.find(({ ref }) => ref === draft)?.code : undefined;
  return flag === undefined ? { kind: "counts" } : { kind: "flagged", flag };
}

/** Whether a value can be opened in this session's game: what is committed blindly must open later. */
export function isPlayable(view: View, value: string): boolean {
  const { game, rules } = view.terms;
  const options = own(rules, "options");
  switch (game) {
    case "rps":
      return (RPS_VALUES as readonly string[]).includes(value);
    case "vote":
      return Array.isArray(options) && options.includes(value);
    case "auction":
      return isAmount(value);
    case "compare":
      return own(rules, "by") === "match" ? isText(value, 1, 2000) : isInteger(value);
    default:
      return false;
  }
}

/** The values that a game has, where they are few enough to be listed: a lost one is found again among them. */
export function listedValues(view: View): readonly string[] {
  const options = own(view.terms.rules, "options");
  if (view.terms.game === "rps") return RPS_VALUES;
  return view.terms.game === "vote" && Array.isArray(options)
    ? options.filter((option): option is string => typeof option === "string")
    : [];
}
