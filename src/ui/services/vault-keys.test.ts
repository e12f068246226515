// Names of keys, and the care before one is removed. What is kept of them beyond the vault is in backup.test.ts.

import { expect, test } from "vitest";
import { vaultContract } from "../../wallet/vault.contract.ts";
import { memoryVault } from "./vault.memory.ts";
import { addKey, freeName, isConfirmed } from "./vault-keys.ts";
import { keptTexts } from "./page-texts.ts";

vaultContract("in memory", async () => {
  const vault = memoryVault();
  return { reopen: async () => vault };
});

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
/** A browser that forbids storage. */
const nothingKept = keptTexts(() => {
  throw new Error("forbidden");
});

test("keys made one after another have different names, in a browser that keeps nothing too", async () => {
  const vault = memoryVault();
  const holder = { vault, random, texts: nothingKept };
  const names = [await addKey(holder), await addKey(holder)].map(({ name }) => name);
  expect(names).toEqual(["Amber", "Birch"]);
});

test("names go round with a number", () => {
  const taken = new Set<string>();
  for (let i = 0; i < 25; i++) taken.add(freeName(taken));
  expect(taken.size).toBe(25);
  expect([...taken][12]).toBe("Amber 2");
});

test("a key is removed only after its whole name was typed", () => {
  const key = { address: `0x${"11".repeat(20)}`, name: "Amber 2" } as const;
  expect(isConfirmed(" Amber 2 ", key)).toBe(true);
  for (const typed of ["", "Amber", "amber 2", "yes"]) expect(isConfirmed(typed, key)).toBe(false);
});
