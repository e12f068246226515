// The protocol's scalar values: address, hash, ref, signature. Stored and compared in lower case.

import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { toHex, utf8 } from "./bytes.ts";
import type { Steps } from "./steps.ts";

/** `0x` and 40 lower-case hex digits. */
export type Address = `0x${string}`;
/** `0x` and 64 lower-case hex digits of a SHA-256. */
export type Hash = `0x${string}`;
/** `<address>:<seq>:<hash>`: locates an entry and pins its content. A session id is the ref of its genesis. */
export type Ref = `${Address}:${number}:${Hash}`;
/** `0x` and 130 lower-case hex digits: r, s (32 bytes each) and v. */
export type SignatureHex = `0x${string}`;

const ADDRESS = /^0x[0-9a-f]{40}$/;
const HASH = /^0x[0-9a-f]{64}$/;
const REF = /^(0x[0-9a-f]{40}):(0|[1-9][0-9]{0,15}):(0x[0-9a-f]{64})$/;

export function isAddress(value: unknown): value is Address {
  return typeof value === "string" && ADDRESS.test(value);
}

export function isHash(value: unknown): value is Hash {
  return typeof value === "string" && HASH.test(value);
}

export interface RefParts {
  readonly wallet: Address;
  readonly seq: number;
  readonly hash: Hash;
}

/** The parts of a ref, or undefined where it is none. */
export function parseRef(value: unknown): RefParts | undefined {
  if (typeof value !== "string") return undefined;
  const match = REF.exec(value);
  if (match === null) return undefined;
  const seq = Number(match[2]);
  if (!Number.isSafeInteger(seq)) return undefined;
  return { wallet: match[1] as Address, seq, hash: match[3] as Hash };
}

/** A ref with a seq of one digit has this length; of sixteen, it may be beyond 2^53-1. */
const SHORTEST_REF = 111;

export function isRef(value: unknown): value is Ref {
  if (typeof value !== "string" || !REF.test(value)) return false;
  return value.length < SHORTEST_REF + 15 || parseRef(value) !== undefined;
}

export function formatRef(wallet: Address, seq: number, hash: Hash): Ref {
  return `${wallet}:${seq}:${hash}`;
}

/** SHA-256 (FIPS 180-4) of bytes or of a text's UTF-8, as a Hash. */
export type Sha256 = (data: string | Uint8Array) => Hash;

export const sha256: Sha256 = (data) => toHex(nobleSha256(typeof data === "string" ? utf8(data) : data));

/** The same of a text in parts, a part a step. No part may end within a surrogate pair. */
export function* sha256Steps(parts: Iterable<string>): Steps<Hash> {
  const hash = nobleSha256.create();
  for (const part of parts) {
    hash.update(utf8(part));
    yield;
  }
  return toHex(hash.digest());
}

/** An address in the mixed case of EIP-55, for people to read. */
export function checksumAddress(address: Address): string {
  const digits = address.slice(2);
  const hash = bytesToHex(keccak_256(utf8(digits)));
  let text = "0x";
  for (let i = 0; i < 40; i++)
    text += Number.parseInt(hash[i]!, 16) >= 8 ? digits[i]!.toUpperCase() : digits[i]!;
  return text;
}

export type TypedAddress =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly code: "bad-address" | "bad-checksum" };

/**
 * An address as a person types it: all lower, all upper or EIP-55 mixed case. A mixed-case address with a wrong
 * checksum is refused, never repaired.
 */
export function parseTypedAddress(text: string): TypedAddress {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { ok: false, code: "bad-address" };
  const lower = text.toLowerCase() as Address;
  const digits = text.slice(2);
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!oneCase && checksumAddress(lower) !== text) return { ok: false, code: "bad-checksum" };
  return { ok: true, address: lower };
}
