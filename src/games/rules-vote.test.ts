// Vote, rule by rule (docs/protocol.md).

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import { Drawing, type Name } from "../testing/build.ts";

const OPTIONS = ["x", "y", "z"];

/** Votes as "a:x b:y", one after the other. */
function voted(players: string, votes: string, rules: JsonObject = {}, deadline = 31): Drawing {
  const drawing = new Drawing().genesis("g", "a", players, {
    game: "vote",
    rules: { options: OPTIONS, ...rules },
    deadline,
  });
  const count = new Map<string, number>();
  for (const vote of votes.split(" ").filter(Boolean)) {
    const [name, choice] = vote.split(":") as [Name, string];
    count.set(name, (count.get(name) ?? 0) + 1);
    drawing.add(`${name}${count.get(name)}`, name, "vote", { choice });
  }
  return drawing;
}

const tally = (x: number, y: number, z: number) => ({ x, y, z });

describe("G-VOTE-1: rules", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `option ${i}`);
  test.each([
    { options: ["x", "y"] },
    { options: many(64) },
    { options: ["constructor", "__proto__", "toString"] },
    { ballot: "secret" },
    { ballot: "open", quorum: 2 },
  ])("G-VOTE-1: %j", (rules) => expect(voted("a b", "", rules).show()["refused"]).toBeUndefined());
  test.each([
    { options: ["x"] },
    { options: many(65) },
    { options: ["x", "x"] },
    { options: ["x", ""] },
    { options: ["x", "y".repeat(201)] },
    { options: ["x", 1] },
    { options: { 0: "x" } },
    { ballot: "hidden" },
    { quorum: 0 },
    { quorum: 3 },
    { quorum: "1" },
    { patience: 1 },
    { patience: null },
    { Quorum: 1 },
  ] as JsonObject[])("G-VOTE-1: not %j", (rules) =>
    expect(voted("a b", "", rules).show()["refused"]).toBe("bad-genesis"),
  );
  test("G-VOTE-1: patience in a secret ballot of four", () => {
    expect(voted("a b c d", "", { ballot: "secret", patience: 2 }).show()["refused"]).toBeUndefined();
    expect(voted("a b c d", "", { patience: 2 }).show()["refused"]).toBe("bad-genesis");
  });
});

describe("G-VOTE-2: an open ballot", () => {
  test("G-VOTE-2: decided when nobody owes", () => {
    expect(voted("a b c", "a:x b:x").showVerdict()).toEqual({
      status: "pending",
      waiting: "c",
      basis: "a1 b1",
    });
    expect(voted("a b c", "a:x b:x c:y").showVerdict()).toEqual({
      outcome: { kind: "elected", choice: "x", tally: tally(2, 1, 0) },
      finality: "final",
      basis: "a1 b1 c1",
    });
  });
  test("G-VOTE-2: duplicate-vote: the sum of the tally is the number of voters", () =>
    expect(voted("a b", "a:x a:y b:y a:y").showVerdict()).toEqual({
      outcome: { kind: "tie", choices: ["x", "y"], tally: tally(1, 1, 0) },
      finality: "final",
      flags: ["a2 duplicate-vote", "a3 duplicate-vote"],
      basis: "a1 b1",
    }));
  test.each([
    [{}],
    [{ choice: "X" }],
    [{ choice: " x" }],
    [{ choice: 0 }],
    [{ choice: ["x"] }],
    [{ choice: "constructor" }],
  ])("G-VOTE-2: bad-vote %j; a good one may follow", (body) => {
    const drawing = voted("a b", "b:y").add("a1", "a", "vote", body).add("a2", "a", "vote", { choice: "x" });
    expect(drawing.showVerdict()).toEqual({
      outcome: { kind: "tie", choices: ["x", "y"], tally: tally(1, 1, 0) },
      finality: "final",
      flags: ["a1 bad-vote"],
      basis: "a2 b1",
    });
  });
  test("G-VOTE-2: decided when the session is closed", () =>
    expect(voted("a b", "a:z", {}, 3).showVerdict()).toEqual({
      outcome: { kind: "elected", choice: "z", tally: tally(0, 0, 1) },
      waiting: "b",
      finality: "settled",
      basis: "a1",
    }));
});

test("G-VOTE-3: a secret ballot is a sealed game over the options", () => {
  const drawing = voted("a b", "a:x", { ballot: "secret" })
    .commit("a2", "a", "x")
    .commit("b1", "b", "other", { sees: "a2" })
    .commit("b2", "b", "y")
    .reveal("a3", "a", "x", { sees: "b1" })
    .reveal("b3", "b", "other", { sees: "a3" });
  // What b committed to first is no option, so that it can never be opened.
  expect(drawing.showVerdict()).toEqual({
    status: "pending",
    waiting: "b",
    flags: ["b2 duplicate-commit", "b3 bad-reveal"],
    basis: "a2 a3",
  });
});

test("G-VOTE-4: below the quorum the default applies", () => {
  const drawing = voted("a b", "a:x", { quorum: 2 }, 5).tick("a2", "a").tick("b1", "b");
  expect(drawing.showVerdict()).toEqual({ outcome: { kind: "void" }, waiting: "b", finality: "settled" });
});

describe("G-VOTE-5: outcomes", () => {
  test("G-VOTE-5: a tie names the choices in the order of the options", () =>
    expect(voted("a b", "a:z b:y").showVerdict()).toEqual({
      outcome: { kind: "tie", choices: ["y", "z"], tally: tally(0, 1, 1) },
      finality: "final",
      basis: "a1 b1",
    }));
  test("G-VOTE-5: options named like members of objects are counted like others", () => {
    const options = ["constructor", "__proto__", "toString"];
    const drawing = voted("a b c", "a:__proto__ b:__proto__ c:toString", { options });
    const outcome = drawing.showVerdict()["outcome"];
    expect(JSON.stringify(outcome)).toBe(
      '{"kind":"elected","choice":"__proto__","tally":{"constructor":0,"__proto__":2,"toString":1}}',
    );
  });
});

test("G-VOTE-6: the basis is the votes that count", () =>
  expect(voted("a b", "a:x a:y b:q").showVerdict()).toEqual({
    status: "pending",
    waiting: "b",
    flags: ["b1 bad-vote", "a2 duplicate-vote"],
    basis: "a1",
  }));
