// Primitive values, rule by rule (docs/protocol.md, Primitive values).

import { describe, expect, test } from "vitest";
import { Drawing } from "../testing/build.ts";
import { canonicalize, CanonicalError, isCanonical, parseJson, type Json } from "./canonical.ts";
import { MAX_TITLE, readTermsBody } from "./session.ts";
import { checksumAddress, isAddress, isHash, parseRef, parseTypedAddress, sha256 } from "./values.ts";

const ADDRESS = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const HASH = `0x${"0f".repeat(32)}`;

describe("P1: addresses", () => {
  test("P1: 40 lower-case hex digits", () => {
    expect(isAddress(ADDRESS)).toBe(true);
    for (const text of [
      ADDRESS.slice(2),
      ADDRESS.slice(0, -1),
      `${ADDRESS}0`,
      ADDRESS.toUpperCase(),
      `${ADDRESS}\n`,
    ])
      expect([text, isAddress(text)]).toEqual([text, false]);
    expect(isAddress(checksumAddress(ADDRESS))).toBe(false);
  });
  // Mixed-case addresses of EIP-55, its own examples.
  test.each([
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ])("P1: EIP-55 %s", (text) => {
    const lower = text.toLowerCase();
    expect(isAddress(lower) && checksumAddress(lower)).toBe(text);
    expect(parseTypedAddress(text)).toEqual({ ok: true, address: lower });
    const wrong = text.replace(/[a-f]/, (digit) => digit.toUpperCase());
    if (wrong !== text) expect(parseTypedAddress(wrong)).toEqual({ ok: false, code: "bad-checksum" });
  });
});

test("P2: a hash keeps its leading zeros", () => {
  // Found by search: the SHA-256 of this text begins with four zero digits.
  let n = 0;
  while (!sha256(`zeros ${n}`).startsWith("0x0000")) n++;
  const hash = sha256(`zeros ${n}`);
  expect([isHash(hash), hash.length]).toEqual([true, 66]);
  expect(isHash(hash.replace("0x0000", "0x"))).toBe(false);
});

test("P3: a ref is address, seq and hash", () => {
  expect(parseRef(`${ADDRESS}:12:${HASH}`)).toEqual({ wallet: ADDRESS, seq: 12, hash: HASH });
  expect(parseRef(`${ADDRESS}:9007199254740991:${HASH}`)?.seq).toBe(Number.MAX_SAFE_INTEGER);
  for (const seq of ["", "01", "-1", "+1", "1.0", "1e3", " 1", "9007199254740992", "٣"])
    expect([seq, parseRef(`${ADDRESS}:${seq}:${HASH}`)]).toEqual([seq, undefined]);
  for (const text of [
    `${ADDRESS}:1`,
    `${ADDRESS}:1:${HASH}0`,
    `${checksumAddress(ADDRESS)}:1:${HASH}`,
    ` ${ADDRESS}:1:${HASH}`,
  ])
    expect(parseRef(text)).toBeUndefined();
});

test("P4: the session id is the genesis' ref", () => {
  const drawing = new Drawing().genesis("g", "a", "a b");
  const view = drawing.view();
  expect(view.ok && view.session).toBe(drawing.node("g").ref);
});

describe("P5: values of the subset", () => {
  const bad: [unknown, string][] = [
    [0.5, "bad-number"],
    [2 ** 53, "bad-number"],
    [-(2 ** 53), "bad-number"],
    [NaN, "bad-number"],
    [Infinity, "bad-number"],
    ["\ud800", "lone-surrogate"],
    ["\udc00\ud800", "lone-surrogate"],
    [{ "\udfff": 1 }, "lone-surrogate"],
    [undefined, "not-json-value"],
    [1n, "not-json-value"],
    [new Date(0), "not-json-value"],
    [new Map(), "not-json-value"],
  ];
  test.each(bad)("P5: %p is refused at any depth: %s", (value, code) => {
    for (const [nested, path] of [
      [value, "$"],
      [[0, { deep: [value] }], "$[1].deep[0]"],
    ] as const)
      try {
        canonicalize(nested as Json);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(CanonicalError);
        expect(error).toMatchObject({ code, path: expect.stringContaining(path) as string });
      }
  });
  test("P5: the greatest integers stay what they are", () =>
    expect(canonicalize([2 ** 53 - 1, -(2 ** 53) + 1, -0])).toBe("[9007199254740991,-9007199254740991,0]"));
});

test("P7: no normalisation, no change of case, no trimming", () => {
  const texts = ["é", "e\u0301", "E", " e", "\ufeff"];
  expect(new Set(texts.map((text) => sha256(canonicalize(text)))).size).toBe(texts.length);
});

describe("P8: the canonical form", () => {
  test("P8: members in the order of UTF-16 code units", () => {
    // U+1F3B2 is d83c dfb2 in UTF-16, so it stands before U+FF5E, after which it would come by code point.
    const value = { "\uff5e": 1, "\u{1f3b2}": 2, b: 3, a: 4, "": 5, "10": 6, "9": 7, B: 8 };
    expect(canonicalize(value)).toBe('{"":5,"10":6,"9":7,"B":8,"a":4,"b":3,"\u{1f3b2}":2,"\uff5e":1}');
  });
  test("P8: the escapes of RFC 8785 and no others", () => {
    const value = "\u0000\b\t\n\u000b\f\r\"\\/\u007f\u2028\u2029é<>&'";
    expect(canonicalize(value)).toBe('"\\u0000\\b\\t\\n\\u000b\\f\\r\\"\\\\/\u007f\u2028\u2029é<>&\'"');
  });
  test.each([
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":1}',
    " 1",
    "1.0",
    "1e0",
    "-0",
    '"\\u0061"',
    '"\\/"',
    "[1, 2]",
  ])("P8: another spelling is told from it: %s", (text) => {
    const value = parseJson(text);
    expect(value !== undefined && isCanonical(text, value)).toBe(false);
  });
  test("P8: names that mean something to the language are plain names", () => {
    const text = '{"__proto__":{"constructor":1},"toString":2}';
    const value = parseJson(text)!;
    expect([isCanonical(text, value), canonicalize(value)]).toEqual([true, text]);
  });
});

test("P9: characters are code points", () => {
  const body = (title: string) => ({
    protocol: "coop/1",
    game: "rps",
    rules: {},
    participants: [ADDRESS],
    deadline: 5,
    default_outcome: { kind: "void" },
    title,
  });
  expect(readTermsBody(body("\u{1f3b2}".repeat(MAX_TITLE))).ok).toBe(true);
  expect(readTermsBody(body("\u{1f3b2}".repeat(MAX_TITLE + 1))).ok).toBe(false);
});
