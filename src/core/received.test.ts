// Values are named as they were received, and nesting is bounded before anything recurses over it.

import { expect, test } from "vitest";
import { isCanonical, isDeeper, parseJson, sourceAt } from "./canonical.ts";
import { parseCandidate, type Rejection } from "./entry.ts";

const wallet = `0x${"a1".repeat(20)}`;
const sig = `0x${"1b".repeat(65)}`;
const wire = (body: string, seq = "0"): string =>
  `{"body":${body},"prev_hash":null,"refs":[],"seq":${seq},"sig":"${sig}","type":"tick","wallet":"${wallet}"}`;

function refusal(text: string): Rejection | undefined {
  const parsed = parseCandidate(text);
  return parsed.ok ? undefined : parsed.error;
}

test.each([
  ["9007199254740993", "9007199254740993"],
  ["-9007199254740993", "-9007199254740993"],
  ["1e400", "1e400"],
  ["1.5e0", "1.5e0"],
  ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
])("a number in a body is refused in the digits that came: %s", (digits, found) => {
  expect(refusal(wire(`{"a.b":[1,{"n":${digits}}]}`))).toMatchObject({
    code: "bad-number",
    at: "body.a.b[1].n",
    found,
  });
});

test.each(["9007199254740993", "1e400", "-1", "0.5"])(
  "a seq is refused in the digits that came: %s",
  (digits) => {
    expect(refusal(wire("{}", digits))).toMatchObject({ code: "bad-shape", at: "seq", found: digits });
  },
);

test("a number where a text belongs is refused in the digits that came", () => {
  const text = wire("{}").replace('"prev_hash":null', '"prev_hash":1e400');
  expect(refusal(text)).toMatchObject({ at: "prev_hash", found: "1e400" });
  const refs = wire("{}").replace('"refs":[]', '"refs":[1,9007199254740993]');
  expect(refusal(refs.replace("[1,", "["))).toMatchObject({
    at: "refs[0]",
    found: "9007199254740993",
  });
});

test("of a key that stands twice the last value is the one received", () => {
  expect(refusal(wire('{"n":"x","n":1e999}'))).toMatchObject({ at: "body.n", found: "1e999" });
});

test("digits without end are cut", () => {
  expect(refusal(wire(`{"n":${"9".repeat(5000)}}`))?.found).toBe(`${"9".repeat(80)}…`);
});

test.each([
  [["a"], "1"],
  [["b", 1], '"]"'],
  [["b", 2, 'c"d'], "[ ]"],
  [["e"], undefined],
  [["a", "x"], undefined],
] as const)("the source at %j is %s", (path, source) => {
  expect(sourceAt(' { "a" : 1 , "b":[0,"]", { "c\\"d":[ ] } ] }', path)).toBe(source);
});

test("nesting is counted outside of strings, and what is too deep is not parsed", () => {
  expect(isDeeper('["[[[[", "\\"[["]', 1)).toBe(false);
  expect(isDeeper("[[1],[2]]", 2)).toBe(false);
  expect(isDeeper("[[1],[2]]", 1)).toBe(true);
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  expect(parseJson(deep)).toBeUndefined();
  expect(isCanonical(deep, parseJson(deep, Infinity)!)).toBe(false);
});

test("an entry nested as deep as its size allows is refused for its nesting", () => {
  const deep = "[".repeat(8000) + "]".repeat(8000);
  expect(refusal(wire(`{"a":${deep}}`))).toMatchObject({
    code: "bad-shape",
    expected: "nesting to level 16",
  });
});
