// Rock, paper, scissors, rule by rule (docs/protocol.md).

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import { Drawing } from "../testing/build.ts";

const WORDS = { r: "rock", p: "paper", s: "scissors" };

/** Rounds as "rp": a shows rock, b paper. Both commit, then both open. */
function played(rounds: string, rules: JsonObject = {}, deadline = 61): Drawing {
  const drawing = new Drawing().genesis("g", "a", "a b", { rules, deadline });
  const values = rounds.split(" ").filter(Boolean);
  let last = "";
  values.forEach((pair, i) => {
    const round = i + 1;
    const [a, b] = [...pair].map((letter) => WORDS[letter as "r"]) as [string, string];
    const n = 2 * i + 1;
    drawing
      .commit(`a${n}`, "a", a, { round, sees: last })
      .commit(`b${n}`, "b", b, { round, sees: `a${n}` })
      .reveal(`a${n + 1}`, "a", a, { round, sees: `b${n}` })
      .reveal(`b${n + 1}`, "b", b, { round, sees: `a${n + 1}` });
    last = `b${n + 1}`;
  });
  return drawing;
}

const win = (winner: string, a: number, b: number) => ({ kind: "win", winner, by: "play", score: { a, b } });
const draw = (each: number) => ({ kind: "draw", score: { a: each, b: each } });

describe("G-RPS-1: rules", () => {
  test.each([{}, { best_of: 1 }, { best_of: 99 }])("G-RPS-1: %j", (rules) =>
    expect(played("", rules).show()["refused"]).toBeUndefined(),
  );
  test.each([
    { best_of: 0 },
    { best_of: 2 },
    { best_of: -1 },
    { best_of: 101 },
    { best_of: "1" },
    { best_of: true },
    { best_of: null },
    { bestof: 3 },
    { constructor: 1 },
  ] as JsonObject[])("G-RPS-1: not %j", (rules) =>
    expect(played("", rules).show()["refused"]).toBe("bad-genesis"),
  );
  test.each(["a", "a b c"])("G-RPS-1: not for %s", (players) =>
    expect(new Drawing().genesis("g", "a", players).show()["refused"]).toBe("bad-genesis"),
  );
});

describe("G-RPS-2, G-RPS-3: rounds", () => {
  test.each([
    ["rr", draw(0)],
    ["rp", win("b", 0, 1)],
    ["rs", win("a", 1, 0)],
    ["pr", win("a", 1, 0)],
    ["pp", draw(0)],
    ["ps", win("b", 0, 1)],
    ["sr", win("b", 0, 1)],
    ["sp", win("a", 1, 0)],
    ["ss", draw(0)],
  ])("G-RPS-3: %s", (round, outcome) =>
    expect(played(round).showVerdict()).toEqual({ outcome, finality: "final", basis: "a1 a2 b1 b2" }),
  );
  test.each([
    ["rs rs", win("a", 2, 0)],
    ["rs rp rs", win("a", 2, 1)],
    ["rr rp rr", win("b", 0, 1)],
    ["rr pp ss", draw(0)],
    ["rs rp pp", draw(1)],
  ])("G-RPS-2: best of 3: %s", (rounds, outcome) =>
    expect(played(rounds, { best_of: 3 }).showVerdict()).toMatchObject({ outcome, finality: "final" }),
  );
  test("G-RPS-2: what comes after a majority is not flagged and no part of the basis", () =>
    expect(played("rs rs pp", { best_of: 3 }).showVerdict()).toEqual({
      outcome: win("a", 2, 0),
      finality: "final",
      basis: "a1 a2 a3 a4 b1 b2 b3 b4",
    }));
  test("G-RPS-2: a majority of rounds, not of those that were played", () =>
    expect(played("rs", { best_of: 3 }).showVerdict()).toEqual({
      status: "pending",
      waiting: "a b",
      basis: "a1 a2 b1 b2",
    }));
});

describe("G-RPS-4: disqualification", () => {
  const forked = () => played("rs").tick("a1x", "a", { after: "g" });
  test("G-RPS-4: the other wins", () =>
    expect(forked().showVerdict()).toEqual({
      outcome: { kind: "win", winner: "b", by: "disqualification" },
      finality: "final",
    }));
  test("G-RPS-4: nobody if both forked", () =>
    expect(forked().tick("b1x", "b", { after: "" }).showVerdict()).toEqual({
      outcome: { kind: "void" },
      finality: "final",
    }));
});

describe("G-RPS-5: who owes", () => {
  test("G-RPS-5: who has not committed, then who has not opened", () => {
    const drawing = new Drawing().genesis("g", "a", "a b");
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "a b" });
    expect(drawing.commit("a1", "a", "rock").showVerdict()).toEqual({ status: "pending", waiting: "b" });
    expect(drawing.commit("b1", "b", "paper").showVerdict()).toEqual({ status: "pending", waiting: "a b" });
    expect(drawing.reveal("b2", "b", "paper", { sees: "a1" }).showVerdict()).toEqual({
      status: "pending",
      waiting: "a",
      basis: "b1 b2",
    });
  });
  test("G-RPS-5: the same on a default, in a later round too", () => {
    const drawing = played("rs", { best_of: 3 }, 9).tick("a3", "a").tick("a4", "a");
    expect(drawing.showVerdict()).toEqual({
      outcome: { kind: "void" },
      waiting: "a b",
      finality: "settled",
    });
  });
});

test("G-RPS-6: the basis is all openings so far and their commits", () => {
  const drawing = played("rs", { best_of: 3 }).commit("a3", "a", "rock", { round: 2, sees: "b2" });
  expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "b", basis: "a1 a2 b1 b2" });
});
