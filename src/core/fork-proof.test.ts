import { expect, test } from "vitest";
import { Drawing } from "../testing/build.ts";
import { canonicalize } from "./canonical.ts";
import {
  FORK_CODES,
  exitOfFork,
  proveFork,
  readForkProof,
  describeForkProof,
  writeForkProof,
} from "./fork-proof.ts";
import { checkPlain } from "./signature.ts";

//  a: g — x1 — x3
//         x2        (x1 and x2: one place, two entries)
//  b: y
const drawing = new Drawing()
  .genesis("g", "a", "a b")
  .tick("x1", "a")
  .add("x2", "a", "tick", { other: true }, { after: "g" })
  .tick("x3", "a", { after: "x1" })
  .tick("y", "b", { sees: "x1" })
  .evidence("proof", "b", "x1", "x2");
const { wire } = drawing.node("x1");
const proof = writeForkProof(drawing.node("x1"), drawing.node("x2"));
const read = (text: string) => readForkProof(text, checkPlain);
const texts = (a: unknown, b: unknown) =>
  canonicalize({ format: "coop-fork/1", a, b } as Parameters<typeof canonicalize>[0]);
const x1 = drawing.value("x1");

test("a proof is one text whichever entry comes first, and proves the fork by itself", () => {
  expect(writeForkProof(drawing.node("x2"), drawing.node("x1"))).toBe(proof);
  expect(canonicalize(JSON.parse(proof) as string)).toBe(proof);
  const result = read(proof);
  expect(result).toMatchObject({ ok: true, value: { wallet: x1["wallet"], seq: 1 } });
  const hashes = [drawing.node("x1").hash, drawing.node("x2").hash].sort();
  expect(result.ok && [result.value.a.hash, result.value.b.hash]).toEqual(hashes);
  expect(exitOfFork(result)).toBe(0);
  expect(describeForkProof(result)).toContain("at seq 1 of its log");
});

test("the order of a and b, and one line break at the end, do not matter", () => {
  const swapped = texts(drawing.value("x2"), x1);
  const other = texts(x1, drawing.value("x2"));
  for (const text of [swapped, other, `${proof}\n`, `${proof}\r\n`]) expect(read(text)).toEqual(read(proof));
});

test("an evidence entry and its body are proofs too", () => {
  const body = drawing.node("proof").body;
  expect(read(canonicalize(body))).toEqual(read(proof));
  expect(read(drawing.wire("proof"))).toEqual(read(proof));
  expect(proveFork(body, checkPlain)).toEqual(read(proof));
});

const flipped = wire.replace(/"sig":"0x(.)/, (_, digit: string) => `"sig":"0x${digit === "1" ? "2" : "1"}`);
const highS = { ...x1, sig: `0x${"1".repeat(64)}${"f".repeat(64)}1b` };

test.each([
  ["an empty text", "", "not-json", "$", 3],
  ["half of a proof", proof.slice(0, -20), "not-json", "$", 3],
  ["null", "null", "unknown-format", "$", 3],
  ["a list of the two entries", `[${wire},${wire}]`, "unknown-format", "$", 3],
  ["a later version", proof.replace("coop-fork/1", "coop-fork/2"), "unknown-format", "$", 3],
  ["a single entry", wire, "unknown-format", "$", 3],
  ["no b", `{"a":${wire},"format":"coop-fork/1"}`, "missing-entry", "b", 3],
  ["a text without end", `"${"x".repeat(200_000)}"`, "too-large", "$", 3],
  ["the same entry twice", texts(x1, x1), "same-entry", "b", 1],
  ["an entry of another wallet", texts(x1, drawing.value("y")), "other-wallet", "b.wallet", 1],
  ["an entry at another seq", texts(x1, drawing.value("x3")), "other-seq", "b.seq", 1],
  ["a high s", texts(drawing.value("x2"), highS), "bad-entry", "b.sig", 1],
  ["an entry that is none", texts({}, x1), "bad-entry", "a.body", 1],
  ["null for an entry", texts(x1, null), "bad-entry", "b", 1],
  ["15,000 nested brackets", "[".repeat(15_000) + "]".repeat(15_000), "too-deep", "$", 3],
  [
    "a deep value in a",
    `{"a":${"[".repeat(15_000)}${"]".repeat(15_000)},"format":"coop-fork/1"}`,
    "too-deep",
    "$",
    3,
  ],
  [
    "an unsafe number in a",
    proof.replace('"body":{', '"body":{"n":9007199254740993,'),
    "bad-entry",
    "a.body.n",
    1,
  ],
  ["white space", proof.replace(",", ", "), "not-canonical", "$", 1],
  ["two line breaks at the end", `${proof}\n\n`, "not-canonical", "$", 1],
  ["a key twice", proof.replace('{"a":', `{"a":${wire},"a":`), "not-canonical", "$", 1],
  ["a lone surrogate", texts(x1, "z").replace('"z"', String.raw`"\ud800"`), "not-canonical", "$", 1],
])("%s proves nothing", (_, text, code, at, exit) => {
  const result = read(text);
  expect(result).toMatchObject({ ok: false, error: { code, at } });
  expect(exitOfFork(result)).toBe(exit);
  expect(describeForkProof(result)).toMatch(/^(No|Not) /);
});

test("a flipped digit in a signature is named at that entry", () => {
  const result = read(proof.replace(wire, flipped));
  expect(result).toMatchObject({ ok: false, error: { code: "bad-entry" } });
  expect(!result.ok && result.error.at).toMatch(/^[ab]\.sig$/);
  expect(!result.ok && ["bad-signature", "wrong-signer"].includes(result.error.entry!)).toBe(true);
});

test("two signatures under one entry are no fork", () => {
  const resigned = { ...x1, sig: drawing.value("x2")["sig"]! };
  // Another signature that is valid for the same text cannot be drawn here: the check says so in its place.
  const result = readForkProof(texts(x1, resigned), () => ({ ok: true, by: "signature" }));
  expect(result).toMatchObject({ ok: false, error: { code: "same-entry" } });
});

test("a signature that could not be checked proves nothing", () => {
  const result = readForkProof(proof, () => ({ ok: false, code: "unchecked", why: "a killed worker" }));
  expect(result).toMatchObject({ ok: false, error: { code: "unchecked", found: "a killed worker" } });
  expect(exitOfFork(result)).toBe(1);
});

test("every code is produced above", () => {
  expect(FORK_CODES.length).toBe(11);
});
