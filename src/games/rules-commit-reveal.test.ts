// Commit and reveal, rule by rule (docs/protocol.md, Commit and reveal), seen through rock, paper, scissors.

import { describe, expect, test } from "vitest";
import { canonicalize } from "../core/canonical.ts";
import { sha256 } from "../core/values.ts";
import { addressOf, Drawing, saltOf } from "../testing/build.ts";

/** Both have committed. */
function committed(deadline = 21): Drawing {
  return new Drawing()
    .genesis("g", "a", "a b", { deadline, rules: { best_of: 3 } })
    .commit("a1", "a", "rock")
    .commit("b1", "b", "paper", { sees: "a1" });
}

const flagsOf = (drawing: Drawing) => drawing.showVerdict()["flags"] ?? [];

describe("C1: bodies and rounds", () => {
  test("C1: an absent round is round 1", () => {
    const body = (drawing: Drawing) => ({ commitment: drawing.commitment("a", "rock"), round: 1 });
    const drawing = new Drawing().genesis("g", "a", "a b");
    drawing.add("a1", "a", "commit", body(drawing)).commit("b1", "b", "paper");
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "a b" });
  });
  test.each([["1"], [true], [null], [0], [[1]]])("C1: round %j is another round, without a flag", (round) => {
    const drawing = new Drawing().genesis("g", "a", "a b");
    drawing.add("a1", "a", "commit", { commitment: drawing.commitment("a", "rock"), round });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "a b" });
  });
  test("C1: a game without rounds ignores a second one", () => {
    const drawing = new Drawing()
      .genesis("g", "a", "a b", { game: "compare", rules: { by: "highest" } })
      .commit("a1", "a", "1", { round: 2 });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "a b" });
  });
});

describe("C2: the commitment", () => {
  test("C2: over session, wallet, round, value and salt", () => {
    const drawing = committed();
    const session = drawing.node("g").ref;
    const parts = { session, wallet: addressOf("a"), round: 1, value: "rock", salt: saltOf("a", 1) };
    expect(drawing.commitment("a", "rock")).toBe(sha256(canonicalize(parts)));
  });
  test("C2: a copied commitment cannot be opened", () => {
    const drawing = new Drawing().genesis("g", "a", "a b").commit("a1", "a", "rock");
    drawing.add("b1", "b", "commit", drawing.node("a1").body, { sees: "a1" });
    drawing.reveal("a2", "a", "rock", { sees: "b1" });
    drawing.add("b2", "b", "reveal", drawing.node("a2").body, { sees: "a2" });
    expect(drawing.showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      flags: ["b2 bad-reveal"],
      basis: "a1 a2",
    });
  });
  test("C2: nor one of another session or round", () => {
    const drawing = new Drawing()
      .genesis("g", "a", "a b")
      .genesis("h", "a", "a b", { deadline: 14 })
      .commit("a1", "a", "rock", { session: "h" });
    drawing.add("a2", "a", "commit", drawing.node("a1").body).commit("b1", "b", "paper", { sees: "a2" });
    drawing.reveal("a3", "a", "rock", { sees: "b1" });
    expect(flagsOf(drawing)).toEqual(["a3 bad-reveal"]);
  });
  test("C2: a number and the same digits as text are two values", () => {
    const drawing = new Drawing().genesis("g", "a", "a b", { game: "compare", rules: { by: "highest" } });
    drawing.commit("a1", "a", 1).commit("b1", "b", "2").reveal("a2", "a", "1", { sees: "b1" });
    drawing.reveal("a3", "a", 1);
    expect(flagsOf(drawing)).toEqual(["a2 bad-reveal", "a3 bad-reveal"]);
  });
});

test("C3: late entries and those of a wallet that forked are not walked", () => {
  const late = committed(5).tick("a2", "a").reveal("a3", "a", "rock", { sees: "b1" });
  expect(late.show()).toMatchObject({ late: "a3", outcome: { kind: "void" } });
  expect(flagsOf(late)).toEqual([]);
});

describe("C4: commits", () => {
  test.each([
    [{}],
    [{ commitment: "rock" }],
    [{ commitment: null }],
    [{ commitment: `0x${"A".repeat(64)}` }],
  ])("C4: bad-commit %j; a good one may follow", (body) => {
    const drawing = new Drawing().genesis("g", "a", "a b").add("a1", "a", "commit", body);
    drawing.commit("a2", "a", "rock");
    expect(drawing.showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      flags: ["a1 bad-commit"],
    });
  });
  test("C4: early-commit: not all openings of the round before are in its past", () => {
    const drawing = committed()
      .reveal("a2", "a", "rock", { sees: "b1" })
      .reveal("b2", "b", "paper", { sees: "a2" })
      .commit("a3", "a", "rock", { round: 2 })
      .commit("a4", "a", "rock", { round: 2, sees: "b2" });
    expect(drawing.showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      flags: ["a3 early-commit"],
      basis: "a1 a2 b1 b2",
    });
  });
  test("C4: duplicate-commit: the first one stands", () => {
    const drawing = committed().commit("a2", "a", "scissors", { sees: "b1" }).reveal("a3", "a", "scissors");
    drawing.reveal("a4", "a", "rock");
    expect(drawing.showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      flags: ["a2 duplicate-commit", "a3 bad-reveal"],
      basis: "a1 a4",
    });
  });
});

describe("C5: reveals", () => {
  test("C5: reveal-without-commit", () => {
    const drawing = new Drawing().genesis("g", "a", "a b").reveal("a1", "a", "rock");
    expect(flagsOf(drawing)).toEqual(["a1 reveal-without-commit"]);
  });
  test("C5: duplicate-reveal", () => {
    const drawing = committed().reveal("a2", "a", "rock", { sees: "b1" }).reveal("a3", "a", "rock");
    expect(flagsOf(drawing)).toEqual(["a3 duplicate-reveal"]);
  });
  test("C5: early-reveal: the other's commit is not in its past; it may be repeated", () => {
    const drawing = committed().reveal("a2", "a", "rock").reveal("a3", "a", "rock", { sees: "b1" });
    expect(drawing.showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      flags: ["a2 early-reveal"],
      basis: "a1 a3",
    });
  });
  test("C5: of wallets that forked no commit is needed", () => {
    const drawing = new Drawing()
      .genesis("g", "a", "a b c", { game: "compare", rules: { by: "highest" } })
      .commit("a1", "a", "1")
      .commit("b1", "b", "2")
      .tick("c1", "c")
      .tick("c1x", "c", { after: "", sees: "a1" })
      .reveal("a2", "a", "1", { sees: "b1" });
    expect(flagsOf(drawing)).toEqual([]);
  });
  test.each([
    ["another value", { value: "paper", salt: saltOf("a", 1) }],
    ["another salt", { value: "rock", salt: saltOf("b", 1) }],
    ["no value", { salt: saltOf("a", 1) }],
    ["no salt", { value: "rock" }],
    ["a salt of other length", { value: "rock", salt: "0x00" }],
  ])("C5: bad-reveal: %s; the author may try again", (_what, body) => {
    const drawing = committed().add("a2", "a", "reveal", body, { sees: "b1" }).reveal("a3", "a", "rock");
    expect(drawing.showVerdict()).toEqual({
      status: "pending",
      waiting: "b",
      flags: ["a2 bad-reveal"],
      basis: "a1 a3",
    });
  });
  test("C5: bad-reveal: what was committed to is no value of the game", () => {
    const drawing = new Drawing()
      .genesis("g", "a", "a b")
      .commit("a1", "a", "lizard")
      .commit("b1", "b", "paper")
      .reveal("a2", "a", "lizard", { sees: "b1" });
    expect(flagsOf(drawing)).toEqual(["a2 bad-reveal"]);
  });
});
