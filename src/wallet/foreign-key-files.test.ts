// Key files of other tools: short keys, passwords spelled otherwise, byte order marks, and what is no key file at all.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkBackup, openBackup } from "./backup.ts";
import { passwordSpellings } from "./key-derivation.ts";

const file = (name: string) => readFileSync(`src/wallet/cases/${name}.json`, "utf8");

test("a ciphertext of 31 bytes is padded on the left, its MAC over the bytes as they are", async () => {
  const { secret, address } = await openBackup(file("short-31"), "kurz");
  expect(secret).toMatch(/^0x00[0-9a-f]{62}$/);
  expect(address).toMatch(/^0xfbed[0-9a-f]{32}c3c4$/);
});

describe("a password is tried in NFKC, as typed, composed and decomposed", () => {
  test.each(["raw-nfc", "nfkc"])("%s.json opens however the password was typed", async (name) => {
    const typed = ["caf\u00e9 \ufb01n", "cafe\u0301 \ufb01n"];
    const opened = await Promise.all(typed.map((password) => openBackup(file(name), password)));
    expect(opened[0]!.secret).toBe(opened[1]!.secret);
  });

  test("each spelling once, and a wrong one is said once", async () => {
    expect(passwordSpellings("kurz")).toEqual(["kurz"]);
    expect(passwordSpellings("e\u0301 \ufb01")).toEqual(["\u00e9 fi", "e\u0301 \ufb01", "\u00e9 \ufb01"]);
    await expect(openBackup(file("raw-nfc"), "caf\u00e9")).rejects.toMatchObject({ code: "wrong-password" });
  });
});

test("a byte order mark before a key file is taken off", async () => {
  const text = `\ufeff${file("short-31")}`;
  expect(() => checkBackup(text)).not.toThrow();
  expect((await openBackup(text, "kurz")).address).toMatch(/^0xfbed/);
});

test.each([
  ["a bundle", '{"format":"coop-bundle/1"}\n{}'],
  ["another JSON", '{"a":1}'],
  ["a version of its own", file("short-31").replace(/"version": *3/, '"version":1')],
  ["a key file without its MAC", file("short-31").replace(/"mac"/, '"mca"')],
  ["15,000 brackets", "[".repeat(15_000) + "]".repeat(15_000)],
])("%s is refused before its password is asked", (_, text) => {
  expect(() => checkBackup(text)).toThrow(expect.objectContaining({ name: "KeyFileError" }));
});
