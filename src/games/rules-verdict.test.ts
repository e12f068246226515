// The verdict, rule by rule (docs/protocol.md, Verdict).

import { describe, expect, test } from "vitest";
import { canonicalize, type JsonObject } from "../core/canonical.ts";
import { sha256 } from "../core/values.ts";
import { Drawing, type GenesisOptions, type Name } from "../testing/build.ts";
import { judge, verdictDigest } from "./judge.ts";

const VOTE = { game: "vote", rules: { options: ["x", "y"] } };

/** A vote of the players; each votes for x, one after the other. */
function ballot(players: string, voters: string, options: GenesisOptions = {}): Drawing {
  const drawing = new Drawing().genesis("g", "a", players, { ...VOTE, ...options });
  for (const name of voters.split(" ").filter(Boolean))
    drawing.add(`${name}1`, name as Name, "vote", { choice: "x" });
  return drawing;
}

/** rps in which b commits and falls silent, and a uses up its share of 4. */
function silent(default_outcome: JsonObject, options: GenesisOptions = {}): Drawing {
  return new Drawing()
    .genesis("g", "a", "a b", { deadline: 9, default_outcome, ...options })
    .commit("a1", "a", "rock")
    .commit("b1", "b", "paper")
    .reveal("a2", "a", "rock", { sees: "b1" })
    .tick("a3", "a")
    .tick("a4", "a");
}

const digestOf = (drawing: Drawing, without = ""): string => {
  const view = drawing.view({ without });
  const verdict = view.ok ? judge(view) : undefined;
  return verdict?.ok === true ? verdict.digest : "none";
};

test("R1: the same view gives the same verdict", () => {
  const view = ballot("a b", "a b").view();
  if (!view.ok) throw new Error(view.code);
  expect(judge(view)).toEqual(judge(view));
  expect(judge(view)).toMatchObject({ ok: true, status: "decided", level: "verified" });
});

describe("R2: no verdict", () => {
  test("R2: an unknown game; the view is shown", () =>
    expect(ballot("a b", "a", { game: "chess" }).show()).toEqual({
      order: "a1",
      used: "a1 b0",
      refused: "unknown-game",
    }));
  test.each([{}, { options: ["x"] }, { options: ["x", "y"], other: 1 }, { options: 2 }])(
    "R2: rules that the game refuses: %j",
    (rules) =>
      expect(ballot("a b", "a", { rules }).show()).toEqual({
        order: "a1",
        used: "a1 b0",
        refused: "bad-genesis",
      }),
  );
  test("R2: a name that the language knows is no game", () =>
    expect(ballot("a b", "", { game: "constructor" }).show()).toEqual({
      used: "a0 b0",
      refused: "unknown-game",
    }));
});

test("R3: a wallet that forked owes nothing and is not waited for", () => {
  const drawing = ballot("a b c", "a").tick("b1", "b").tick("b1x", "b", { after: "", sees: "a1" });
  expect(drawing.show()).toEqual({
    order: "a1",
    used: "a1 b1 c0",
    faults: "b@0",
    status: "pending",
    waiting: "c",
    basis: "a1",
  });
});

test("R4: waiting is in the order of participants", () =>
  expect(ballot("c b a", "b").showVerdict()).toEqual({ status: "pending", waiting: "c a", basis: "b1" }));

describe("R5: finality", () => {
  const elected = { kind: "elected", choice: "x", tally: { x: 1, y: 0 } };
  test("R5: final when nobody is waited for", () =>
    expect(ballot("a", "a").showVerdict()).toEqual({ outcome: elected, finality: "final", basis: "a1" }));
  test("R5: settled while somebody who could still speak is waited for", () => {
    const drawing = ballot("a b", "a", { deadline: 5 }).tick("a2", "a");
    expect(drawing.showVerdict()).toEqual({
      outcome: elected,
      waiting: "b",
      finality: "settled",
      basis: "a1",
    });
    drawing.tick("b1", "b").tick("b2", "b");
    expect(drawing.showVerdict()).toEqual({ outcome: elected, waiting: "b", finality: "final", basis: "a1" });
  });
  test("R5: final once the whole share is in the order, whatever comes late behind a gap", () => {
    const drawing = ballot("a b", "a", { deadline: 5 }).tick("a2", "a").tick("b1", "b").tick("b2", "b");
    drawing.tick("b3", "b").tick("b4", "b");
    expect(drawing.showVerdict({ without: "b3" })).toMatchObject({ waiting: "b", finality: "final" });
  });
  test("R5: settled while part of a spent wallet's share is missing or pending", () => {
    const drawing = ballot("a b", "a", { deadline: 5 }).tick("a2", "a").tick("b1", "b").tick("b2", "b");
    drawing.tick("b3", "b");
    expect(drawing.showVerdict({ without: "b1" })).toMatchObject({ waiting: "b", finality: "settled" });
    const held = ballot("a b", "a", { deadline: 5 }).tick("a2", "a").tick("c1", "c");
    held.tick("b1", "b", { sees: "c1" }).tick("b2", "b");
    expect(held.showVerdict()).toMatchObject({ waiting: "b", finality: "settled" });
  });
  test("R5: settled while a wallet with a fault has a gap: its fork may turn out elsewhere", () => {
    const drawing = ballot("a b", "a")
      .tick("b1", "b")
      .tick("b2", "b")
      .tick("b2x", "b", { after: "b1", sees: "a1" });
    expect(drawing.showVerdict()).toEqual({ outcome: elected, finality: "final", basis: "a1" });
    expect(drawing.showVerdict({ without: "b1" })).toEqual({
      outcome: elected,
      finality: "settled",
      basis: "a1",
    });
  });
});

describe("R6: the digest", () => {
  test("R6: over session, outcome and the basis' hashes, sorted", () => {
    const drawing = ballot("a b", "a b");
    const entries = [drawing.node("a1").hash, drawing.node("b1").hash].sort();
    const outcome = { kind: "elected", choice: "x", tally: { x: 2, y: 0 } };
    const session = drawing.node("g").ref;
    expect(digestOf(drawing)).toBe(sha256(canonicalize({ session, outcome, entries })));
  });
  test("R6: a basis of thousands has the digest of the same canonical form", () => {
    const session = new Drawing().genesis("g", "a", "a b", VOTE).node("g").ref;
    const outcome = { kind: "void" };
    for (const count of [0, 1, 2_047, 2_048, 2_049, 5_000]) {
      const entries = Array.from({ length: count }, (_, i) => sha256(`${i}`));
      const expected = sha256(canonicalize({ session, outcome, entries: [...entries].sort() }));
      expect(verdictDigest(session, outcome, entries)).toBe(expected);
    }
  });

  test("R6: with a null outcome while pending", () => {
    const drawing = ballot("a b", "a");
    const session = drawing.node("g").ref;
    const entries = [drawing.node("a1").hash];
    expect(digestOf(drawing)).toBe(sha256(canonicalize({ session, outcome: null, entries })));
  });
  test("R6: later ticks do not change it", () => {
    const drawing = ballot("a b", "a b").tick("a2", "a").tick("b2", "b");
    expect(digestOf(drawing)).toBe(digestOf(drawing, "a2 b2"));
  });
});

describe("R7: the default", () => {
  const rest = { waiting: "b", finality: "settled" };
  test("R7: void", () =>
    expect(silent({ kind: "void" }).showVerdict()).toEqual({ outcome: { kind: "void" }, ...rest }));
  test("R7: award", () =>
    expect(
      silent({ kind: "award", to: new Drawing().genesis("g", "b", "b").node("g").wallet }).showVerdict(),
    ).toEqual({ outcome: { kind: "award", to: "b" }, ...rest }));
  test("R7: forfeit goes to the only one that owes nothing", () =>
    expect(silent({ kind: "forfeit" }).showVerdict()).toEqual({
      outcome: { kind: "win", winner: "a", by: "forfeit" },
      ...rest,
    }));
  test("R7: forfeit is void where two owe nothing, or nobody", () => {
    const rules = { options: ["x", "y"], quorum: 3 };
    const default_outcome = { kind: "forfeit" };
    const options = { rules, default_outcome, deadline: 7 };
    const two = ballot("a b c", "a b", options).tick("c1", "c").tick("c2", "c");
    expect(two.showVerdict()).toEqual({ outcome: { kind: "void" }, waiting: "c", finality: "final" });
    const none = new Drawing()
      .genesis("g", "a", "a b", { deadline: 5, default_outcome })
      .tick("a1", "a")
      .tick("a2", "a")
      .tick("b1", "b")
      .tick("b2", "b");
    expect(none.showVerdict()).toEqual({ outcome: { kind: "void" }, waiting: "a b", finality: "final" });
  });
  test("R7: it does not apply before the session is closed", () =>
    expect(silent({ kind: "forfeit" }).showVerdict({ without: "a4" })).toEqual({
      status: "pending",
      waiting: "b",
      basis: "a1 a2",
    }));
});

describe("R8: nobody loses a session that it never entered", () => {
  const alone = (default_outcome: JsonObject) =>
    new Drawing()
      .genesis("g", "a", "a b", { deadline: 5, default_outcome })
      .commit("a1", "a", "rock")
      .tick("a2", "a");
  test.each([{ kind: "forfeit" }, { kind: "void" }])("R8: void though %j was declared", (default_outcome) =>
    expect(alone(default_outcome).showVerdict()).toEqual({
      outcome: { kind: "void" },
      waiting: "b",
      finality: "settled",
    }),
  );
  test("R8: one move enters it", () =>
    expect(alone({ kind: "forfeit" }).tick("b1", "b").showVerdict()).toEqual({
      outcome: { kind: "win", winner: "a", by: "forfeit" },
      waiting: "b",
      finality: "settled",
    }));
});
