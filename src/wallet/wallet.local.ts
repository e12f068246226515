// A wallet whose key is in this program's memory: throw-away keys, agents, tests. Signing is @noble/curves with
// RFC 6979 nonces, so one text has one signature.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { fromHex, toHex, utf8 } from "../core/bytes.ts";
import { addressOf, personalDigest } from "../core/signature.ts";
import type { Address, SignatureHex } from "../core/values.ts";
import type { Wallet } from "./wallet.ts";

/** A key as `0x` and 64 hex digits. */
export type SecretHex = `0x${string}`;

/** Never answers anything but a good signature; has no account to switch. */
export interface LocalWallet extends Wallet {
  readonly kind: "local";
  /** The same as `signText`, at once. */
  signTextNow(text: string): SignatureHex;
  /** HKDF-SHA-256 (RFC 5869) of the key, `purpose` as info. */
  readonly deriveSecret: (purpose: string) => Uint8Array;
  readonly openSealed: (sealed: Uint8Array) => Promise<Uint8Array | undefined>;
}

/** Sets what is derived here apart from whatever else the same key may be used for. */
const DERIVATION = utf8("Cooperation Protocol secret v1");

/** @throws RangeError where the secret is no key of secp256k1 (zero, too large, not 32 bytes of hex) */
export function localWallet(secret: SecretHex): LocalWallet {
  const key = readSecret(secret);
  const publicKey = secp256k1.getPublicKey(key, true);
  const address = addressOf(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1));
  const signTextNow = (text: string): SignatureHex => {
    // The digest is the message: @noble/curves would hash it once more by default.
    const recovered = secp256k1.sign(personalDigest(text), key, {
      prehash: false,
      lowS: true,
      format: "recovered",
    });
    return `${toHex(recovered.subarray(1))}${recovered[0] === 0 ? "1b" : "1c"}`;
  };
  return {
    address,
    kind: "local",
    publicKey: toHex(publicKey),
    signTextNow,
    signText: async (text) => signTextNow(text),
    deriveSecret: (purpose) => hkdf(sha256, key, DERIVATION, utf8(purpose), 32),
    openSealed: async (sealed) => (await import("./ecies.ts")).openSealed(secret, sealed),
    onChange: () => () => undefined,
  };
}

/** A new key. `random` gives cryptographically strong bytes. */
export function generateSecret(random: (length: number) => Uint8Array): SecretHex {
  for (;;) {
    const bytes = random(32);
    if (secp256k1.utils.isValidSecretKey(bytes)) return toHex(bytes);
  }
}

/** The address of a secret. @throws RangeError as `localWallet` */
export function addressOfSecret(secret: SecretHex): Address {
  return addressOf(secp256k1.getPublicKey(readSecret(secret), false).subarray(1));
}

function readSecret(secret: string): Uint8Array {
  if (!/^0x[0-9a-fA-F]{64}$/.test(secret)) throw new RangeError("a key is 0x and 64 hex digits");
  const key = fromHex(secret);
  if (!secp256k1.utils.isValidSecretKey(key)) throw new RangeError("not a key of secp256k1");
  return key;
}
