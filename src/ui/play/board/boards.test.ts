import { expect, test } from "vitest";
import { buildView } from "../../../core/build-view.ts";
import type { JsonObject } from "../../../core/canonical.ts";
import { leastBid, standingOf } from "../../../games/english.ts";
import { judge } from "../../../games/judge.ts";
import { addressOf, checkOnce, Drawing } from "../../../testing/build.ts";
import { isBid, wrongWithAmount, wrongWithBid } from "../auction/format-bid.ts";
import { closingOf } from "./closing.ts";
import { sealedSeats } from "../sealed/sealed-seats.ts";
import { tallyOf } from "../vote/ballots.ts";

const a = addressOf("a");
const b = addressOf("b");

function drawing(game: string, rules: JsonObject, default_outcome: JsonObject = { kind: "void" }): Drawing {
  return new Drawing().genesis("g", "a", "a b", { game, rules, deadline: 21, default_outcome });
}

function shown(of: Drawing) {
  const wires = [...of.nodes.values()].map(({ wire }) => wire);
  const view = buildView(wires, of.node("g").ref, { check: checkOnce });
  if (!view.ok) throw new Error(view.code);
  return { view, verdict: judge(view) };
}

test("sealed values are nobody's to see before they are opened, and who has sealed is", () => {
  const of = drawing("compare", { by: "highest" }).commit("a1", "a", "7");
  const before = shown(of);
  expect(sealedSeats(before.view, before.verdict)).toMatchObject([
    { wallet: a, state: "sealed", value: null },
    { wallet: b, state: "none", value: null },
  ]);
  of.commit("b1", "b", "9", { sees: "a1" }).reveal("a2", "a", "7", { sees: "b1" });
  const after = shown(of);
  expect(sealedSeats(after.view, after.verdict)).toMatchObject([
    { state: "open", value: "7", ref: of.node("a2").ref },
    { state: "sealed", value: null },
  ]);
});

test("a tally counts each voter once, whatever the options are called", () => {
  const options = ["__proto__", "constructor", "toString"];
  const of = drawing("vote", { options })
    .add("a1", "a", "vote", { choice: "__proto__" })
    .add("a2", "a", "vote", { choice: "constructor" });
  const { verdict } = shown(of);
  expect(tallyOf(options, verdict)).toEqual([
    { option: "__proto__", ballots: 1, ahead: true },
    { option: "constructor", ballots: 0, ahead: false },
    { option: "toString", ballots: 0, ahead: false },
  ]);
});

test("the least next bid is what the resolver takes, and one less is what it flags", () => {
  const rules = { kind: "english", reserve: "10", increment: "5" };
  const limits = { reserve: 10n, increment: 5n };
  const of = drawing("auction", rules);
  expect(leastBid(undefined, limits)).toBe(10n);
  of.add("a1", "a", "bid", { amount: "9007199254740993" });
  const { view } = shown(of);
  const least = leastBid(standingOf(view, limits).good.at(-1), limits);
  expect(least).toBe(9007199254740998n);
  of.add("b1", "b", "bid", { amount: String(least - 1n) }, { sees: "a1" });
  expect(shown(of).verdict).toMatchObject({ flags: [{ ref: of.node("b1").ref, code: "low-bid" }] });
  of.add("b2", "b", "bid", { amount: String(least) }, { sees: "a1" });
  expect(shown(of).verdict).toMatchObject({ flags: [{ code: "low-bid" }], waiting: [a] });
});

test.each(["", " 7 ", "0x10", "007", "1e3", "-1", "1.0", "٧", "9".repeat(79)])(
  "%o is no amount to bid",
  (text) => {
    expect(isBid(text, 0n)).toBe(false);
    if (text !== "") expect(wrongWithAmount(text)).toMatch(/digits/);
  },
);

test("a bid of zero is one, where zero is enough; below the least one is said", () => {
  expect(isBid("0", 0n)).toBe(true);
  expect(wrongWithBid("4", 5n)).toMatch(/least next bid is 5/);
  expect(wrongWithBid("10", 9n)).toBeUndefined();
});

test("closing a vote with its quorum counts the ballots, not the default outcome", () => {
  const of = drawing("vote", { options: ["x", "y"] }).add("a1", "a", "vote", { choice: "y" });
  const { view, verdict } = shown(of);
  expect(closingOf(view, verdict, a)).toMatchObject({ outcome: { kind: "elected", choice: "y" } });
});
