// Signed entries by the thousand for tests and benchmarks: logs of a few wallets, with refs to each other. Keys are
// derived from a number, and guard nothing.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { toHex, utf8 } from "../core/bytes.ts";
import { parseCandidate, signedText, wireForm } from "../core/entry.ts";
import type { Candidate, UnsignedEntry } from "../core/entry.ts";
import { addressOf, personalDigest } from "../core/signature.ts";
import { formatRef, sha256 } from "../core/values.ts";
import type { Address, Hash, Ref, SignatureHex } from "../core/values.ts";

/** Signs a 32-byte digest: r, s (64 bytes) and the recovery bit. */
export type SignDigest = (
  digest: Uint8Array,
  secret: Uint8Array,
) => { compact: Uint8Array; recovery: number };

export const signPlain: SignDigest = (digest, secret) => {
  const bytes = secp256k1.sign(digest, secret, { prehash: false, format: "recovered" });
  return { compact: bytes.subarray(1), recovery: bytes[0]! };
};

export interface SampleWallet {
  readonly secret: Uint8Array;
  readonly wallet: Address;
}

export function sampleWallet(number: number): SampleWallet {
  const secret = nobleSha256(utf8(`sample wallet ${number}`));
  return { secret, wallet: addressOf(secp256k1.getPublicKey(secret, false).subarray(1)) };
}

export function signEntry(by: SampleWallet, entry: UnsignedEntry, sign: SignDigest = signPlain): Candidate {
  const { compact, recovery } = sign(personalDigest(signedText(entry)), by.secret);
  const sig: SignatureHex = `${toHex(compact)}${(27 + recovery).toString(16)}`;
  const parsed = parseCandidate(wireForm({ ...entry, sig }));
  if (!parsed.ok) throw new Error(`the sample is no entry: ${parsed.error.code} at ${parsed.error.at}`);
  return parsed.value;
}

/**
 * `count` entries by turns of `wallets` wallets, each log a chain from seq 0; each entry refers to the latest of every
 * other wallet, as a move does.
 */
export function sampleEntries(count: number, wallets = 2, sign: SignDigest = signPlain): Candidate[] {
  const authors = Array.from({ length: wallets }, (_, i) => sampleWallet(i));
  const heads: (Candidate | undefined)[] = authors.map(() => undefined);
  const entries: Candidate[] = [];
  for (let i = 0; i < count; i++) {
    const author = i % wallets;
    const head = heads[author];
    const refs: Ref[] = heads.flatMap((other, k) => (other === undefined || k === author ? [] : [other.ref]));
    const made = signEntry(
      authors[author]!,
      {
        wallet: authors[author]!.wallet,
        seq: head === undefined ? 0 : head.seq + 1,
        prev_hash: head?.hash ?? null,
        refs: refs.sort(),
        type: "commit",
        body: { commitment: sha256(`sample ${i}`), round: i },
      },
      sign,
    );
    heads[author] = made;
    entries.push(made);
  }
  return entries;
}

/** A ref to nothing that exists, for entries with many. */
export function sampleRef(number: number): Ref {
  const hash: Hash = sha256(`sample ref ${number}`);
  return formatRef(`0x${hash.slice(2, 42)}`, number, hash);
}
