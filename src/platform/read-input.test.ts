// One reader for every way in: what it reads, what it names, and that it never changes a byte.

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readBlob, readInput, whyUnreadable } from "./read-input.ts";

const LIMITS = { lines: 1000, bytes: 1_000_000 };
const TEXT = '{"format":"coop-bundle/1"}\r\n{"name":"Zoë 🎲 \u202e"}\n';
const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text));

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (bytes: Uint8Array, size = 7, limits = LIMITS) => readInput(inPieces(bytes, size), limits);

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
}

test.each([
  ["plain UTF-8", bytesOf(TEXT)],
  ["a byte order mark", bytesOf(`\ufeff${TEXT}`)],
  ["UTF-16, little end first, with its mark", utf16(`\ufeff${TEXT}`, true)],
  ["UTF-16, big end first, with its mark", utf16(`\ufeff${TEXT}`, false)],
  ["UTF-16 without a mark", utf16(TEXT, true)],
  ["gzip", new Uint8Array(gzipSync(TEXT))],
  ["gzip of a text with a byte order mark", new Uint8Array(gzipSync(`\ufeff${TEXT}`))],
])("%s is read as it was written, in pieces of any size", async (_, bytes) => {
  for (const size of [1, 3, 64, 5000])
    expect(await read(bytes, size)).toEqual({ ok: true, text: TEXT, capped: null });
});

test.each([
  ["an empty file", new Uint8Array(), "empty", /empty/],
  [
    "a PNG",
    Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
    "not-text",
    /picture \(PNG\)/,
  ],
  ["a JPEG", Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0]), "not-text", /picture \(JPEG\)/],
  ["an SVG", bytesOf('<?xml version="1.0"?>\n<svg xmlns="x"/>'), "not-text", /picture \(SVG\)/],
  ["a PDF", bytesOf("%PDF-1.7"), "not-text", /PDF/],
  ["a ZIP", bytesOf("PK\u0003\u0004x"), "not-text", /ZIP/],
  ["a report", bytesOf("\n<!doctype html><html>"), "not-text", /report saved from here.*bundle/],
  ["zero bytes", Uint8Array.from([0, 0, 0, 0]), "not-text", /zero bytes/],
  ["gzip within gzip", new Uint8Array(gzipSync(gzipSync("x"))), "not-text", /twice/],
  ["half of a gzip", new Uint8Array(gzipSync(TEXT.repeat(99))).subarray(0, 60), "not-text", /damaged/],
  ["half a unit of UTF-16", utf16(`\ufeff${TEXT}`, true).subarray(0, 41), "bad-utf8", /UTF-16/],
])("%s is named", async (_, bytes, code, why) => {
  const result = await read(bytes);
  expect(result).toMatchObject({ ok: false, code });
  expect(!result.ok && result.why).toMatch(why);
});

test.each([
  ["a lone byte", [0xff], "0xff"],
  ["a letter in Latin-1", [0xe9, 0x22], "0xe9"],
  ["an overlong slash", [0xc0, 0xaf], "0xc0"],
  ["half a surrogate pair", [0xed, 0xa0, 0x80], "0xed"],
  ["beyond Unicode", [0xf5, 0x80, 0x80, 0x80], "0xf5"],
])("invalid UTF-8 is named with its line and byte: %s", async (_, wrong, byte) => {
  const bytes = Uint8Array.from([...bytesOf("ä\n".repeat(40) + "é 🎲 "), ...wrong, ...bytesOf("\nmore\n")]);
  for (const size of [1, 16, 5000]) {
    const result = await read(bytes, size);
    expect(result).toMatchObject({ ok: false, code: "bad-utf8" });
    expect(!result.ok && result.why).toContain(
      `Line 41 is not valid UTF-8: the byte ${byte} at its position 9 `,
    );
  }
});

test("a character of two bytes that is cut by the end of the file is invalid", async () => {
  expect(await read(bytesOf("é").subarray(0, 1))).toMatchObject({ ok: false, code: "bad-utf8" });
});

test("reading stops at so many lines, at the end of one, and says so", async () => {
  const lines = 1_000_000;
  let asked = 0;
  async function* endless() {
    for (; asked < lines; asked++) yield bytesOf("junk\n".repeat(100));
  }
  const told: number[] = [];
  const result = await readInput(endless(), { lines: 250, bytes: 1e9 }, (n) => told.push(n));
  expect(result).toEqual({ ok: true, text: "junk\n".repeat(250), capped: { limit: 250, unit: "lines" } });
  expect(asked).toBeLessThan(5);
  expect(told).toEqual([100, 200, 250]);
});

test("exactly as many lines as are allowed are all", async () => {
  const limits = { lines: 2, bytes: 99 };
  expect(await read(bytesOf("a\nb\n"), 64, limits)).toEqual({ ok: true, text: "a\nb\n", capped: null });
});

test("a line without end stops at so many bytes; a small gzip that unpacks to much does too", async () => {
  const limits = { lines: 10, bytes: 100_000 };
  const capped = { limit: 100_000, unit: "bytes" };
  expect(await read(bytesOf(`a\n${"x".repeat(200_000)}`), 1000, limits)).toMatchObject({
    text: "a\n",
    capped,
  });
  const bomb = new Uint8Array(gzipSync("x".repeat(20_000_000)));
  expect(bomb.length).toBeLessThan(50_000);
  expect(await read(bomb, 1000, limits)).toMatchObject({ ok: true, capped });
});

test("a file of the browser is read; what cannot be read is named", async () => {
  expect(await readBlob(new Blob([TEXT]), LIMITS)).toMatchObject({ ok: true, text: TEXT });
  expect(await readBlob(new Blob([]), LIMITS)).toMatchObject({ ok: false, code: "empty" });
  const folder = {
    size: 4096,
    slice: () => ({ arrayBuffer: async () => Promise.reject(new DOMException("", "NotFoundError")) }),
  };
  const result = await readBlob(folder as unknown as Blob, LIMITS);
  expect(result).toMatchObject({ ok: false, code: "unreadable" });
  expect(!result.ok && result.why).toMatch(/folder/);
  expect(whyUnreadable({ code: "EISDIR" })).toMatch(/folder/);
});
