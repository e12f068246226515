// Keys in the browser's IndexedDB. Where the page has crypto.subtle they are encrypted by an AES-GCM key that the
// browser keeps and does not give out (non-extractable); where it has not (plain http) they lie there readable,
// and `protection` says so. "Kept" means that the transaction completed and the key was read back.

import type { DBSchema } from "idb";
import { fromBase64url, fromUtf8, toBase64url, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { browserDatabase, DatabaseError, type BrowserDatabase } from "../platform/browser-database.ts";
import type { TextSealer } from "../platform/key-value-store.sealed.ts";
import { addressOfSecret, localWallet, type SecretHex } from "./wallet.local.ts";
import { checkedSecret, checkKeyName, checkNameFree, sortKeys, VaultError, type Vault } from "./vault.ts";

interface KeptKey {
  address: Address;
  name: string;
  /** Wrapped: nonce and ciphertext. Plain: the secret itself. */
  kept: { iv: Uint8Array<ArrayBuffer>; sealed: Uint8Array<ArrayBuffer> } | { plain: string };
}

interface VaultSchema extends DBSchema {
  keys: { key: string; value: KeptKey };
  wrapping: { key: string; value: CryptoKey };
}

type Database = BrowserDatabase<VaultSchema>;

/** The part of WebCrypto that the vault uses; undefined where the page has none. */
export interface VaultCrypto {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
  readonly subtle?: Pick<SubtleCrypto, "generateKey" | "encrypt" | "decrypt">;
}

/**
 * Opens the vault. One that does not open in time is not replaced by another: it fails until it opens.
 * @throws VaultError `unavailable` where the browser keeps nothing (some private windows)
 */
export async function indexedDbVault(crypto: VaultCrypto, name = "coop-vault"): Promise<Vault> {
  const db = browserDatabase<VaultSchema>(name, (fresh) => {
    fresh.createObjectStore("keys", { keyPath: "address" });
    fresh.createObjectStore("wrapping");
  });
  try {
    await db.ready();
  } catch (error) {
    if (error instanceof DatabaseError && error.code === "unavailable")
      throw new VaultError("unavailable", "this browser keeps no keys here", { cause: error });
  }
  return makeVault(db, crypto);
}

function makeVault(db: Database, crypto: VaultCrypto): Vault {
  const record = async (address: Address): Promise<KeptKey> => {
    const found = await guard(() => db.run((open) => open.get("keys", address)));
    if (found === undefined) throw new VaultError("no-such-key", `no key for ${address}`);
    return found;
  };
  const save = (kept: KeptKey) =>
    guard(() =>
      db.run(async (open) => {
        const writing = open.transaction("keys", "readwrite", { durability: "strict" });
        // In the same transaction, so that no other tab can take the name in between.
        checkNameFree(await writing.store.getAll(), kept.name, kept.address);
        await Promise.all([writing.store.put(kept), writing.done]);
      }),
    );
  const secret = async (address: Address): Promise<SecretHex> =>
    checkedSecret(address, await unwrap(db, crypto, await record(address)));
  return {
    ...(crypto.subtle === undefined
      ? { protection: "plain" }
      : { protection: "wrapped", sealer: textSealer(db, crypto, crypto.subtle) }),
    list: async () =>
      sortKeys(
        (await guard(() => db.run((open) => open.getAll("keys")))).map(({ address, name }) => ({
          address,
          name,
        })),
      ),
    add: async (name, key) => {
      checkKeyName(name);
      const address = addressOfSecret(key);
      await save({ address, name, kept: await wrap(db, crypto, address, key) });
      await secret(address);
      return { address, name };
    },
    wallet: async (address) => localWallet(await secret(address)),
    secret,
    rename: async (address, name) => save({ ...(await record(address)), name: checkKeyName(name) }),
    remove: async (address) => {
      await record(address);
      await guard(() => db.run((open) => open.delete("keys", address)));
    },
  };
}

async function wrap(
  db: Database,
  crypto: VaultCrypto,
  address: Address,
  secret: SecretHex,
): Promise<KeptKey["kept"]> {
  const { subtle } = crypto;
  if (subtle === undefined) return { plain: secret };
  return encrypt(db, crypto, subtle, address, secret);
}

interface Encrypted {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: Uint8Array<ArrayBuffer>;
}

type Subtle = NonNullable<VaultCrypto["subtle"]>;

/** `purpose` is authenticated beside the text, so that one ciphertext cannot stand in for another. */
async function encrypt(
  db: Database,
  crypto: VaultCrypto,
  subtle: Subtle,
  purpose: string,
  text: string,
): Promise<Encrypted> {
  const key = (await wrappingKey(db)) ?? (await newWrappingKey(db, subtle));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await subtle.encrypt(aesGcm(iv, purpose), key, new Uint8Array(utf8(text)));
  return { iv, sealed: new Uint8Array(sealed) };
}

/** Nonce (12 bytes) and ciphertext as base64url. */
function textSealer(db: Database, crypto: VaultCrypto, subtle: Subtle): TextSealer {
  return {
    seal: async (purpose, text) => {
      const { iv, sealed } = await encrypt(db, crypto, subtle, purpose, text);
      return toBase64url(new Uint8Array([...iv, ...sealed]));
    },
    open: async (purpose, sealed) => {
      const key = await wrappingKey(db);
      const bytes = fromBase64url(sealed);
      if (key === undefined || bytes === undefined) return undefined;
      const all = new Uint8Array(bytes);
      const algorithm = aesGcm(all.slice(0, 12), purpose);
      const opened = await subtle.decrypt(algorithm, key, all.slice(12)).catch(() => undefined);
      return opened === undefined ? undefined : fromUtf8(new Uint8Array(opened));
    },
  };
}

async function unwrap(
  db: Database,
  crypto: VaultCrypto,
  { address, kept }: KeptKey,
): Promise<string | undefined> {
  if ("plain" in kept) return kept.plain;
  const key = await wrappingKey(db);
  if (key === undefined || crypto.subtle === undefined)
    throw new VaultError(
      "unreadable",
      `the key of ${address} is kept encrypted, and what opens it is not here`,
    );
  try {
    const opened = await crypto.subtle.decrypt(aesGcm(kept.iv, address), key, kept.sealed);
    return fromUtf8(new Uint8Array(opened));
  } catch (error) {
    throw new VaultError("unreadable", `the key of ${address} is damaged`, { cause: error });
  }
}

function aesGcm(iv: Uint8Array<ArrayBuffer>, purpose: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new Uint8Array(utf8(purpose)) };
}

const WRAPPING = "aes-gcm";

function wrappingKey(db: Database): Promise<CryptoKey | undefined> {
  return guard(() => db.run((open) => open.get("wrapping", WRAPPING)));
}

/** Makes the wrapping key once: of two tabs that try, both use the one that was kept first. */
async function newWrappingKey(db: Database, subtle: NonNullable<VaultCrypto["subtle"]>): Promise<CryptoKey> {
  const fresh = await subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  return guard(() =>
    db.run(async (open) => {
      const writing = open.transaction("wrapping", "readwrite", { durability: "strict" });
      const first = await writing.store.get(WRAPPING);
      if (first === undefined) await writing.store.add(fresh, WRAPPING);
      await writing.done;
      return first ?? fresh;
    }),
  );
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VaultError) throw error;
    const why =
      error instanceof DatabaseError ? error.message : "this browser could not keep or read the key";
    throw new VaultError("unavailable", why, { cause: error });
  }
}
