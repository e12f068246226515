// Signatures by EIP-191 personal_sign, recoverable, over secp256k1 (SEC 1, section 4.1.6).
// The form check is shared by every method; the plain method here is @noble/curves, one signature at a time.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { fromHex, toHex, utf8 } from "./bytes.ts";
import { candidateSignedText, type Candidate, type CheckSignature, type SignatureResult } from "./entry.ts";
import type { Address, SignatureHex } from "./values.ts";

/** Order of the group, and half of it, as 64 hex digits: equal lengths compare as numbers do. */
const ORDER = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
const HALF_ORDER = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0";
const ZERO = "0".repeat(64);

/** Whether r and s are in 1…n-1, s is low, and v is 27 or 28. Expects the pattern of `SignatureHex`. */
export function isSignatureForm(sig: SignatureHex): boolean {
  const r = sig.slice(2, 66);
  const s = sig.slice(66, 130);
  const v = sig.slice(130);
  return r > ZERO && r < ORDER && s > ZERO && s <= HALF_ORDER && (v === "1b" || v === "1c");
}

/** Bytes that EIP-191 has hashed for personal_sign: its prefix, the length in bytes, the text's UTF-8. */
export function personalMessage(text: string): Uint8Array {
  const body = utf8(text);
  const head = utf8(`\x19Ethereum Signed Message:\n${body.length}`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  return message;
}

/** Keccak-256 of `personalMessage`: 32 bytes. */
export function personalDigest(text: string): Uint8Array {
  return keccak_256(personalMessage(text));
}

/** Address of a public key's 64 bytes x‖y (Yellow Paper, appendix F: the last 20 bytes of their Keccak-256). */
export function addressOf(xy: Uint8Array): Address {
  return toHex(keccak_256(xy).subarray(12));
}

/** The address that made a signature over a 32-byte digest, or undefined where none did. Checks the form first. */
export type Recover = (digest: Uint8Array, sig: SignatureHex) => Address | undefined;

/** Recovery by @noble/curves: pure JavaScript, slow, and available everywhere. */
export const recoverPlain: Recover = (digest, sig) => {
  const point = recoverPoint(digest, sig);
  return point === undefined ? undefined : addressOf(point.toBytes(false).subarray(1));
};

/** The compressed public key whose owner signed an entry, or undefined where its signature is not the wallet's. */
export function signerKey(candidate: Candidate): `0x${string}` | undefined {
  const point = recoverPoint(personalDigest(candidateSignedText(candidate)), candidate.sig);
  if (point === undefined || addressOf(point.toBytes(false).subarray(1)) !== candidate.wallet)
    return undefined;
  return toHex(point.toBytes(true));
}

function recoverPoint(digest: Uint8Array, sig: SignatureHex) {
  if (!isSignatureForm(sig)) return undefined;
  try {
    const compact = fromHex(sig.slice(0, 130));
    const recovery = sig.endsWith("1b") ? 0 : 1;
    return secp256k1.Signature.fromBytes(compact, "compact")
      .addRecoveryBit(recovery)
      .recoverPublicKey(digest);
  } catch {
    return undefined;
  }
}

/** A signature check out of a way to recover. */
export function checkByRecovery(recover: Recover): CheckSignature {
  return (candidate): SignatureResult => {
    const signer = recover(personalDigest(candidateSignedText(candidate)), candidate.sig);
    if (signer === undefined) return { ok: false, code: "bad-signature" };
    if (signer !== candidate.wallet) return { ok: false, code: "wrong-signer", recovered: signer };
    return { ok: true, by: "signature" };
  };
}

/** The plain check: no caches, no batches, nothing but @noble. */
export const checkPlain: CheckSignature = checkByRecovery(recoverPlain);
