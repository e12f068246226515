// The vaults of browser and Node under one contract, and what each promises beyond it.

import "fake-indexeddb/auto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDB } from "idb";
import { afterEach, expect, test } from "vitest";
import { addressOfSecret, type SecretHex } from "./wallet.local.ts";
import { vaultCode, vaultContract } from "./vault.contract.ts";
import { indexedDbVault } from "./vault.indexeddb.ts";
import { fileVault } from "./vault.node.ts";

const SECRET: SecretHex = `0x${"42".repeat(32)}`;
const address = addressOfSecret(SECRET);
const withoutSubtle = { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) };

let count = 0;
const freshName = () => `vault-${count++}`;
const directories: string[] = [];
async function freshPath(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "coop-vault-"));
  directories.push(directory);
  return join(directory, "sub", "keys.json");
}
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

vaultContract("IndexedDB, wrapped", async () => {
  const name = freshName();
  return { reopen: () => indexedDbVault(crypto, name) };
});
vaultContract("IndexedDB, plain", async () => {
  const name = freshName();
  return { reopen: () => indexedDbVault(withoutSubtle, name) };
});
vaultContract("file", async () => {
  const path = await freshPath();
  return { reopen: async () => fileVault(path) };
});

test("wrapped keys lie encrypted, plain ones say that they do not", async () => {
  const [wrapped, plain] = [freshName(), freshName()];
  const wrappedVault = await indexedDbVault(crypto, wrapped);
  const plainVault = await indexedDbVault(withoutSubtle, plain);
  expect([wrappedVault.protection, plainVault.protection]).toEqual(["wrapped", "plain"]);
  await wrappedVault.add("a", SECRET);
  await plainVault.add("a", SECRET);
  const lying = async (name: string) => {
    const db = await openDB(name);
    const text = JSON.stringify(await db.getAll("keys"), (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    );
    db.close();
    return text;
  };
  expect(await lying(wrapped)).not.toContain("4242424242");
  expect(await lying(plain)).toContain("4242424242");
});

test("a lost wrapping key is said, not replaced", async () => {
  const name = freshName();
  const vault = await indexedDbVault(crypto, name);
  await vault.add("a", SECRET);
  const db = await openDB(name);
  await db.clear("wrapping");
  db.close();
  expect(await vaultCode((await indexedDbVault(crypto, name)).wallet(address))).toBe("unreadable");
  expect(await vaultCode((await indexedDbVault(withoutSubtle, name)).wallet(address))).toBe("unreadable");
  expect(await vault.list()).toEqual([{ address, name: "a" }]);
});

test("one key's ciphertext does not open under another's address", async () => {
  const name = freshName();
  const vault = await indexedDbVault(crypto, name);
  await vault.add("a", SECRET);
  const other = await vault.add("b", `0x${"43".repeat(32)}`);
  const db = await openDB(name);
  const stolen = (await db.get("keys", address)) as object;
  await db.put("keys", { ...stolen, address: other.address });
  db.close();
  expect(await vaultCode(vault.wallet(other.address))).toBe("unreadable");
});

test("the file has mode 600 and leaves no drafts behind", async () => {
  const path = await freshPath();
  const vault = fileVault(path);
  await vault.add("a", SECRET);
  await vault.add("b", `0x${"43".repeat(32)}`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(path, ".."))).toEqual(["keys.json"]);
});

test("a file that others may read is refused", async () => {
  const path = await freshPath();
  await fileVault(path).add("a", SECRET);
  await chmod(path, 0o644);
  expect(await vaultCode(fileVault(path).list())).toBe("unsafe-file");
  expect(await vaultCode(fileVault(path).add("b", SECRET))).toBe("unsafe-file");
});

test("a damaged file is said and left as it is", async () => {
  const path = await freshPath();
  await fileVault(path).add("a", SECRET);
  await writeFile(path, "{}");
  expect(await vaultCode(fileVault(path).list())).toBe("unreadable");
  expect(await vaultCode(fileVault(path).add("b", SECRET))).toBe("unreadable");
  expect(await readFile(path, "utf8")).toBe("{}");
});

test("other secrets get the protection of wrapped keys, each for its purpose", async () => {
  const name = freshName();
  const { sealer } = await indexedDbVault(crypto, name);
  const sealed = await sealer!.seal("salt/1", "rock and salt");
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("rock");
  const again = (await indexedDbVault(crypto, name)).sealer!;
  expect(await again.open("salt/1", sealed)).toBe("rock and salt");
  expect(await again.open("salt/2", sealed)).toBeUndefined();
  expect(await again.open("salt/1", "A")).toBeUndefined();
  expect(await (await indexedDbVault(crypto, freshName())).sealer!.open("salt/1", sealed)).toBeUndefined();
  expect((await indexedDbVault(withoutSubtle, freshName())).sealer).toBeUndefined();
});
