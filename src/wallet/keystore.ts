// A key in a file under a password: the Web3 Secret Storage Definition, version 3, which other wallets read and write
// (scrypt, AES-128-CTR, a Keccak-256 MAC over the derived key's second half and the ciphertext).

import { ctr } from "@noble/ciphers/aes.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { fromHex, toHex } from "../core/bytes.ts";
import { isObject, own, parseJson, type JsonObject } from "../core/canonical.ts";
import {
  bareHex,
  derive,
  deriveExact,
  KeyFileError,
  newDerivation,
  notAKeyFile,
  passwordSpellings,
  readDerivation,
  readHex,
  SCRYPT_COST,
  writeDerivation,
  type Derivation,
  type OnProgress,
  type ScryptCost,
} from "./key-derivation.ts";
import { addressOfSecret, type SecretHex } from "./wallet.local.ts";

/** Bytes of a file that are read at most: one of these has under a kilobyte, with salts some more. */
export const MAX_KEY_FILE = 4 * 1024 * 1024;

export interface KeystoreOptions {
  readonly random: (length: number) => Uint8Array;
  readonly cost?: ScryptCost;
  readonly onProgress?: OnProgress | undefined;
}

/** A file's content and the 32 bytes derived from its password, from which further keys may be derived. */
export interface SealedKey {
  readonly file: JsonObject;
  readonly derived: Uint8Array;
}

/** Puts a key into such a file. */
export async function sealKey(
  secret: SecretHex,
  password: string,
  options: KeystoreOptions,
): Promise<SealedKey> {
  const { random, cost = SCRYPT_COST, onProgress } = options;
  const how = newDerivation(random, cost);
  const derived = await derive(how, password, onProgress);
  const iv = random(16);
  const ciphertext = ctr(derived.slice(0, 16), iv).encrypt(fromHex(secret));
  const file = {
    address: addressOfSecret(secret).slice(2),
    crypto: {
      cipher: "aes-128-ctr",
      cipherparams: { iv: bareHex(iv) },
      ciphertext: bareHex(ciphertext),
      ...writeDerivation(how),
      mac: bareHex(macOf(derived, ciphertext)),
    },
    id: uuidOf(random(16)),
    version: 3,
  };
  return { file, derived };
}

/** The key in such a file. @throws KeyFileError */
export async function openKey(
  text: string,
  password: string,
  onProgress?: OnProgress,
): Promise<{ readonly secret: SecretHex; readonly derived: Uint8Array }> {
  const { file, crypto } = readKeystore(text);
  const { ciphertext, iv, mac, how } = readCrypto(crypto);
  const derived = await deriveFitting(
    how,
    password,
    (key) => sameBytes(macOf(key, ciphertext), mac),
    onProgress,
  );
  if (derived === undefined) throw new KeyFileError("wrong-password", "the password does not open this file");
  // Old files dropped the leading zeros of a key; the MAC is over the bytes as they are.
  const secret = toHex(padLeft(ctr(derived.slice(0, 16), iv).decrypt(ciphertext)));
  const claimed = own(file, "address");
  let address: string;
  try {
    address = addressOfSecret(secret);
  } catch {
    throw new KeyFileError("not-a-key-file", "what is in this file is no key");
  }
  if (typeof claimed === "string" && claimed.toLowerCase().replace(/^0x/, "") !== address.slice(2))
    throw new KeyFileError("not-a-key-file", "this file names another address than that of its key");
  return { secret, derived };
}

/** Tries the spellings of a password one after another; undefined where none of them fits. */
async function deriveFitting(
  how: Derivation,
  password: string,
  fits: (derived: Uint8Array) => boolean,
  onProgress: OnProgress | undefined,
): Promise<Uint8Array | undefined> {
  for (const spelling of passwordSpellings(password)) {
    const derived = await deriveExact(how, spelling, onProgress);
    if (fits(derived)) return derived;
  }
  return undefined;
}

const KEY_BYTES = 32;
/** More leading zeros than these no key will ever have. */
const MIN_KEY_BYTES = 24;

function padLeft(bytes: Uint8Array): Uint8Array {
  const key = new Uint8Array(KEY_BYTES);
  key.set(bytes, KEY_BYTES - bytes.length);
  return key;
}

/** Checks all of a file that needs no password. @throws KeyFileError naming what is wrong */
export function checkKeystore(text: string): void {
  readCrypto(readKeystore(text).crypto);
}

/** Whether a text is such a file, as far as its outside tells. @throws KeyFileError naming what is wrong */
export function readKeystore(text: string): { readonly file: JsonObject; readonly crypto: JsonObject } {
  const file = text.length > MAX_KEY_FILE ? undefined : parseJson(withoutBom(text));
  if (!isObject(file)) throw new KeyFileError("not-a-key-file", "this is no key file");
  if (own(file, "version") !== 3)
    throw new KeyFileError("unsupported", "this is no key file of version 3 (Web3 secret storage)");
  // Some old files have it with a capital.
  const crypto = own(file, "crypto") ?? own(file, "Crypto");
  if (!isObject(crypto)) throw notAKeyFile("crypto");
  return { file, crypto };
}

function readCrypto(crypto: JsonObject) {
  if (own(crypto, "cipher") !== "aes-128-ctr")
    throw new KeyFileError("unsupported", "the cipher aes-128-ctr is read, no other");
  const params = own(crypto, "cipherparams");
  const iv = readHex(isObject(params) ? own(params, "iv") : undefined, "crypto.cipherparams.iv");
  const ciphertext = readHex(own(crypto, "ciphertext"), "crypto.ciphertext");
  const mac = readHex(own(crypto, "mac"), "crypto.mac");
  if (iv.length !== 16) throw notAKeyFile("crypto.cipherparams.iv");
  if (ciphertext.length < MIN_KEY_BYTES || ciphertext.length > KEY_BYTES)
    throw notAKeyFile("crypto.ciphertext");
  if (mac.length !== 32) throw notAKeyFile("crypto.mac");
  return { iv, ciphertext, mac, how: readDerivation(crypto) };
}

/** Some editors put a byte order mark before the text. */
export function withoutBom(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function macOf(derived: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  const input = new Uint8Array(16 + ciphertext.length);
  input.set(derived.subarray(16, 32));
  input.set(ciphertext, 16);
  return keccak_256(input);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** RFC 9562, version 4. */
function uuidOf(random: Uint8Array): string {
  const bytes = Uint8Array.from(random);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bareHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
