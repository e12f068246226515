// Bids measured by what their authors had seen: the quick look-up against the rule as it is written, and its cost.

import { expect, test } from "vitest";
import { buildView } from "../core/build-view.ts";
import { own } from "../core/canonical.ts";
import { unsignedText, wireForm, type CheckSignature, type UnsignedEntry } from "../core/entry.ts";
import { formatRef, sha256, type Hash, type Ref } from "../core/values.ts";
import { isInPast, type View } from "../core/view.ts";
import { addressOf, Drawing, type Name } from "../testing/build.ts";
import { seededRandom } from "../testing/random.ts";
import { leastBid, standingOf, type Bid, type Limits } from "./english.ts";

/** Not under test here: every signature of the right form passes. */
const trusting: CheckSignature = () => ({ ok: true, by: "signature" });
const SIG = `0x${"1".repeat(128)}1b` as const;

/** Bids without real signatures, by the thousand. */
class AuctionBuilder {
  readonly session: Ref;
  readonly #records: string[];
  readonly #heads = new Map<Name, { readonly seq: number; readonly hash: Hash }>();

  constructor(players: string) {
    const drawing = new Drawing().genesis("g", "h", players, {
      game: "auction",
      rules: { kind: "english" },
      deadline: 100_000,
    });
    this.session = drawing.node("g").ref;
    this.#records = [drawing.wire("g")];
  }

  bid(author: Name, amount: bigint, sees: readonly Ref[]): Ref {
    const head = this.#heads.get(author);
    const entry: UnsignedEntry = {
      wallet: addressOf(author),
      seq: head === undefined ? 0 : head.seq + 1,
      prev_hash: head?.hash ?? null,
      refs: [this.session, ...sees].sort(),
      type: "bid",
      body: { amount: String(amount) },
    };
    const hash = sha256(unsignedText(entry));
    this.#heads.set(author, { seq: entry.seq, hash });
    this.#records.push(wireForm({ ...entry, sig: SIG }));
    return formatRef(entry.wallet, entry.seq, hash);
  }

  view(): View {
    const view = buildView(this.#records, this.session, { check: trusting });
    if (!view.ok) throw new Error(view.code);
    return view;
  }
}

/** The rule as it is written: all good bids in the move's past, the highest of them, the first in order among equals. */
function asWritten(view: View, limits: Limits): { good: Ref[]; flags: string[] } {
  const good: Bid[] = [];
  const flags: string[] = [];
  for (const move of view.order) {
    const amount = BigInt(own(move.body, "amount") as string);
    let leading: Bid | undefined;
    for (const bid of good)
      if (isInPast(bid.move, move) && (leading === undefined || bid.amount > leading.amount)) leading = bid;
    if (leading?.move.author === move.author) flags.push(`${move.ref} self-raise`);
    else if (amount < leastBid(leading, limits)) flags.push(`${move.ref} low-bid`);
    else good.push({ move, amount });
  }
  const places = new Map(good.map((bid, i) => [bid, i]));
  good.sort((a, b) => Number(a.amount - b.amount) || places.get(b)! - places.get(a)!);
  return { good: good.map(({ move }) => move.ref), flags };
}

test("G-AUC-6: each bid is measured by the leading one in its past, whoever saw what", () => {
  const players: readonly Name[] = ["a", "b", "c", "d"];
  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed);
    const auction = new AuctionBuilder("a b c d");
    const all: { readonly author: Name; readonly ref: Ref }[] = [];
    for (let i = 0; i < 24; i++) {
      const author = players[Math.floor(random() * 4)]!;
      const sees = all.filter((bid) => bid.author !== author && random() < 0.2).map(({ ref }) => ref);
      all.push({ author, ref: auction.bid(author, BigInt(Math.floor(random() * 8) + (i >> 1)), sees) });
    }
    const view = auction.view();
    const limits = { reserve: BigInt(seed % 3), increment: BigInt(1 + (seed % 2)) };
    const { good, flags } = standingOf(view, limits);
    expect({
      good: good.map(({ move }) => move.ref),
      flags: flags.map(({ ref, code }) => `${ref} ${code}`),
    }).toEqual(asWritten(view, limits));
  }
});

test("two pairs that never look at each other bid 10,000 times each", () => {
  const auction = new AuctionBuilder("a b c d");
  for (const [one, other, from] of [
    ["a", "b", 10n ** 40n],
    ["c", "d", 1n],
  ] as const) {
    let last: Ref[] = [];
    for (let i = 0; i < 10_000; i++) last = [auction.bid(i % 2 === 0 ? one : other, from + BigInt(i), last)];
  }
  const { good, flags } = standingOf(auction.view(), { reserve: 0n, increment: 1n });
  expect([good.length, flags.length]).toEqual([20_000, 0]);
  expect(good.at(-1)!.amount).toBe(10n ** 40n + 9_999n);
});
