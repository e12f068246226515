// The english auction: open ascending bids, each judged by what its author had seen; a pass is for good.

import { own } from "../core/canonical.ts";
import { finish, sortSteps, type Steps } from "../core/steps.ts";
import { isInPast, type Move, type View } from "../core/view.ts";
import { isAmount } from "./amounts.ts";
import { flagReasons, liveOf, movesSeen, STEP } from "./commit-reveal.ts";
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
  return finish(standingSteps(view, limits));
}

function* standingSteps(view: View, limits: Limits): Steps<Standing> {
  const book = new BidBook(view.participants.length);
  const passed = new Set<number>();
  const flags: Flag[] = [];
  const moves = yield* movesSeen(view, ["bid", "pass"]);
  for (const [i, move] of moves.entries()) {
    if (i % STEP === 0) yield;
    const flag = passed.has(move.author) ? "bid-after-pass" : checkBid(move, book, limits);
    if (flag !== undefined) flags.push({ ref: move.ref, code: flag });
    else if (move.entry.type === "pass") passed.add(move.author);
    else book.add({ move, amount: BigInt(own(move.body, "amount") as string) });
  }
  const good = yield* book.ascending();
  const leader = good.at(-1);
  const waiting = new Set(liveOf(view).filter((i) => !passed.has(i) && i !== leader?.move.author));
  return { good, passed, waiting, flags };
}

/**
 * The good bids so far. Those of one author ascend, since each is over what its author had seen, its own included;
 * so the leading one in a move's past is found among the authors' latest ones there, not among all bids.
 */
export class BidBook {
  readonly #bids: Bid[] = [];
  /** By author: numbers of its bids in `#bids`. */
  readonly #byAuthor: number[][];

  constructor(width: number) {
    this.#byAuthor = Array.from({ length: width }, () => []);
  }

  /** Bids come in the protocol's order. */
  add(bid: Bid): void {
    this.#byAuthor[bid.move.author]!.push(this.#bids.length);
    this.#bids.push(bid);
  }

  /** The highest bid in the move's past; of equal ones the first in order. */
  leadingIn(move: Move): Bid | undefined {
    let leading: number | undefined;
    for (const numbers of this.#byAuthor) {
      const latest = this.#latestIn(move, numbers);
      if (latest === undefined) continue;
      const lead = leading === undefined ? 1 : compareAmounts(this.#bids[latest]!, this.#bids[leading]!);
      if (lead > 0 || (lead === 0 && latest < leading!)) leading = latest;
    }
    return leading === undefined ? undefined : this.#bids[leading];
  }

  /** Ascending by amount; of equal ones the first in order comes last. */
  ascending(): Steps<Bid[]> {
    return sortSteps(this.#bids.toReversed(), compareAmounts);
  }

  /** The last of one author's bids that the move's author had seen: by halving, as what is seen is a beginning. */
  #latestIn(move: Move, numbers: readonly number[]): number | undefined {
    let low = 0;
    let high = numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isInPast(this.#bids[numbers[middle]!]!.move, move)) low = middle + 1;
      else high = middle;
    }
    return numbers[low - 1];
  }
}

function compareAmounts(a: Bid, b: Bid): number {
  return a.amount === b.amount ? 0 : a.amount > b.amount ? 1 : -1;
}

/** Resolves an english auction. */
export function* resolveEnglish(view: View, limits: Limits): Steps<Resolution> {
  const { good, waiting, flags } = yield* standingSteps(view, limits);
  yield;
  return conclude(view, good, waiting, flags);
}

/** The least amount that is good over this leading bid, or, without one, at all. */
export function leastBid(leading: Bid | undefined, { reserve, increment }: Limits): bigint {
  if (leading === undefined) return reserve;
  const raised = leading.amount + increment;
  return raised > reserve ? raised : reserve;
}

function checkBid(move: Move, book: BidBook, limits: Limits): FlagCode | undefined {
  if (move.entry.type === "pass") return undefined;
  const text = own(move.body, "amount");
  if (!isAmount(text)) return "bad-bid";
  const leading = book.leadingIn(move);
  if (leading?.move.author === move.author) return "self-raise";
  return BigInt(text) < leastBid(leading, limits) ? "low-bid" : undefined;
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
