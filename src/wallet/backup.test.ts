// Key files: the published vectors, both ways with another implementation, and what a hostile or damaged one does.

import { randomBytes } from "node:crypto";
import { decryptKeystoreJson, encryptKeystoreJson, Wallet as EthersWallet } from "ethers";
import { describe, expect, test } from "vitest";
import { canonicalize, isObject, parseJson, type JsonObject } from "../core/canonical.ts";
import { backUpKey, backUpSalts, openBackup } from "./backup.ts";
import { KeyFileError } from "./key-derivation.ts";
import { openKey, sealKey } from "./keystore.ts";
import { addressOfSecret, type SecretHex } from "./wallet.local.ts";

const random = (length: number) => new Uint8Array(randomBytes(length));
const cost = { n: 4, r: 1, p: 1 };
const SECRET: SecretHex = `0x${"11".repeat(32)}`;
const PASSWORD = "a long password é 🎲";
const SALTS = [{ commitment: "0xabc", value: "rock" }];

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof KeyFileError ? error.code : String(error)),
  );

/** A parsed file with some of its members replaced, at a path like "crypto.kdfparams.n". */
function changed(text: string, path: string, value: unknown): string {
  const file: unknown = JSON.parse(text);
  const keys = path.split(".");
  let at = file as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[keys.at(-1)!] = value;
  return JSON.stringify(file);
}

describe("the definition's vectors", () => {
  // Web3 Secret Storage Definition, "Test vectors": password "testpassword".
  const secret = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
  const pbkdf2 = `{"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"6087dab2f9fdbbfaddc31a909735c1e6"},"ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46","kdf":"pbkdf2","kdfparams":{"c":262144,"dklen":32,"prf":"hmac-sha256","salt":"ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},"mac":"517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},"id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}`;
  const scrypt = `{"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"83dbcc02d8ccb40e466191a123791e0e"},"ciphertext":"d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c","kdf":"scrypt","kdfparams":{"dklen":32,"n":262144,"p":8,"r":1,"salt":"ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19"},"mac":"2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097"},"id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}`;

  test("PBKDF2", async () => {
    expect((await openKey(pbkdf2, "testpassword")).secret).toBe(secret);
  });

  test("scrypt, and its work is told", async () => {
    const shares: number[] = [];
    expect((await openKey(scrypt, "testpassword", (share) => shares.push(share))).secret).toBe(secret);
    expect(shares.length).toBeGreaterThan(2);
    expect(shares.at(-1)).toBe(1);
  });

  test("another password opens neither", async () => {
    expect(await codeOf(openKey(pbkdf2, "testpassword "))).toBe("wrong-password");
  });
});

describe("with another implementation", () => {
  test("it reads ours, name and salts and all", async () => {
    const text = await backUpKey({ secret: SECRET, name: "Amber", salts: SALTS }, PASSWORD, { random, cost });
    const account = await decryptKeystoreJson(text, PASSWORD);
    expect(account.privateKey).toBe(SECRET);
    expect(account.address.toLowerCase()).toBe(addressOfSecret(SECRET));
  });

  test("we read its", async () => {
    const { address, privateKey } = new EthersWallet(SECRET);
    const text = await encryptKeystoreJson({ address, privateKey }, PASSWORD, {
      scrypt: { N: 4, r: 1, p: 1 },
    });
    expect(await openBackup(text, PASSWORD)).toEqual({
      secret: SECRET,
      address: addressOfSecret(SECRET),
      name: null,
      salts: [],
    });
  });

  test("an address in another case, with 0x, and hex in capitals", async () => {
    const text = JSON.stringify((await sealKey(SECRET, PASSWORD, { random, cost })).file);
    const file = JSON.parse(text) as { address: string; crypto: { mac: string } };
    file.address = `0x${file.address.toUpperCase()}`;
    file.crypto.mac = file.crypto.mac.toUpperCase();
    expect((await openKey(JSON.stringify(file), PASSWORD)).secret).toBe(SECRET);
  });
});

describe("a backup", () => {
  test("gives key, name and salts back; nothing in it is readable but address and name", async () => {
    const text = await backUpKey({ secret: SECRET, name: "Amber 🎲", salts: SALTS }, PASSWORD, {
      random,
      cost,
    });
    expect(text).not.toContain("1111111111");
    expect(text).not.toContain("rock");
    expect(await openBackup(text, PASSWORD)).toEqual({
      secret: SECRET,
      address: addressOfSecret(SECRET),
      name: "Amber 🎲",
      salts: SALTS,
    });
  });

  test("of salts alone, for a wallet whose key is not ours", async () => {
    const address = addressOfSecret(SECRET);
    const text = await backUpSalts({ address, salts: SALTS }, PASSWORD, { random, cost });
    expect(text).not.toContain("rock");
    expect(await openBackup(text, PASSWORD)).toEqual({ secret: null, address, name: null, salts: SALTS });
    expect(await codeOf(openBackup(text, "no"))).toBe("wrong-password");
    const other = changed(text, "address", `0x${"22".repeat(20)}`);
    expect(await codeOf(openBackup(other, PASSWORD))).toBe("wrong-password");
  });

  test("a letter composed in another way is the same password", async () => {
    const text = await backUpKey({ secret: SECRET, name: "a", salts: [] }, "caf\u00e9", { random, cost });
    expect((await openBackup(text, "cafe\u0301")).secret).toBe(SECRET);
  });

  test("no two are alike: salt, nonce and id are fresh", async () => {
    const [one, two] = await Promise.all([0, 1].map(() => sealKey(SECRET, PASSWORD, { random, cost })));
    expect(one!.file["crypto"]).not.toEqual(two!.file["crypto"]);
    expect(one!.file["id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("progress grows from 0 to 1", async () => {
    const shares: number[] = [];
    const options = {
      random,
      cost: { n: 256, r: 8, p: 1 },
      onProgress: (share: number) => shares.push(share),
    };
    await backUpKey({ secret: SECRET, name: "a", salts: [] }, PASSWORD, options);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });
});

describe("a file that is wrong", () => {
  const whole = async () => canonicalize((await sealKey(SECRET, PASSWORD, { random, cost })).file);

  test.each([
    ["version", 1, "unsupported"],
    ["version", "3", "unsupported"],
    ["crypto", null, "not-a-key-file"],
    ["crypto.cipher", "aes-256-cbc", "unsupported"],
    ["crypto.cipherparams", {}, "not-a-key-file"],
    ["crypto.cipherparams.iv", "00", "not-a-key-file"],
    ["crypto.ciphertext", "zz", "not-a-key-file"],
    ["crypto.ciphertext", "00", "not-a-key-file"],
    ["crypto.ciphertext", "00".repeat(32), "wrong-password"],
    ["crypto.mac", "00".repeat(32), "wrong-password"],
    ["crypto.mac", "", "not-a-key-file"],
    ["crypto.kdf", "argon2", "unsupported"],
    ["crypto.kdfparams", [], "not-a-key-file"],
    ["crypto.kdfparams.dklen", 16, "unsupported"],
    ["crypto.kdfparams.n", 3, "not-a-key-file"],
    ["crypto.kdfparams.n", 1, "not-a-key-file"],
    ["crypto.kdfparams.n", 2 ** 30, "too-costly"],
    ["crypto.kdfparams.n", 2 ** 52, "too-costly"],
    ["crypto.kdfparams.n", "4", "not-a-key-file"],
    ["crypto.kdfparams.n", 4.5, "not-a-key-file"],
    ["crypto.kdfparams.r", 2 ** 30, "too-costly"],
    ["crypto.kdfparams.p", 2 ** 30, "too-costly"],
    ["crypto.kdfparams.p", 0, "not-a-key-file"],
    ["crypto.kdfparams.salt", "00".repeat(300), "not-a-key-file"],
    ["address", "22".repeat(20), "not-a-key-file"],
  ])("%s = %j → %s", async (path, value, code) => {
    expect(await codeOf(openBackup(changed(await whole(), path, value), PASSWORD))).toBe(code);
  });

  test("rounds of PBKDF2 are bounded too", async () => {
    const kdf = { kdf: "pbkdf2", kdfparams: { c: 2 ** 40, dklen: 32, prf: "hmac-sha256", salt: "00" } };
    const file: unknown = JSON.parse(await whole());
    const { crypto } = file as { crypto: object };
    const text = JSON.stringify({ version: 3, crypto: { ...crypto, ...kdf } });
    expect(await codeOf(openBackup(text, PASSWORD))).toBe("too-costly");
  });

  test.each([
    "",
    "null",
    "[]",
    "{}",
    "not JSON",
    `{"format":"coop-salts/1"}`,
    `{"x":"${"x".repeat(5_000_000)}"}`,
  ])("no file at all: %.30s", async (text) => {
    expect(["not-a-key-file", "unsupported"]).toContain(await codeOf(openBackup(text, PASSWORD)));
  });

  test("salts of another key do not open under this one", async () => {
    const mine = await backUpKey({ secret: SECRET, name: "a", salts: SALTS }, PASSWORD, { random, cost });
    const other = parseJson(
      await backUpKey({ secret: `0x${"22".repeat(32)}`, name: "b", salts: [] }, PASSWORD, { random, cost }),
    );
    const theirs: JsonObject = isObject(other) ? other : {};
    expect(await codeOf(openBackup(changed(mine, "x-coop", theirs["x-coop"]), PASSWORD))).toBe(
      "wrong-password",
    );
  });
});
