// AES-256-GCM by @noble/ciphers, for those who open sealed sessions with a key in hand.

import { gcm } from "@noble/ciphers/aes.js";
import type { Decrypt, DomainKey } from "./sealed.ts";

const decrypt: Decrypt = (key, nonce, sealed, aad) => {
  try {
    return gcm(key, nonce, aad).decrypt(sealed);
  } catch {
    return undefined;
  }
};

/** A domain's key (32 bytes) with the plain cipher. */
export function domainKey(key: Uint8Array): DomainKey {
  return { key, decrypt };
}
