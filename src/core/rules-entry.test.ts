// Entry, decoding and log, rule by rule (docs/protocol.md). Each negative test breaks one thing of a good entry,
// signs again, and asserts the whole refusal.

import type { Result } from "./result.ts";
import { describe, expect, test } from "vitest";
import { addressOf, Drawing, walletOf } from "../testing/build.ts";
import { canonicalize, type Json, type JsonObject } from "./canonical.ts";
import {
  acceptCandidate,
  parseCandidate,
  signedText,
  type Entry,
  type Rejection,
  type Unchecked,
} from "./entry.ts";
import { checkPlain, isSignatureForm } from "./signature.ts";
import { sha256, type SignatureHex } from "./values.ts";

const HEAD = "Cooperation Protocol entry v1\n\n";
const A = addressOf("a");
const B = addressOf("b");
const hashOf = (text: string) => sha256(text);

/** A good entry without its signature: seq 3 of a's log. */
const GOOD: JsonObject = {
  wallet: A,
  seq: 3,
  prev_hash: hashOf("before"),
  refs: [`${A}:2:${hashOf("own")}`, `${B}:0:${hashOf("other")}`].sort(),
  type: "tick",
  body: { text: "é" },
};

/** Any object, signed as an entry would be. */
function signed(value: JsonObject): JsonObject {
  return { ...value, sig: walletOf("a").signTextNow(HEAD + canonicalize(value)) };
}

function decode(wire: string): Result<Entry, Rejection | Unchecked> {
  const parsed = parseCandidate(wire);
  return parsed.ok ? acceptCandidate(parsed.value, checkPlain) : parsed;
}

/** "ok", or code and place of the refusal. */
function verdict(wire: string): string {
  const entry = decode(wire);
  if (entry.ok) return "ok";
  if (entry.error.code === "unchecked") throw new Error("the plain check always runs");
  return `${entry.error.code} at ${entry.error.at}`;
}

/** The good entry with some members changed (undefined: left out), signed again. */
function changed(members: { readonly [name: string]: Json | undefined }): string {
  const value = Object.entries({ ...GOOD, ...members }).filter(([, member]) => member !== undefined);
  return verdict(canonicalize(signed(Object.fromEntries(value) as JsonObject)));
}

const sizedBody = (bytes: number, type: string): JsonObject => {
  const bare = canonicalize(signed({ ...GOOD, type, body: { text: "" } })).length;
  return { ...GOOD, type, body: { text: "x".repeat(bytes - bare) } };
};

describe("E1: exactly seven members", () => {
  test("E1: all of them", () => expect(changed({})).toBe("ok"));
  test.each(Object.keys(GOOD))("E1: not without %s", (name) =>
    expect(changed({ [name]: undefined })).toBe(`bad-shape at ${name}`),
  );
  test("E1: not without sig", () => expect(verdict(canonicalize(GOOD))).toBe("bad-shape at sig"));
  test.each(["hash", "Body", "toString", "__proto__"])("E1: no member %s besides", (name) =>
    expect(
      verdict(
        canonicalize(signed(JSON.parse(canonicalize(GOOD).replace("{", `{"${name}":1,`)) as JsonObject)),
      ),
    ).toBe(`bad-shape at ${name}`),
  );
});

describe("E2: wallet, seq and prev_hash", () => {
  const cases: [string, JsonObject][] = [
    ["wallet", { wallet: A.toUpperCase() }],
    ["wallet", { wallet: A.slice(0, -1) }],
    ["wallet", { wallet: null }],
    ["seq", { seq: -1 }],
    ["seq", { seq: "3" }],
    ["seq", { seq: true }],
    ["prev_hash", { prev_hash: null }],
    ["prev_hash", { prev_hash: "" }],
    ["prev_hash", { prev_hash: hashOf("x").toUpperCase() }],
    ["prev_hash", { seq: 0 }],
  ];
  test.each(cases)("E2: %s refuses %j", (at, members) => expect(changed(members)).toBe(`bad-shape at ${at}`));
  test("E2: null at seq 0", () => expect(changed({ seq: 0, prev_hash: null, refs: [] })).toBe("ok"));
});

describe("E3: refs", () => {
  const ref = (seq: number, wallet = B) => `${wallet}:${seq}:${hashOf("other")}`;
  const many = (count: number) => Array.from({ length: count }, (_, i) => ref(i)).sort();
  test("E3: 256 and no more", () => {
    expect(changed({ refs: many(256), type: "evidence" })).toBe("ok");
    expect(changed({ refs: many(257), type: "evidence" })).toBe("bad-shape at refs");
  });
  test("E3: ascending by code unit, none twice", () => {
    expect(changed({ refs: [ref(10), ref(9)] })).toBe("ok"); // by code unit, "1" comes before "9"
    expect(changed({ refs: [ref(9), ref(10)] })).toBe("bad-refs at refs[1]");
    expect(changed({ refs: [ref(1), ref(1)] })).toBe("bad-refs at refs[1]");
  });
  test("E3: none to the own present or future", () => {
    expect(changed({ refs: [ref(2, A)] })).toBe("ok");
    expect(changed({ refs: [ref(3, A)] })).toBe("bad-refs at refs[0]");
    expect(changed({ refs: [ref(4, A)] })).toBe("bad-refs at refs[0]");
  });
});

describe("E4: type and body", () => {
  test.each(["a", "a-1", `a${"-".repeat(31)}`])("E4: a type %s", (type) =>
    expect(changed({ type })).toBe("ok"),
  );
  test.each(["", "A", "1a", "-a", "a_b", `a${"b".repeat(32)}`, "a\n", null])("E4: no type %j", (type) =>
    expect(changed({ type })).toBe("bad-shape at type"),
  );
  test.each([[null], [[]], ["{}"], [1]])("E4: no body %j", (body) =>
    expect(changed({ body: body })).toBe("bad-shape at body"),
  );
});

describe("E5: the signature's form", () => {
  const sig = signed(GOOD)["sig"] as SignatureHex;
  const r = sig.slice(2, 66);
  const s = sig.slice(66, 130);
  const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
  const high = (BigInt(`0x${order}`) - BigInt(`0x${s}`)).toString(16).padStart(64, "0");
  const flipped = sig.endsWith("1b") ? "1c" : "1b";
  const zero = "0".repeat(64);
  test("E5: as the wallet signed it", () => expect(isSignatureForm(sig)).toBe(true));
  test.each([
    ["high s", r + high + flipped],
    ["r of zero", zero + s + "1b"],
    ["s of zero", r + zero + "1b"],
    ["r of the order", order + s + "1b"],
    ["s of the order", r + order + "1b"],
    ["v 0", `${r}${s}00`],
    ["v 1", `${r}${s}01`],
    ["v 29", `${r}${s}1d`],
    ["v 37", `${r}${s}25`],
  ])("E5: %s is refused", (_what, digits) => {
    const wire = canonicalize({ ...GOOD, sig: `0x${digits}` });
    expect(verdict(wire)).toBe("bad-signature at sig");
    expect(isSignatureForm(`0x${digits}`)).toBe(false);
  });
});

test("E6: the hash leaves the signature out", () => {
  const entry = decode(canonicalize(signed(GOOD)));
  expect(entry.ok && entry.value.hash).toBe(sha256(canonicalize(GOOD)));
});

describe("E7: the signed text", () => {
  const entry = new Drawing().add("a1", "a", "tick", { text: "é\u{1f3b2}" }).node("a1");
  test("E7: a head line, an empty line, the canonical form", () =>
    expect(signedText(entry)).toBe(
      `Cooperation Protocol entry v1\n\n{"body":{"text":"é\u{1f3b2}"},"prev_hash":null,"refs":[],"seq":0,"type":"tick","wallet":"${A}"}`,
    ));
  test("E7: the length under EIP-191 is that of the bytes", () => expect(verdict(entry.wire)).toBe("ok"));
  test("E7: a signature over the same text without the head does not fit", () => {
    const sig = walletOf("a").signTextNow(canonicalize(GOOD));
    expect(verdict(canonicalize({ ...GOOD, sig }))).toBe("wrong-signer at sig");
  });
});

describe("E8: sizes", () => {
  test("E8: 16,384 bytes and no more", () => {
    expect(verdict(canonicalize(signed(sizedBody(16_384, "tick"))))).toBe("ok");
    expect(verdict(canonicalize(signed(sizedBody(16_385, "tick"))))).toBe("too-large at $");
  });
  test("E8: 65,536 for evidence", () => {
    expect(verdict(canonicalize(signed(sizedBody(65_536, "evidence"))))).toBe("ok");
    expect(verdict(canonicalize(signed(sizedBody(65_537, "evidence"))))).toBe("too-large at $");
  });
});

describe("E9: only the canonical bytes", () => {
  const wire = canonicalize(signed(GOOD));
  const body = '"body":{"text":"é"}';
  test.each([
    ["a member twice", wire.replace(body, `"body":{"text":"x"},${body}`)],
    ["twice by an escape", wire.replace(body, `"b\\u006fdy":{"text":"x"},${body}`)],
    ["white space", wire.replace('"seq":3', '"seq": 3')],
    ["white space at the end", `${wire}\n`],
    ["1.0", wire.replace('"seq":3', '"seq":3.0')],
    ["an exponent", wire.replace('"seq":3', '"seq":3e0')],
    ["an escaped letter", wire.replace("é", "\\u00e9")],
    ["another order", wire.replace('"seq":3,', "").replace('"wallet"', '"seq":3,"wallet"')],
  ])("E9: %s", (_what, text) => {
    expect(text).not.toBe(wire);
    expect(verdict(text)).toBe("not-canonical at $");
  });
});

describe("the steps of decoding", () => {
  const wire = canonicalize(signed(GOOD));
  test("D1: too large comes before everything", () =>
    expect(verdict("x".repeat(65_537))).toBe("too-large at $"));
  test("D1: bytes count, not characters", () => expect(verdict("é".repeat(32_769))).toBe("too-large at $"));
  test.each(["", "{", "nothing", "]", wire.slice(0, -1), `${wire}}`])("D2: no JSON: %j", (text) =>
    expect(verdict(text)).toBe("not-json at $"),
  );
  test.each(["null", "[]", '"x"', "42", "true"])("D3: no object: %s", (text) =>
    expect(verdict(text)).toBe("bad-shape at $"),
  );
  test("D3: a seq beyond 2^53-1", () =>
    expect(verdict(wire.replace('"seq":3', '"seq":9007199254740993'))).toBe("bad-shape at seq"));
  test("D3: refs that are none", () => {
    expect(changed({ refs: {} })).toBe("bad-shape at refs");
    expect(changed({ refs: ["x"] })).toBe("bad-shape at refs[0]");
    expect(changed({ refs: [1] })).toBe("bad-shape at refs[0]");
  });
  test("D4: bad refs come before the entry's size", () => {
    const big = { ...sizedBody(17_000, "tick"), refs: [`${A}:3:${hashOf("x")}`] };
    expect(verdict(canonicalize(signed(big)))).toBe("bad-refs at refs[0]");
  });
  test("D5: the entry's size comes before its nesting", () => {
    const big = sizedBody(17_000, "tick");
    const deep = { ...big, body: { ...(big["body"] as JsonObject), deep: nested(20) } };
    expect(verdict(canonicalize(signed(deep)))).toBe("too-large at $");
  });
  test("P6, D6: the deepest value is at level 16", () => {
    expect(changed({ body: { x: nested(15) } })).toBe("ok");
    expect(changed({ body: { x: nested(16) } })).toMatch(/^bad-shape at body\.x\[0\]/);
  });
  test("D6: nesting comes before numbers", () => {
    const deep = canonicalize(signed({ ...GOOD, body: { x: nested(16), y: 1 } }));
    expect(verdict(deep.replace('"y":1', '"y":0.5'))).toMatch(/^bad-shape at body/);
  });
  test("D7: numbers come before spelling", () => {
    const spaced = canonicalize(signed({ ...GOOD, body: { y: 1 } })).replace('"y":1', '"y": 0.5');
    expect(verdict(spaced)).toBe("bad-number at body.y");
    expect(verdict(spaced.replace("0.5", "9007199254740992"))).toBe("bad-number at body.y");
  });
  test("D8: spelling comes before the signature; a lone surrogate has none that is right", () => {
    expect(verdict(wire.replace("é", "\\ud800"))).toBe("not-canonical at $");
    expect(verdict(wire.replace("é", "\ud800"))).toBe("not-canonical at $");
  });
  test("D9: a signature from which nobody is recovered", () => {
    const beyond = `0x${"f".repeat(64)}${"1".repeat(64)}1b`;
    expect(verdict(canonicalize({ ...GOOD, sig: beyond }))).toBe("bad-signature at sig");
  });
  test("D10: a signature by somebody else", () => {
    const sig = walletOf("b").signTextNow(HEAD + canonicalize(GOOD));
    const refusal = decode(canonicalize({ ...GOOD, sig }));
    expect(refusal).toEqual({
      ok: false,
      error: {
        code: "wrong-signer",
        at: "sig",
        expected: `a signature by ${A}`,
        found: `one by ${B}`,
      },
    });
  });
});

/** A list in a list, so many times. */
function nested(levels: number): Json {
  let value: Json = [];
  for (let i = 1; i < levels; i++) value = [value];
  return value;
}

test("L1: one log for all sessions of a wallet", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "a b")
    .tick("a1", "a")
    .genesis("h", "a", "a b", { deadline: 14 })
    .tick("a3", "a", { session: "h" })
    .tick("a4", "a", { session: "g" });
  expect(drawing.showView()).toEqual({ order: "a1 a4", used: "a2 b0" });
  expect(drawing.showView({ session: "h" })).toEqual({ order: "a3", used: "a1 b0" });
});

test("L2: two valid entries at one seq prove the fork, and nothing else does", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "a b")
    .tick("b0", "b")
    .add("b0x", "b", "note", {}, { after: "" });
  expect(drawing.showView()).toEqual({ used: "a0 b1", faults: "b@0" });
  expect(drawing.showView({ without: "b0x" })).toEqual({ order: "b0", used: "a0 b1" });
  // The same entry signed twice is one entry; a second version with a wrong signature proves nothing.
  const forged = canonicalize({ ...drawing.value("b0x"), sig: walletOf("a").signTextNow("anything") });
  expect(drawing.showView({ records: [...drawing.records("b0x"), forged] })).toEqual({
    order: "b0",
    used: "a0 b1",
    rejected: "wrong-signer",
  });
});
