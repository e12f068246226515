// Reading a sealed session: bodies are AES-256-GCM under the domain's key (NIST SP 800-38D; the cipher comes by
// argument). Anything that is not exactly so is treated as `{}`.

import { fromBase64url, fromUtf8, utf8 } from "./bytes.ts";
import { isCanonical, isObject, own, parseJson, type JsonObject } from "./canonical.ts";
import type { Entry } from "./entry.ts";
import type { Domain } from "./session.ts";
import { sha256, type Hash, type Ref } from "./values.ts";

/** AES-256-GCM: the plaintext of ciphertext‖tag, or undefined where the tag does not fit. Must not throw. */
export type Decrypt = (
  key: Uint8Array,
  nonce: Uint8Array,
  sealed: Uint8Array,
  aad: Uint8Array,
) => Uint8Array | undefined;

export interface DomainKey {
  /** K_d, 32 bytes. */
  readonly key: Uint8Array;
  readonly decrypt: Decrypt;
}

const KEY_LABEL = utf8("coop domain key v1");
export const DOMAIN_KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Whether a key is the one whose hash the genesis names. */
export function fitsDomain(domain: Domain, key: Uint8Array): boolean {
  return key.length === DOMAIN_KEY_BYTES && domainKeyHash(key) === domain.key_hash;
}

/** SHA-256 of the label and the key, as a genesis names it. */
export function domainKeyHash(key: Uint8Array): Hash {
  const labelled = new Uint8Array(KEY_LABEL.length + key.length);
  labelled.set(KEY_LABEL);
  labelled.set(key, KEY_LABEL.length);
  return sha256(labelled);
}

/** What an entry's body is sealed to: its place in its author's log, and its session. */
export interface SealedPlace extends Pick<Entry, "wallet" | "seq" | "type"> {
  readonly session: Ref;
}

/** The additional data that binds a body to its place. */
export function sealingData({ session, wallet, seq, type }: SealedPlace): Uint8Array {
  return utf8(`${session}\n${wallet}\n${seq}\n${type}`);
}

/** The real body of a sealed session's entry, or undefined where it does not open. */
export function openBody(entry: Entry, session: Ref, { key, decrypt }: DomainKey): JsonObject | undefined {
  const text = own(entry.body, "sealed");
  if (typeof text !== "string" || Object.keys(entry.body).length !== 1) return undefined;
  const bytes = fromBase64url(text);
  if (bytes === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const { wallet, seq, type } = entry;
  const aad = sealingData({ session, wallet, seq, type });
  const opened = decrypt(key, bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES), aad);
  const plain = opened === undefined ? undefined : fromUtf8(opened);
  const body = plain === undefined ? undefined : parseJson(plain);
  return isObject(body) && isCanonical(plain!, body) ? body : undefined;
}
