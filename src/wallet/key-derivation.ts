// From a password to bytes: scrypt (RFC 7914) and, on reading, PBKDF2 (RFC 8018). The costs come from a file that
// anybody may have written, so they are bounded before any work is done.

import { pbkdf2Async } from "@noble/hashes/pbkdf2.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { fromHex, toHex, utf8 } from "../core/bytes.ts";
import { isObject, own, type Json, type JsonObject } from "../core/canonical.ts";
import { CodedError } from "../platform/coded-error.ts";

export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** What new files ask for: 128 MiB, about a second in a browser. */
export const SCRYPT_COST: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };

export type Derivation =
  | ({ readonly kdf: "scrypt"; readonly salt: Uint8Array } & ScryptCost)
  | { readonly kdf: "pbkdf2"; readonly salt: Uint8Array; readonly c: number };

/** `onProgress` hears the share of the work that is done, from 0 to 1. */
export type OnProgress = (share: number) => void;

export type KeyFileCode =
  /** Not such a file, or a damaged one. */
  | "not-a-key-file"
  /** A version, cipher or derivation that is not read here. */
  | "unsupported"
  /** It asks for more memory or work than any honest file does. */
  | "too-costly"
  /** The password does not open it (or the file is damaged: nobody can tell these apart). */
  | "wrong-password";

export class KeyFileError extends CodedError<KeyFileCode> {
  override readonly name = "KeyFileError";
}

/** Memory 128·n·r, at most 512 MiB; work n·r·p, at most four times what the costliest common setting asks for. */
const MAX_SCRYPT_MEMORY = 2 ** 29;
const MAX_SCRYPT_WORK = 2 ** 23;
const MAX_PBKDF2_ROUNDS = 5_000_000;
const MAX_SALT_BYTES = 256;

/** Reads `kdf` and `kdfparams`. @throws KeyFileError */
export function readDerivation(holder: JsonObject): Derivation {
  const params = own(holder, "kdfparams");
  if (!isObject(params)) throw notAKeyFile("kdfparams");
  const number = (key: string): number => {
    const value = own(params, key);
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
      throw notAKeyFile(`kdfparams.${key}`);
    return value;
  };
  if (number("dklen") !== 32)
    throw new KeyFileError("unsupported", "a derived key of 32 bytes is read, no other");
  const salt = readHex(own(params, "salt"), "kdfparams.salt");
  if (salt.length > MAX_SALT_BYTES) throw notAKeyFile("kdfparams.salt");
  switch (own(holder, "kdf")) {
    case "scrypt": {
      const [n, r, p] = [number("n"), number("r"), number("p")];
      // Bounded first, so that the power of two is looked for in a number that bit operations hold.
      if (128 * n * r > MAX_SCRYPT_MEMORY || n * r * p > MAX_SCRYPT_WORK)
        throw new KeyFileError("too-costly", `scrypt with n ${n}, r ${r}, p ${p} asks for too much`);
      if (n < 2 || (n & (n - 1)) !== 0) throw notAKeyFile("kdfparams.n");
      return { kdf: "scrypt", n, r, p, salt };
    }
    case "pbkdf2": {
      const c = number("c");
      if (own(params, "prf") !== "hmac-sha256")
        throw new KeyFileError("unsupported", "PBKDF2 is read with hmac-sha256, no other");
      if (c > MAX_PBKDF2_ROUNDS)
        throw new KeyFileError("too-costly", `PBKDF2 with ${c} rounds asks for too much`);
      return { kdf: "pbkdf2", c, salt };
    }
    default:
      throw new KeyFileError("unsupported", "a derivation by scrypt or PBKDF2 is read, no other");
  }
}

/** The derivation of a new file, with a fresh salt. */
export function newDerivation(random: (length: number) => Uint8Array, cost: ScryptCost): Derivation {
  return { kdf: "scrypt", ...cost, salt: random(32) };
}

/** `kdf` and `kdfparams` as they stand in a file. */
export function writeDerivation(how: Derivation): { kdf: string; kdfparams: JsonObject } {
  const salt = bareHex(how.salt);
  if (how.kdf === "scrypt")
    return { kdf: "scrypt", kdfparams: { dklen: 32, n: how.n, p: how.p, r: how.r, salt } };
  return { kdf: "pbkdf2", kdfparams: { c: how.c, dklen: 32, prf: "hmac-sha256", salt } };
}

/**
 * The spellings of one typed password, each once: ours (NFKC, so that keyboards which compose letters differently agree),
 * then those that other wallets derive from: as typed, composed, decomposed.
 */
export function passwordSpellings(password: string): readonly string[] {
  return [
    ...new Set([password.normalize("NFKC"), password, password.normalize("NFC"), password.normalize("NFD")]),
  ];
}

/** 32 bytes of a password in NFKC. */
export function derive(how: Derivation, password: string, onProgress?: OnProgress): Promise<Uint8Array> {
  return deriveExact(how, password.normalize("NFKC"), onProgress);
}

/** 32 bytes of exactly this text. */
export function deriveExact(how: Derivation, password: string, onProgress?: OnProgress): Promise<Uint8Array> {
  const bytes = utf8(password);
  if (how.kdf === "pbkdf2") return pbkdf2Async(sha256, bytes, how.salt, { c: how.c, dkLen: 32 });
  const { n, r, p, salt } = how;
  return scryptAsync(bytes, salt, { N: n, r, p, dkLen: 32, ...(onProgress !== undefined && { onProgress }) });
}

/** Bytes of hex without `0x`, in either case of letters. @throws KeyFileError */
export function readHex(value: Json | undefined, at: string): Uint8Array {
  if (typeof value !== "string" || !/^([0-9a-fA-F]{2})+$/.test(value)) throw notAKeyFile(at);
  return fromHex(`0x${value.toLowerCase()}`);
}

export function bareHex(bytes: Uint8Array): string {
  return toHex(bytes).slice(2);
}

export function notAKeyFile(at: string): KeyFileError {
  return new KeyFileError("not-a-key-file", `this is no key file: ${at} is missing or malformed`);
}
