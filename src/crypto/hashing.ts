// The two hashes of an entry by the fastest means at hand: hash-wasm, or @noble where WebAssembly is refused (by a
// page's policy, say). Both give the same bytes; only the speed differs.

import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { createKeccak, createSHA256 } from "hash-wasm";
import { toHex, utf8 } from "../core/bytes.ts";
import type { Sha256 } from "../core/values.ts";

export interface Hashing {
  readonly name: "hash-wasm" | "noble";
  readonly sha256: Sha256;
  /** Keccak-256 of the parts, one after the other: 32 bytes. */
  readonly keccak: (...parts: readonly Uint8Array[]) => Uint8Array;
}

export const plainHashing: Hashing = {
  name: "noble",
  sha256: (data) => toHex(nobleSha256(typeof data === "string" ? utf8(data) : data)),
  keccak: (...parts) => {
    const hash = keccak_256.create();
    for (const part of parts) hash.update(part);
    return hash.digest();
  },
};

/** hash-wasm's functions, which are synchronous once made. @throws where WebAssembly is refused */
export async function wasmHashing(): Promise<Hashing> {
  const [sha, keccak] = await Promise.all([createSHA256(), createKeccak(256)]);
  return {
    name: "hash-wasm",
    sha256: (data) => `0x${sha.init().update(data).digest()}`,
    keccak: (...parts) => {
      keccak.init();
      for (const part of parts) keccak.update(part);
      return keccak.digest("binary");
    },
  };
}
