// ECIES over secp256k1 (protocol, Sealed sessions) by eciesjs with its default configuration, which eciespy shares:
// ephemeral key (65 bytes) ‖ nonce16 ‖ tag16 ‖ ciphertext; HKDF-SHA-256; AES-256-GCM. Loaded by those who need it.

import { decrypt, encrypt, PrivateKey, PublicKey } from "eciesjs";
import { fromHex, toHex } from "../core/bytes.ts";
import { addressOf } from "../core/signature.ts";
import type { Address } from "../core/values.ts";
import { generateSecret, type SecretHex } from "./wallet.local.ts";

/** A compressed public key of secp256k1: `0x` and 66 lower-case hex digits. */
export type PublicKeyHex = `0x${string}`;

/** Seals bytes to a public key, so that only its owner can open them; drawn anew at every call. @throws RangeError */
export function sealTo(publicKey: PublicKeyHex, bytes: Uint8Array): Uint8Array {
  if (!isPublicKey(publicKey)) throw new RangeError("not a compressed public key of secp256k1");
  return encrypt(fromHex(publicKey), bytes);
}

/** What was sealed to the public key of a secret; undefined where it does not open: another key, changed, too short. */
export function openSealed(secret: SecretHex, sealed: Uint8Array): Uint8Array | undefined {
  try {
    return decrypt(fromHex(secret), sealed);
  } catch {
    return undefined;
  }
}

/** Whether a text is a compressed public key: the form alone is not enough, the point must lie on the curve. */
export function isPublicKey(text: unknown): text is PublicKeyHex {
  if (typeof text !== "string" || !/^0x0[23][0-9a-f]{64}$/.test(text)) return false;
  try {
    return toHex(new PublicKey(fromHex(text)).toBytes(true)) === text;
  } catch {
    return false;
  }
}

/** The compressed public key of a secret. */
export function publicKeyOf(secret: SecretHex): PublicKeyHex {
  return toHex(new PrivateKey(fromHex(secret)).publicKey.toBytes(true));
}

/** A new secret for reading. `random` gives cryptographically strong bytes. */
export function newSecret(random: (length: number) => Uint8Array): SecretHex {
  return generateSecret(random);
}

/** The address whose key this is. @throws Error where it is no public key */
export function addressOfPublicKey(publicKey: PublicKeyHex): Address {
  return addressOf(new PublicKey(fromHex(publicKey)).toBytes(false).subarray(1));
}
