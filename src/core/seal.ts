// AES-256-GCM by @noble/ciphers, for those who open and write sealed sessions with a key in hand.

import { gcm } from "@noble/ciphers/aes.js";
import { toBase64url, utf8 } from "./bytes.ts";
import { canonicalize, type JsonObject } from "./canonical.ts";
import { NONCE_BYTES, sealingData, type Decrypt, type DomainKey, type SealedPlace } from "./sealed.ts";

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

/**
 * The body `{sealed}` that holds `body` at its place in the session. `nonce`: 12 random bytes, new for each body.
 * @throws RangeError where the nonce has another length
 */
export function sealBody(
  key: Uint8Array,
  place: SealedPlace,
  body: JsonObject,
  nonce: Uint8Array,
): { readonly sealed: string } {
  if (nonce.length !== NONCE_BYTES) throw new RangeError(`a nonce has ${NONCE_BYTES} bytes`);
  const sealed = gcm(key, nonce, sealingData(place)).encrypt(utf8(canonicalize(body)));
  const bytes = new Uint8Array(nonce.length + sealed.length);
  bytes.set(nonce);
  bytes.set(sealed, nonce.length);
  return { sealed: toBase64url(bytes) };
}
