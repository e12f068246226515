// The english auction: open ascending bids, each judged by what its author had seen; a pass is for good.

import { own } from "../core/canonical.ts";
import { isInPast, type Move, type View } from "../core/view.ts";
import { isAmount } from "./amounts.ts";
import { flagReasons, liveOf, movesSeen } from "./commit-reveal.ts";
import { applyDefault, closedReasons, owedReasons, walletsOf } from "./default-outcome.ts";
import type { Flag, FlagCode, Outcome, Reason, Resolution } from "./game.ts";

interface Limits {
  readonly reserve: bigint;
  readonly increment: bigint;
}

interface Bid {
  readonly move: Move;
  readonly amount: bigint;
}

/** Resolves an english auction. */
export function resolveEnglish(view: View, limits: Limits): Resolution {
  const good: Bid[] = []; // the leading bid last: ascending by amount, of equal ones the earlier after the later
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
  return conclude(view, good, waiting, flags);
}

function checkBid(move: Move, good: readonly Bid[], { reserve, increment }: Limits): FlagCode | undefined {
  if (move.entry.type === "pass") return undefined;
  const text = own(move.body, "amount");
  if (!isAmount(text)) return "bad-bid";
  const leading = good.findLast((bid) => isInPast(bid.move, move));
  if (leading?.move.author === move.author) return "self-raise";
  const least = leading === undefined ? reserve : leading.amount + increment;
  return BigInt(text) < least || BigInt(text) < reserve ? "low-bid" : undefined;
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
