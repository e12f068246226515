// Auction, rule by rule (docs/protocol.md).

import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../core/canonical.ts";
import { Drawing, type Name } from "../testing/build.ts";

const auction = (players: string, rules: JsonObject, deadline = 61): Drawing =>
  new Drawing().genesis("g", "a", players, { game: "auction", rules, deadline });

/** Everybody commits to its amount, then opens it. */
function sealed(amounts: { readonly [name: string]: string }, rules: JsonObject = {}): Drawing {
  const names = Object.keys(amounts) as Name[];
  const drawing = auction(names.join(" "), rules);
  for (const name of names) drawing.commit(`${name}1`, name, amounts[name]!);
  for (const name of names)
    drawing.reveal(`${name}2`, name, amounts[name]!, {
      sees: names
        .filter((other) => other !== name)
        .map((other) => `${other}1`)
        .join(" "),
    });
  return drawing;
}

/** Steps as "a:5 b:7 a:pass", each having seen the one before. */
function english(players: string, steps: string, rules: JsonObject = {}, deadline = 61): Drawing {
  const drawing = auction(players, { kind: "english", ...rules }, deadline);
  const count = new Map<string, number>();
  let sees = "";
  for (const step of steps.split(" ").filter(Boolean)) {
    const [name, amount] = step.split(":") as [Name, string];
    count.set(name, (count.get(name) ?? 0) + 1);
    const node = `${name}${count.get(name)}`;
    if (amount === "pass") drawing.add(node, name, "pass", {}, { sees });
    else drawing.add(node, name, "bid", { amount }, { sees });
    sees = node;
  }
  return drawing;
}

const sold = (winner: string, price: string) => ({ kind: "sold", winner, price });
const NINES = "9".repeat(78);

describe("G-AUC-1: rules", () => {
  test.each([
    {},
    { kind: "first-price" },
    { kind: "second-price", reserve: "10" },
    { kind: "english", increment: "5" },
    { item: "", currency: "x".repeat(200) },
  ])("G-AUC-1: %j", (rules) => expect(auction("a b", rules).show()["refused"]).toBeUndefined());
  test.each([
    { kind: "dutch" },
    { kind: null },
    { reserve: 10 },
    { reserve: "010" },
    { increment: "1" },
    { kind: "english", increment: "0" },
    { kind: "english", patience: 1 },
    { patience: 1 },
    { item: "x".repeat(201) },
    { currency: 1 },
    { Item: "x" },
  ])("G-AUC-1: not %j", (rules) =>
    expect(auction("a b", rules as JsonObject).show()["refused"]).toBe("bad-genesis"),
  );
  test("G-AUC-1: patience in a sealed auction of four", () =>
    expect(auction("a b c d", { patience: 2 }).show()["refused"]).toBeUndefined());
});

describe("G-AUC-2: amounts", () => {
  test.each(["0", "7", "10", NINES])("G-AUC-2: %s", (amount) =>
    expect(english("a b", `a:${amount}`).showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      basis: "a1",
    }),
  );
  test.each<[Json]>([
    [""],
    ["007"],
    ["-1"],
    ["+1"],
    ["1.0"],
    ["1e3"],
    ["0x10"],
    [" 7 "],
    ["٣"],
    [`1${NINES}`],
    [7],
    [null],
  ])("G-AUC-2: not %j", (amount) => {
    const drawing = auction("a b", { kind: "english" }).add("a1", "a", "bid", { amount });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "a b", flags: ["a1 bad-bid"] });
  });
  test.each([
    ["9007199254740993", "9007199254740992"],
    ["10", "9"],
    [NINES, `${NINES.slice(1)}8`],
  ])("G-AUC-2: %s beats %s", (high, low) =>
    expect(sealed({ a: low, b: high }).showVerdict()["outcome"]).toEqual(sold("b", high)),
  );
});

describe("G-AUC-3: sealed auctions", () => {
  test("G-AUC-3: the highest wins, among equals the first participant", () => {
    expect(sealed({ a: "5", b: "7", c: "6" }).showVerdict()).toEqual({
      outcome: sold("b", "7"),
      finality: "final",
      basis: "a1 a2 b1 b2 c1 c2",
    });
    expect(sealed({ a: "5", b: "7", c: "7" }).showVerdict()["outcome"]).toEqual(sold("b", "7"));
  });
  test("G-AUC-3: 0 alone wins at 0", () =>
    expect(sealed({ a: "0" }).showVerdict()["outcome"]).toEqual(sold("a", "0")));
});

describe("G-AUC-4: the price", () => {
  test.each([
    [{ a: "5", b: "7" }, "0", "5"],
    [{ a: "5", b: "7" }, "6", "6"],
    [{ a: "7", b: "7" }, "6", "7"],
    [{ a: "5", b: "7", c: "6" }, "6", "6"],
  ])("G-AUC-4: of %j with a reserve of %s the second price is %s", (amounts, reserve, price) =>
    expect(sealed(amounts, { kind: "second-price", reserve }).showVerdict()["outcome"]).toMatchObject({
      price,
    }),
  );
});

describe("G-AUC-5: nothing reaches the reserve", () => {
  test("G-AUC-5: unsold", () =>
    expect(sealed({ a: "5", b: "7" }, { reserve: "8" }).showVerdict()).toEqual({
      outcome: { kind: "unsold" },
      finality: "final",
      basis: "a1 a2 b1 b2",
    }));
  test("G-AUC-5: nothing opened: the default", () => {
    const drawing = auction("a b", {}, 5).commit("a1", "a", "5").tick("a2", "a").tick("b1", "b");
    expect(drawing.showVerdict()).toEqual({ outcome: { kind: "void" }, waiting: "a b", finality: "settled" });
  });
});

describe("G-AUC-6: bids in an English auction", () => {
  test("G-AUC-6: bid-after-pass, for bid and pass", () =>
    expect(english("a b", "a:pass a:5 a:pass").showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      flags: ["a2 bid-after-pass", "a3 bid-after-pass"],
    }));
  test("G-AUC-6: self-raise comes before low-bid", () =>
    expect(english("a b", "a:5 a:9 a:1").showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      flags: ["a2 self-raise", "a3 self-raise"],
      basis: "a1",
    }));
  test("G-AUC-6: low-bid: below the reserve, or below the leading amount and the increment", () => {
    const rules = { reserve: "5", increment: "3" };
    expect(english("a b", "a:4 a:5 b:7 b:8", rules).showVerdict()).toEqual({
      status: "pending",
      waiting: "a",
      flags: ["a1 low-bid", "b1 low-bid"],
      basis: "a2 b2",
    });
  });
  test("G-AUC-6: a bid is measured by what its author had seen", () => {
    const drawing = english("a b", "a:9").add("b1", "b", "bid", { amount: "2" });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "b", basis: "a1 b1" });
  });
});

describe("G-AUC-7: leader and end", () => {
  test("G-AUC-7: the highest leads, the first in order among equals", () => {
    const drawing = auction("a b", { kind: "english" })
      .add("b1", "b", "bid", { amount: "7" })
      .add("a1", "a", "bid", { amount: "7" });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "b", basis: "a1 b1" });
  });
  test("G-AUC-7: a leader that has passed still leads", () =>
    expect(english("a b", "a:5 a:pass b:pass").showVerdict()).toEqual({
      outcome: sold("a", "5"),
      finality: "final",
      basis: "a1",
    }));
  test("G-AUC-7: decided when all others have passed, or the session is closed", () => {
    expect(english("a b c", "a:5 b:7 c:pass a:pass").showVerdict()).toEqual({
      outcome: sold("b", "7"),
      finality: "final",
      basis: "a1 b1",
    });
    expect(english("a b", "a:5 b:7", {}, 3).showVerdict()).toEqual({
      outcome: sold("b", "7"),
      waiting: "a",
      finality: "final",
      basis: "a1 b1",
    });
  });
});

describe("G-AUC-8: without a good bid", () => {
  test("G-AUC-8: unsold when all have passed", () =>
    expect(english("a b", "a:pass b:pass").showVerdict()).toEqual({
      outcome: { kind: "unsold" },
      finality: "final",
    }));
  test("G-AUC-8: the default when the session is closed before", () =>
    expect(english("a b", "a:pass b:x", {}, 3).showVerdict()).toEqual({
      outcome: { kind: "void" },
      waiting: "b",
      finality: "final",
      flags: ["b1 bad-bid"],
    }));
});
