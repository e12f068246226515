// The english auction: open ascending bids, each judged by what its author had seen; a pass is for good.

import { own } from "../core/canonical.ts";
import { isInPast, type Move, type View } from "../core/view.ts";
import { isAmount } from "./amounts.ts";
import { flagReasons, liveOf, movesSeen } from "./commit-reveal.ts";
import { applyDefault, closedReasons, owedReasons, walletsOf } from "./default-outcome.ts";
import type { Flag, FlagCode, Outcome, Reason, Resolution } from "./game.ts";

export interface Limits {
  readonly reserve: bigint;
  readonly increment: bigint;
}

export interface Bid {
  readonly move: Move;
  readonly amount: bigint;
}

/** Where an english auction stands, by what is held. */
export interface Standing {
  /** Good bids, the leading one last: ascending by amount, of equal ones the earlier after the later. */
  readonly good: readonly Bid[];
  /** Who passed for good, as indices into `participants`. */
  readonly passed: ReadonlySet<number>;
  /** Who may still bid and does not lead. */
  readonly waiting: ReadonlySet<number>;
  readonly flags: readonly Flag[];
}

/** Walks the bids and passes in order. */
export function standingOf(view: View, limits: Limits): Standing {
  const good: Bid[] = [];
  const passed = new Set<number>();
  const flags: Flag[] = [];
  for (const move of movesSeen(view, ["bid", "pass"])) {
    const flag = passed.has(move.author) ? "bid-after-pass" : checkBid(move, good, limits);
    if (flag !== undefined) flags.push({ ref: move.ref, code: flag });
    else if (move.entry.type === "pass") passed.add(move.author);
    else insert(good, { move, amount: BigInt(own(move.body, "amount") as string) });
  }
  const leader = good.at(-1);
  const waiting = new Set(liveOf(view).filter((i) => !passed.has(i) && i !== leader?.move.author));
  return { good, passed, waiting, flags };
}

/** Resolves an english auction. */
export function resolveEnglish(view: View, limits: Limits): Resolution {
  const { good, waiting, flags } = standingOf(view, limits);
  return conclude(view, good, waiting, flags);
}

/** The least amount that is good over this leading bid, or, without one, at all. */
export function leastBid(leading: Bid | undefined, { reserve, increment }: Limits): bigint {
  if (leading === undefined) return reserve;
  const raised = leading.amount + increment;
  return raised > reserve ? raised : reserve;
}

function checkBid(move: Move, good: readonly Bid[], limits: Limits): FlagCode | undefined {
  if (move.entry.type === "pass") return undefined;
  const text = own(move.body, "amount");
  if (!isAmount(text)) return "bad-bid";
  const leading = good.findLast((bid) => isInPast(bid.move, move));
  if (leading?.move.author === move.author) return "self-raise";
  return BigInt(text) < leastBid(leading, limits) ? "low-bid" : undefined;
}

/** Moves come in the protocol's order, so a new bid stands behind the equal ones that are there. */
function insert(good: Bid[], bid: Bid): void {
  let at = good.length;
  while (at > 0 && good[at - 1]!.amount >= bid.amount) at--;
  good.splice(at, 0, bid);
}

function conclude(
  view: View,
  good: readonly Bid[],
  waiting: ReadonlySet<number>,
  flags: readonly Flag[],
): Resolution {
  const reasons: Reason[] = [
    ...good.map(({ move, amount }): Reason => {
      const { wallet } = move.entry;
      return { code: "counted", wallet, entries: [move.ref], what: "bid", value: String(amount) };
    }),
    ...flagReasons(flags),
    ...owedReasons(view, waiting, "bid or pass"),
  ];
  const basis = good.map(({ move }) => move);
  const all = walletsOf(view, waiting);
  if (waiting.size > 0 && !view.closed)
    return { status: "pending", outcome: null, waiting: all, flags, basis, reasons };
  const leader = good.at(-1);
  if (leader === undefined && waiting.size > 0) return applyDefault(view, waiting, waiting, flags, reasons);
  const outcome: Outcome =
    leader === undefined
      ? { kind: "unsold" }
      : { kind: "sold", winner: leader.move.entry.wallet, price: String(leader.amount) };
  return {
    status: "decided",
    outcome,
    waiting: all,
    flags,
    basis,
    reasons: [...reasons, ...closedReasons(view)],
  };
}
