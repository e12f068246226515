// A backup: the key as a version 3 key file, which any other wallet reads, with one member more for this app: the
// key's name and its salts, sealed under the same password. Of a wallet whose key is not ours, the salts alone.

import { gcm } from "@noble/ciphers/aes.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import { canonicalize, isObject, own, parseJson, type Json, type JsonObject } from "../core/canonical.ts";
import { isAddress, type Address } from "../core/values.ts";
import {
  bareHex,
  derive,
  KeyFileError,
  newDerivation,
  notAKeyFile,
  readDerivation,
  readHex,
  SCRYPT_COST,
  writeDerivation,
  type OnProgress,
} from "./key-derivation.ts";
import {
  checkKeystore,
  MAX_KEY_FILE,
  openKey,
  readKeystore,
  sealKey,
  withoutBom,
  type KeystoreOptions,
} from "./keystore.ts";
import { addressOfSecret, type SecretHex } from "./wallet.local.ts";

/** Member of the key file that is ours; other wallets leave it alone. */
const OURS = "x-coop";
const SALTS_FORMAT = "coop-salts/1";
/** Names what is sealed; the address follows, so that one wallet's box is not taken for another's. */
const PURPOSE = "coop backup v1 salts ";

export interface Backup {
  /** null in a file of salts alone. */
  readonly secret: SecretHex | null;
  readonly address: Address;
  /** As it was called when the backup was made; null in other wallets' files. */
  readonly name: string | null;
  /** What `salts.ts` of the peer exported: for it to check. */
  readonly salts: Json;
}

/** The text of a backup of a key and its salts. */
export async function backUpKey(
  what: { readonly secret: SecretHex; readonly name: string; readonly salts: Json },
  password: string,
  options: KeystoreOptions,
): Promise<string> {
  const { secret, name, salts } = what;
  const { file, derived } = await sealKey(secret, password, options);
  const sealed = seal(derived, addressOfSecret(secret), salts, options.random);
  return `${canonicalize({ ...file, [OURS]: { name, salts: sealed } })}\n`;
}

/** The text of a backup of salts alone. */
export async function backUpSalts(
  what: { readonly address: Address; readonly salts: Json },
  password: string,
  { random, cost = SCRYPT_COST, onProgress }: KeystoreOptions,
): Promise<string> {
  const { address, salts } = what;
  const how = newDerivation(random, cost);
  const sealed = seal(await derive(how, password, onProgress), address, salts, random);
  return `${canonicalize({ format: SALTS_FORMAT, address, ...writeDerivation(how), salts: sealed })}\n`;
}

/**
 * Opens a backup, or a version 3 key file of another wallet.
 * @throws KeyFileError; with a wrong password nothing is given
 */
export async function openBackup(text: string, password: string, onProgress?: OnProgress): Promise<Backup> {
  const file = saltsFileIn(text);
  if (file !== undefined) return openSalts(file, password, onProgress);
  const ours = own(readKeystore(text).file, OURS);
  const name = isObject(ours) ? own(ours, "name") : undefined;
  const { secret, derived } = await openKey(text, password, onProgress);
  const address = addressOfSecret(secret);
  return {
    secret,
    address,
    name: typeof name === "string" ? name : null,
    salts: isObject(ours) ? open(derived, address, own(ours, "salts")) : [],
  };
}

/** Checks all of a file that needs no password, so that none is asked for in vain. @throws KeyFileError */
export function checkBackup(text: string): void {
  const file = saltsFileIn(text);
  if (file === undefined) return checkKeystore(text);
  if (!isAddress(own(file, "address"))) throw notAKeyFile("address");
  if (!isObject(own(file, "salts"))) throw notAKeyFile("salts");
  readDerivation(file);
}

function saltsFileIn(text: string): JsonObject | undefined {
  const file = text.length > MAX_KEY_FILE ? undefined : parseJson(withoutBom(text));
  return isObject(file) && own(file, "format") === SALTS_FORMAT ? file : undefined;
}

async function openSalts(
  file: JsonObject,
  password: string,
  onProgress: OnProgress | undefined,
): Promise<Backup> {
  const address = own(file, "address");
  if (!isAddress(address)) throw notAKeyFile("address");
  const derived = await derive(readDerivation(file), password, onProgress);
  return { secret: null, address, name: null, salts: open(derived, address, own(file, "salts")) };
}

/** The password's derived bytes key the key file's own cipher and MAC: HKDF (RFC 5869) keeps ours apart from these. */
function boxKey(derived: Uint8Array, address: Address): Uint8Array {
  return hkdf(sha256, derived, undefined, utf8(PURPOSE + address), 32);
}

function seal(
  derived: Uint8Array,
  address: Address,
  value: Json,
  random: (length: number) => Uint8Array,
): JsonObject {
  const nonce = random(12);
  const sealed = gcm(boxKey(derived, address), nonce).encrypt(utf8(canonicalize(value)));
  return { nonce: bareHex(nonce), sealed: bareHex(sealed) };
}

function open(derived: Uint8Array, address: Address, box: Json | undefined): Json {
  if (!isObject(box)) throw notAKeyFile("salts");
  const nonce = readHex(own(box, "nonce"), "salts.nonce");
  const sealed = readHex(own(box, "sealed"), "salts.sealed");
  if (nonce.length !== 12) throw notAKeyFile("salts.nonce");
  let text: string | undefined;
  try {
    text = fromUtf8(gcm(boxKey(derived, address), nonce).decrypt(sealed));
  } catch {
    throw new KeyFileError("wrong-password", "the password does not open the salts in this file");
  }
  const value = text === undefined ? undefined : parseJson(text);
  if (value === undefined) throw notAKeyFile("salts");
  return value;
}
