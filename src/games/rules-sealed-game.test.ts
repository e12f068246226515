// Sealed games, rule by rule (docs/protocol.md, Sealed games), seen through compare by the highest value.

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import { Drawing, type GenesisOptions, type Name } from "../testing/build.ts";

function sealed(players: string, rules: JsonObject = {}, options: GenesisOptions = {}): Drawing {
  return new Drawing().genesis("g", "a", players, {
    game: "compare",
    rules: { by: "highest", ...rules },
    deadline: 10 * players.split(" ").length + 1, // a share of 10
    ...options,
  });
}

/** Each commits to its value, then ticks once: what follows has place 3. */
function commits(drawing: Drawing, values: { readonly [name: string]: string }): Drawing {
  for (const [name, value] of Object.entries(values))
    drawing.commit(`${name}1`, name as Name, value).tick(`${name}2`, name as Name);
  return drawing;
}

/** Of four, a, b and c have committed and opened early, each having seen the three commits; d has done nothing. */
function early(players = "a b c d", options: GenesisOptions = {}): Drawing {
  return commits(sealed(players, { patience: 2 }, options), { a: "1", b: "2", c: "3" })
    .reveal("a3", "a", "1", { sees: "b1 c1" })
    .reveal("b3", "b", "2", { sees: "a1 c1" })
    .reveal("c3", "c", "3", { sees: "a1 b1" });
}

const RANKED = { kind: "ranked", winners: ["c"], values: { a: "1", b: "2", c: "3" } };
const BASIS = "a1 a3 b1 b3 c1 c3";

test("Z1: of three nobody opens before all have committed, however long it waits", () => {
  const drawing = commits(sealed("a b c"), { a: "1", b: "2" });
  for (const n of [3, 4, 5, 6, 7]) drawing.tick(`a${n}`, "a");
  drawing.reveal("a8", "a", "1", { sees: "b2" });
  expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "c", flags: ["a8 early-reveal"] });
});

describe("Z2: patience", () => {
  const refused = (players: string, patience: number | string, deadline: number) =>
    sealed(players, { patience }, { deadline }).show()["refused"] ?? "ok";
  test.each([
    [0, "bad-genesis"],
    [1, "ok"],
    [9, "ok"],
    [10, "bad-genesis"],
    ["2", "bad-genesis"],
  ] as const)("Z2: of four with a share of 10, %j is %s", (patience, result) => {
    expect(refused("a b c d", patience, 41)).toBe(result);
  });
  test("Z2: 1 is allowed with a share of 1", () => expect(refused("a b c d", 1, 5)).toBe("ok"));
  test("Z2: none with fewer than four", () => expect(refused("a b c", 1, 31)).toBe("bad-genesis"));
  test("Z2: disqualified ones count among the four", () => {
    const drawing = early().tick("d1", "d").tick("d1x", "d", { after: "", sees: "a1" });
    expect(drawing.showVerdict()).toEqual({ outcome: RANKED, finality: "final", basis: BASIS });
  });
  test("Z2: by default half the share, at least 1", () => {
    const drawn = (deadline: number, ticks: number) => {
      const drawing = commits(sealed("a b c d", {}, { deadline }), { a: "1", b: "2", c: "3" });
      for (let n = 0; n < ticks; n++) drawing.tick(`a${n + 3}`, "a");
      return drawing.reveal("r", "a", "1", { sees: "b1 c1" }).showVerdict()["flags"] ?? "counted";
    };
    expect(drawn(25, 0)).toEqual(["r early-reveal"]); // a share of 6: place 3 is not beyond 3
    expect(drawn(25, 1)).toBe("counted");
    expect(drawn(13, 0)).toBe("counted"); // a share of 3: beyond 1
  });
});

describe("Z3: opening early", () => {
  test("Z3: beyond the patience with three commits in its past", () =>
    expect(early().showVerdict({ without: "b3 c3" })).toEqual({
      status: "pending",
      waiting: "b c",
      basis: "a1 a3",
    }));
  test("Z3: not at the patience itself", () => {
    const drawing = commits(sealed("a b c d", { patience: 3 }), { a: "1", b: "2", c: "3" });
    drawing.reveal("a3", "a", "1", { sees: "b1 c1" });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "d", flags: ["a3 early-reveal"] });
  });
  test("Z3: not with two commits in its past", () => {
    const drawing = commits(sealed("a b c d", { patience: 2 }), { a: "1", b: "2", c: "3" });
    drawing.reveal("a3", "a", "1", { sees: "b1" });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "d", flags: ["a3 early-reveal"] });
  });
});

describe("Z4, Z5: commits that come after the openings", () => {
  const late = () => early().commit("d1", "d", "9", { sees: "a3 b3 c3" }).reveal("d2", "d", "9");
  test("Z4: out, where more than half of the others opened without it", () =>
    expect(late().showVerdict({ without: "d2" })).toEqual({
      outcome: RANKED,
      finality: "final",
      flags: ["d1 unseen-commit"],
      basis: BASIS,
    }));
  test("Z5: and its opening does not count", () =>
    expect(late().showVerdict()).toEqual({
      outcome: RANKED,
      finality: "final",
      flags: ["d1 unseen-commit"],
      basis: BASIS,
    }));
  test("Z4: a minority cannot shut a commit out", () => {
    const drawing = early().commit("d1", "d", "9", { sees: "a3" });
    // The same, but b and c had d's commit in their past when they opened.
    const seen = commits(sealed("a b c d", { patience: 2 }), { a: "1", b: "2", c: "3" })
      .reveal("a3", "a", "1", { sees: "b1 c1" })
      .commit("d1", "d", "9", { sees: "a3" })
      .reveal("b3", "b", "2", { sees: "a1 c1 d1" })
      .reveal("c3", "c", "3", { sees: "a1 b1 d1" });
    expect(drawing.showVerdict()["flags"]).toEqual(["d1 unseen-commit"]);
    expect(seen.showVerdict()).toEqual({ status: "pending", waiting: "d", basis: BASIS });
  });
});

describe("Z6: the end of the commit phase", () => {
  test("Z6: every live participant has committed", () => {
    const drawing = commits(sealed("a b c"), { a: "1", b: "2" });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "c" });
    expect(commits(drawing, { c: "3" }).showVerdict()).toEqual({ status: "pending", waiting: "a b c" });
  });
  test("Z6: or somebody opened beyond the patience", () =>
    expect(early().showVerdict({ without: "b3 c3" })["waiting"]).toBe("b c"));
});

describe("Z7: decided", () => {
  test("Z7: when every counted commit is opened", () => {
    const drawing = commits(sealed("a b"), { a: "1", b: "2" }).reveal("a3", "a", "1", { sees: "b1" });
    expect(drawing.showVerdict()).toEqual({ status: "pending", waiting: "b", basis: "a1 a3" });
    expect(drawing.reveal("b3", "b", "2", { sees: "a1" }).showVerdict()).toEqual({
      outcome: { kind: "ranked", winners: ["b"], values: { a: "1", b: "2" } },
      finality: "final",
      basis: "a1 a3 b1 b3",
    });
  });
  test("Z7: when all are disqualified, none is counted, and the default applies", () => {
    const drawing = sealed("a b").tick("a1", "a").tick("b1", "b");
    drawing.commit("a1x", "a", "1", { after: "g" }).commit("b1x", "b", "2", { after: "" });
    expect(drawing.showVerdict()).toEqual({ outcome: { kind: "void" }, finality: "final" });
  });
  test("Z7: when the session is closed", () => {
    const drawing = commits(sealed("a b c", {}, { deadline: 10 }), { a: "1", b: "2", c: "3" })
      .reveal("a3", "a", "1", { sees: "b1 c1" })
      .reveal("b3", "b", "2", { sees: "a1 c1" });
    expect(drawing.showVerdict()).toEqual({
      outcome: { kind: "ranked", winners: ["b"], values: { a: "1", b: "2" } },
      waiting: "c",
      finality: "settled",
      basis: "a1 a3 b1 b3",
    });
  });
});

test("Z8: who has no counted opening owes, and a default says so", () => {
  const options = { deadline: 7, default_outcome: { kind: "forfeit" } };
  const drawing = commits(sealed("a b", {}, options), { a: "1", b: "2" }).reveal("a3", "a", "1", {
    sees: "b1",
  });
  expect(drawing.showVerdict()).toEqual({
    outcome: { kind: "win", winner: "a", by: "forfeit" },
    waiting: "b",
    finality: "settled",
  });
});

describe("Z9: who could still change a decided outcome", () => {
  test("Z9: not one of four: its commit would be out", () =>
    expect(early().showVerdict()).toEqual({ outcome: RANKED, finality: "final", basis: BASIS }));
  test("Z9: not two of five", () =>
    expect(early("a b c d e").showVerdict()).toEqual({ outcome: RANKED, finality: "final", basis: BASIS }));
  test("Z9: but three of six, who could shut the others out", () =>
    expect(early("a b c d e f").showVerdict()).toEqual({
      outcome: RANKED,
      waiting: "d e f",
      finality: "settled",
      basis: BASIS,
    }));
  test("Z9: and those whose commit is out, where the rest are too many", () => {
    const drawing = early("a b c d e f").commit("d1", "d", "9", { sees: "a3 b3 c3" });
    expect(drawing.showVerdict()).toEqual({
      outcome: RANKED,
      waiting: "d e f",
      finality: "settled",
      flags: ["d1 unseen-commit"],
      basis: BASIS,
    });
  });
});

test("Z10: the basis is the counted openings and their commits", () => {
  const drawing = early().commit("d1", "d", "9", { sees: "a3 b3 c3" }).reveal("d2", "d", "9").tick("a4", "a");
  expect(drawing.showVerdict()["basis"]).toBe(BASIS);
});
