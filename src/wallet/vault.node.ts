// Keys in one JSON file that only its owner may read (mode 600), for agents and the server. Written by atomic
// rename and fsync; a file that others may read is refused, as ssh does.

import { randomBytes } from "node:crypto";
import { open, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { canonicalize, isObject, own, parseJson, type JsonObject } from "../core/canonical.ts";
import { isAddress, type Address } from "../core/values.ts";
import { makeFolder } from "../platform/make-folder.node.ts";
import { addressOfSecret, localWallet, type SecretHex } from "./wallet.local.ts";
import {
  checkedSecret,
  checkKeyName,
  checkNameFree,
  sortKeys,
  VaultError,
  type Vault,
  type VaultKey,
} from "./vault.ts";

const FORMAT = "coop-keys/1";

interface Kept {
  readonly name: string;
  readonly secret: string;
}

/** A vault in the file at `path`; the file and its directory are made on the first `add`. */
export function fileVault(path: string): Vault {
  let last: Promise<unknown> = Promise.resolve();
  /** One change at a time, so that none writes over another's. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  const change = (work: (keys: Map<Address, Kept>) => void) =>
    inTurn(async () => {
      const keys = await readKeys(path);
      work(keys);
      await writeKeys(path, keys);
    });
  const find = async (address: Address): Promise<SecretHex> => {
    const kept = (await readKeys(path)).get(address);
    if (kept === undefined) throw noSuchKey(address);
    return checkedSecret(address, kept.secret);
  };
  return {
    protection: "file",
    list: async () => sortKeys(named(await readKeys(path))),
    add: async (name, secret) => {
      checkKeyName(name);
      const address = addressOfSecret(secret);
      await change((keys) => {
        checkNameFree(named(keys), name, address);
        keys.set(address, { name, secret });
      });
      await find(address);
      return { address, name };
    },
    wallet: async (address) => localWallet(await find(address)),
    secret: find,
    rename: async (address, name) => {
      checkKeyName(name);
      await change((keys) => {
        const kept = keys.get(address);
        if (kept === undefined) throw noSuchKey(address);
        checkNameFree(named(keys), name, address);
        keys.set(address, { ...kept, name });
      });
    },
    remove: (address) =>
      change((keys) => {
        if (!keys.delete(address)) throw noSuchKey(address);
      }),
  };
}

function named(keys: ReadonlyMap<Address, Kept>): VaultKey[] {
  return [...keys].map(([address, { name }]) => ({ address, name }));
}

function noSuchKey(address: Address): VaultError {
  return new VaultError("no-such-key", `no key for ${address}`);
}

async function readKeys(path: string): Promise<Map<Address, Kept>> {
  const keys = new Map<Address, Kept>();
  let text: string;
  try {
    if (((await stat(path)).mode & 0o077) !== 0)
      throw new VaultError("unsafe-file", `others may read ${path}: set its mode to 600`);
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof VaultError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return keys;
    throw new VaultError("unavailable", `${path} cannot be read`, { cause: error });
  }
  const value = parseJson(text);
  const held = isObject(value) && own(value, "format") === FORMAT ? own(value, "keys") : undefined;
  if (!isObject(held)) throw new VaultError("unreadable", `${path} is no ${FORMAT} file`);
  for (const [address, kept] of Object.entries(held)) {
    const name = isObject(kept) ? own(kept, "name") : undefined;
    const secret = isObject(kept) ? own(kept, "secret") : undefined;
    if (!isAddress(address) || typeof name !== "string" || typeof secret !== "string")
      throw new VaultError("unreadable", `${path}: the key of ${address} is damaged`);
    keys.set(address, { name, secret });
  }
  return keys;
}

async function writeKeys(path: string, keys: ReadonlyMap<Address, Kept>): Promise<void> {
  const held: Record<string, JsonObject> = {};
  for (const [address, { name, secret }] of keys) held[address] = { name, secret };
  const text = canonicalize({ format: FORMAT, keys: held });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    makeFolder(dirname(path), 0o700);
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw new VaultError("unavailable", `${path} cannot be written`, { cause: error });
  }
}
