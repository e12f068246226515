// What every vault must do. `reopen` opens the same one again, as after a restart.

import { beforeEach, describe, expect, test } from "vitest";
import { addressOfSecret, type SecretHex } from "./wallet.local.ts";
import { VaultError, type Vault, type VaultCode } from "./vault.ts";

const KEYS: readonly SecretHex[] = ["11", "22", "33"].map((byte): SecretHex => `0x${byte.repeat(32)}`);
const [first, second] = KEYS.map(addressOfSecret) as [`0x${string}`, `0x${string}`];

export async function vaultCode(work: Promise<unknown>): Promise<VaultCode | "no error"> {
  try {
    await work;
    return "no error";
  } catch (error) {
    if (error instanceof VaultError) return error.code;
    throw error;
  }
}

export function vaultContract(name: string, fresh: () => Promise<{ reopen: () => Promise<Vault> }>): void {
  describe(`vault: ${name}`, () => {
    let reopen: () => Promise<Vault>;
    let vault: Vault;
    beforeEach(async () => {
      ({ reopen } = await fresh());
      vault = await reopen();
    });

    test("is empty at first", async () => {
      expect(await vault.list()).toEqual([]);
    });

    test("keeps several keys with their names, also after a restart", async () => {
      await vault.add("beta", KEYS[0]!);
      await vault.add("alpha 🎲", KEYS[1]!);
      const again = await reopen();
      expect(await again.list()).toEqual([
        { address: second, name: "alpha 🎲" },
        { address: first, name: "beta" },
      ]);
      expect(await again.secret(first)).toBe(KEYS[0]);
      const wallet = await again.wallet(second);
      expect(wallet.address).toBe(second);
      expect(await wallet.signText("text")).toMatch(/^0x[0-9a-f]{130}$/);
    });

    test("keys added at once are all kept", async () => {
      await Promise.all(KEYS.map((key, i) => vault.add(`key ${i}`, key)));
      expect(await (await reopen()).list()).toHaveLength(3);
    });

    test("the same key again only renames it; rename and remove", async () => {
      await vault.add("one", KEYS[0]!);
      await vault.add("two", KEYS[0]!);
      expect(await vault.list()).toEqual([{ address: first, name: "two" }]);
      await vault.rename(first, "three");
      expect(await vault.list()).toEqual([{ address: first, name: "three" }]);
      await vault.remove(first);
      expect(await vault.list()).toEqual([]);
    });

    test("what is not there is said, and nothing is made in its place", async () => {
      for (const work of [
        () => vault.wallet(first),
        () => vault.secret(first),
        () => vault.rename(first, "x"),
        () => vault.remove(first),
      ])
        expect(await vaultCode(work())).toBe("no-such-key");
      expect(await vault.list()).toEqual([]);
    });

    test("a name never comes to mean another key", async () => {
      await vault.add("one", KEYS[0]!);
      await vault.add("two", KEYS[1]!);
      expect(await vaultCode(vault.add("one", KEYS[2]!))).toBe("name-taken");
      expect(await vaultCode(vault.rename(second, "one"))).toBe("name-taken");
      expect(await vault.list()).toEqual([
        { address: first, name: "one" },
        { address: second, name: "two" },
      ]);
      expect(await vaultCode(vault.add("one", KEYS[0]!))).toBe("no error");
      await vault.remove(first);
      expect(await vaultCode(vault.rename(second, "one"))).toBe("no error");
    });

    test("names have 1 to 60 characters", async () => {
      expect(await vaultCode(vault.add("", KEYS[0]!))).toBe("bad-name");
      expect(await vaultCode(vault.add("x".repeat(61), KEYS[0]!))).toBe("bad-name");
      expect(await vaultCode(vault.add("🎲".repeat(60), KEYS[0]!))).toBe("no error");
    });
  });
}
