import { expect, test } from "vitest";
import { addressOfSecret, type SecretHex } from "../../wallet/local-key.ts";
import { vaultContract } from "../../wallet/vault.contract.ts";
import { addKey, backupOf, freeName, readBackup } from "./keys.ts";
import { memoryVault } from "./memory-vault.ts";

vaultContract("in memory", async () => {
  const vault = memoryVault();
  return { reopen: async () => vault };
});

const secret: SecretHex = `0x${"a1".repeat(32)}`;
const random = (length: number) => new Uint8Array(length).fill(7);

test("a backup brings the same keys back under their names", async () => {
  const vault = memoryVault();
  const key = await vault.add("Amber", secret);
  expect(readBackup(await backupOf(vault, [key]))).toEqual([{ name: "Amber", secret }]);
  expect(addressOfSecret(secret)).toBe(key.address);
});

test.each([
  ["no JSON", "x"],
  ["another file", '{"keys":[]}'],
  ["a damaged key", '{"format":"coop-keys/1","keys":[{"name":"a","secret":"0x12"}]}'],
  ["a key that is no object", '{"format":"coop-keys/1","keys":[3]}'],
])("%s is refused as a backup", (_name, text) => expect(() => readBackup(text)).toThrow());

test("a new key takes a name that is free", async () => {
  const vault = memoryVault();
  const { name } = await addKey({ vault, random });
  expect(name).toBe("Amber");
  const taken = new Set<string>();
  for (let i = 0; i < 12; i++) taken.add(freeName(taken));
  expect(freeName(taken)).toBe("Amber 2");
});
