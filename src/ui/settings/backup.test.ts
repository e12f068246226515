// Backups through the app: a key, its salts and its name come back, and nothing that is here is changed by it.

import { toBase64url } from "../../core/bytes.ts";
import { newDomain, readingKeyOf } from "../../peer/domain-keys.ts";
import { expect, test } from "vitest";
import { parseRef, sha256, type Ref } from "../../core/values.ts";
import { exportSalts, findSalt, keepSalt } from "../../peer/salts.ts";
import { memoryStore } from "../../platform/key-value-store.memory.ts";
import { addressOfSecret, type SecretHex } from "../../wallet/wallet.local.ts";
import { memoryVault } from "../services/vault.memory.ts";
import { addKey, missingKeys, remember } from "../services/vault-keys.ts";
import { keptTexts } from "../services/page-texts.ts";
import { backupOfKey, backupOfSalts, restoreBackup, type BackupEnvironment } from "./backup.ts";

const SECRET: SecretHex = `0x${"11".repeat(32)}`;
const address = addressOfSecret(SECRET);
const session: Ref = `${address}:0:${sha256("session")}`;
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const work = { password: "correct horse", cost: { n: 4, r: 1, p: 1 } };

function browser(): BackupEnvironment {
  const texts = new Map<string, string>();
  return {
    vault: memoryVault(),
    store: memoryStore(),
    random,
    texts: keptTexts(() => ({
      getItem: (key) => texts.get(key) ?? null,
      setItem: (key, text) => void texts.set(key, text),
      removeItem: (key) => void texts.delete(key),
    })),
  };
}

test("a key, its name and its salts in another browser", async () => {
  const one = browser();
  const key = await one.vault.add("Ämber / 🎲", SECRET);
  const commitment = await keepSalt(one.store, random, { session, wallet: address, round: 1, value: "rock" });
  const file = await backupOfKey(one, key, work);
  expect(file.name).toBe(`coop-key-mber-${address.slice(2, 8)}.json`);
  const two = browser();
  const restored = await restoreBackup(two, file.text, work);
  expect(restored).toEqual({ address, key, known: false, salts: 1, domainKeys: 0 });
  expect(await two.vault.secret(address)).toBe(SECRET);
  expect(await findSalt(two.store, session, commitment)).toEqual(
    await findSalt(one.store, session, commitment),
  );
  expect(parseRef(session)?.wallet).toBe(address);
});

test("brought in twice, and under a name of its own here: nothing is renamed", async () => {
  const one = browser();
  const file = await backupOfKey(one, await one.vault.add("Amber", SECRET), work);
  await one.vault.rename(address, "Mine");
  expect(await restoreBackup(one, file.text, work)).toMatchObject({
    known: true,
    key: { name: "Mine" },
    salts: 0,
  });
});

test("another key has the name by now: a number is put after it", async () => {
  const one = browser();
  const file = await backupOfKey(one, await one.vault.add("Amber", SECRET), work);
  const two = browser();
  await two.vault.add("Amber", `0x${"22".repeat(32)}`);
  expect((await restoreBackup(two, file.text, work)).key?.name).toBe("Amber 2");
});

test("a wrong password brings nothing in", async () => {
  const one = browser();
  const file = await backupOfKey(one, await one.vault.add("Amber", SECRET), work);
  const two = browser();
  await expect(restoreBackup(two, file.text, { password: "wrong" })).rejects.toMatchObject({
    code: "wrong-password",
  });
  expect(await two.vault.list()).toEqual([]);
});

test("the keys of private sessions of a wallet of the browser", async () => {
  const [one, two] = [browser(), browser()];
  const wallet = { address: `0x${"ab".repeat(20)}` } as const;
  const readingKey = await readingKeyOf(one.store, one.random, wallet);
  const { key } = await newDomain(one.store, one.random, wallet.address, "club");
  const file = await backupOfSalts(one, wallet.address, work);
  expect(file.text).not.toContain(toBase64url(key));
  expect(await restoreBackup(two, file.text, work)).toMatchObject({ salts: 0, domainKeys: 2 });
  expect(await readingKeyOf(two.store, two.random, wallet)).toBe(readingKey);
  expect((await newDomain(two.store, two.random, wallet.address, "club")).key).toEqual(key);
});

test("the salts of a wallet of the browser", async () => {
  const one = browser();
  await keepSalt(one.store, random, { session, wallet: address, round: 1, value: "rock" });
  const file = await backupOfSalts(one, address, work);
  const two = browser();
  expect(await restoreBackup(two, file.text, work)).toEqual({
    address,
    key: null,
    known: false,
    salts: 1,
    domainKeys: 0,
  });
  expect(await exportSalts(two.store, address)).toEqual(await exportSalts(one.store, address));
});

test("a key that is gone is said to be gone, and its name is not given to a new one", async () => {
  const one = browser();
  const key = await addKey(one);
  expect(await missingKeys(one)).toEqual([]);
  const cleared: BackupEnvironment = { ...one, vault: memoryVault() };
  expect(await missingKeys(cleared)).toEqual([key]);
  const fresh = await addKey(cleared);
  expect(fresh.name).not.toBe(key.name);
  remember(cleared, { ...key, name: "renamed" });
  expect((await missingKeys(cleared)).map(({ name }) => name)).toEqual(["renamed"]);
});
