// Recovery of the public key that made one signature, by @noble/curves. Callers have checked the signature's form
// (`isSignatureForm`).

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { fromHex } from "../core/bytes.ts";
import type { SignatureHex } from "../core/values.ts";

/** The public key (65 bytes, SEC 1 uncompressed) that signed a 32-byte digest, or undefined where there is none. */
export type RecoverKey = (digest: Uint8Array, sig: SignatureHex) => Uint8Array | undefined;

export interface Recovery {
  readonly name: string;
  readonly recover: RecoverKey;
}

export const plainRecovery: Recovery = {
  name: "noble",
  recover: (digest, sig) => {
    try {
      const signature = secp256k1.Signature.fromBytes(fromHex(sig.slice(0, 130)), "compact");
      return signature.addRecoveryBit(recoveryBit(sig)).recoverPublicKey(digest).toBytes(false);
    } catch {
      return undefined; // r is no x coordinate, or the point is at infinity: no key signed this
    }
  },
};

/** v 27 is recovery 0, v 28 is 1. */
export function recoveryBit(sig: SignatureHex): 0 | 1 {
  return sig.endsWith("1b") ? 0 : 1;
}
