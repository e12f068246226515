// Compare, rule by rule (docs/protocol.md).

import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../core/canonical.ts";
import { Drawing, type Name } from "../testing/build.ts";

const comparing = (players: string, rules: JsonObject, deadline = 61): Drawing =>
  new Drawing().genesis("g", "a", players, { game: "compare", rules, deadline });

/** Everybody commits to its value, then opens it. */
function compared(values: { readonly [name: string]: Json }, rules: JsonObject): Drawing {
  const names = Object.keys(values) as Name[];
  const drawing = comparing(names.join(" "), rules);
  for (const name of names) drawing.commit(`${name}1`, name, values[name]!);
  for (const name of names)
    drawing.reveal(`${name}2`, name, values[name]!, {
      sees: names
        .filter((other) => other !== name)
        .map((other) => `${other}1`)
        .join(" "),
    });
  return drawing;
}

describe("G-CMP-1: rules", () => {
  test.each([
    { by: "highest" },
    { by: "lowest", question: "" },
    { by: "closest", target: "-5" },
    { by: "match", question: "x".repeat(2000) },
  ])("G-CMP-1: %j", (rules) =>
    expect(comparing("a b", rules as JsonObject).show()["refused"]).toBeUndefined(),
  );
  test.each([
    {},
    { by: "longest" },
    { by: "closest" },
    { by: "closest", target: 5 },
    { by: "closest", target: "-0" },
    { by: "highest", target: "5" },
    { by: "highest", patience: 1 },
    { by: "highest", question: "x".repeat(2001) },
    { by: "highest", why: "" },
  ])("G-CMP-1: not %j", (rules) =>
    expect(comparing("a b", rules as JsonObject).show()["refused"]).toBe("bad-genesis"),
  );
  test("G-CMP-1: patience for four", () =>
    expect(comparing("a b c d", { by: "highest", patience: 2 }).show()["refused"]).toBeUndefined());
});

describe("G-CMP-2: values", () => {
  const flags = (value: Json, by: string) =>
    compared({ a: value, b: "1" }, { by }).showVerdict()["flags"] ?? "counted";
  test.each(["0", "-1", "9".repeat(78), `-${"9".repeat(78)}`])("G-CMP-2: the integer %s", (value) =>
    expect(flags(value, "highest")).toBe("counted"),
  );
  test.each<[Json]>([["-0"], ["01"], ["+1"], ["1.5"], [""], ["1e3"], ["9".repeat(79)], [1], [["1"]]])(
    "G-CMP-2: no integer %j",
    (value) => expect(flags(value, "highest")).toEqual(["a2 bad-reveal"]),
  );
  test("G-CMP-2: for match any text of 1 to 2,000 characters", () => {
    expect(flags("\u{1f3b2}".repeat(2000), "match")).toBe("counted");
    expect(flags("x".repeat(2001), "match")).toEqual(["a2 bad-reveal"]);
    expect(flags("", "match")).toEqual(["a2 bad-reveal"]);
  });
});

test("G-CMP-3: fewer than two counted openings: the default", () => {
  const drawing = comparing("a b", { by: "highest" }, 7)
    .commit("a1", "a", "1")
    .commit("b1", "b", "2", { sees: "a1" })
    .reveal("a2", "a", "1", { sees: "b1" })
    .tick("a3", "a");
  expect(drawing.showVerdict()).toEqual({ outcome: { kind: "void" }, waiting: "b", finality: "settled" });
});

test.each([
  [{ by: "highest" }, { a: "-2", b: "10", c: "9" }, ["b"]],
  [{ by: "lowest" }, { a: "-2", b: "10", c: "9" }, ["a"]],
  [{ by: "closest", target: "4" }, { a: "-2", b: "10", c: "9" }, ["c"]],
  [{ by: "closest", target: "4" }, { a: "3", b: "5", c: "6" }, ["a", "b"]],
  [{ by: "highest" }, { a: "9007199254740993", b: "9007199254740992", c: "9007199254740993" }, ["a", "c"]],
])("G-CMP-4: %j of %j: %j", (rules, values, winners) =>
  expect(compared(values, rules as JsonObject).showVerdict()).toEqual({
    outcome: { kind: "ranked", winners, values },
    finality: "final",
    basis: "a1 a2 b1 b2 c1 c2",
  }),
);

test("G-CMP-5: match and mismatch", () => {
  expect(compared({ a: "yes", b: "yes" }, { by: "match" }).showVerdict()["outcome"]).toEqual({
    kind: "match",
    value: "yes",
  });
  const values = { a: "é", b: "e\u0301" };
  expect(compared(values, { by: "match" }).showVerdict()["outcome"]).toEqual({ kind: "mismatch", values });
});
