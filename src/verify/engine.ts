// Parsing, hashing and signature checks of records, synchronous once loaded: what both the inline verifier and the
// workers run. Every method gives the same answers; which ones are used depends on what the platform allows.

import { parseCandidate, candidateSignedText, type Candidate, type Rejection } from "../core/entry.ts";
import type { SignatureResult } from "../core/entry.ts";
import { isSignatureForm } from "../core/signature.ts";
import type { Result } from "../core/result.ts";
import { toHex, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { findSigners, Signer, type BatchCurve, type RandomBytes } from "../crypto/batch.ts";
import { nobleBatch } from "../crypto/batch-noble.ts";
import { wasmBatch } from "../crypto/batch-wasm.ts";
import { plainHashing, wasmHashing, type Hashing } from "../crypto/hashing.ts";
import { plainRecovery, type Recovery } from "../crypto/recovery.ts";

export interface Engine {
  /** The methods in use, for people: hash, recovery, batch. */
  readonly methods: string;
  readonly hashing: Hashing;
  parse(wire: string): Result<Candidate, Rejection>;
  /** Own signature of each candidate, in order. Those of one wallet are checked together. */
  check(candidates: readonly Candidate[]): SignatureResult[];
}

export interface Methods {
  readonly hashing: Hashing;
  /** Used only without a batch. */
  readonly recovery: Recovery;
  /** Undefined: every signature is recovered by itself. */
  readonly batch: BatchCurve | undefined;
  readonly random: RandomBytes;
}

/** Only JavaScript: for pages whose policy refuses WebAssembly, and as the measure of the others. */
export const plainMethods: Methods = {
  hashing: plainHashing,
  recovery: plainRecovery,
  batch: nobleBatch,
  random: (target) => void crypto.getRandomValues(target),
};

/** The fastest methods that load here; each falls back to JavaScript by itself. */
export async function loadMethods(random: RandomBytes = plainMethods.random): Promise<Methods> {
  const [hashing, batch] = await Promise.all([
    wasmHashing().catch(() => plainHashing),
    wasmBatch().catch(() => nobleBatch),
  ]);
  return { hashing, recovery: plainRecovery, batch, random };
}

export function createEngine(methods: Methods): Engine {
  const { hashing, recovery, batch, random } = methods;
  const signers = new KnownSigners();
  const addressOf = (key: Uint8Array): Address => toHex(hashing.keccak(key.subarray(1)).subarray(12));
  const signersOf = (wallet: Address, group: readonly Candidate[]): (Address | undefined)[] => {
    const signed = group.map((candidate) => ({
      digest: personalDigest(hashing, candidate),
      sig: candidate.sig,
    }));
    if (batch !== undefined) return findSigners(batch, signers.of(wallet), wallet, signed, addressOf, random);
    return signed.map(({ digest, sig }) => {
      const key = recovery.recover(digest, sig);
      return key && addressOf(key);
    });
  };
  return {
    methods: `${hashing.name}, ${recovery.name}, ${batch?.name ?? "no batch"}`,
    hashing,
    parse: (wire) => parseCandidate(wire, hashing.sha256),
    check(candidates) {
      const results = candidates.map((): SignatureResult => ({ ok: false, code: "bad-signature" }));
      for (const [wallet, indices] of byWallet(candidates)) {
        const formed = indices.filter((i) => isSignatureForm(candidates[i]!.sig));
        const found = signersOf(
          wallet,
          formed.map((i) => candidates[i]!),
        );
        formed.forEach((i, k) => (results[i] = resultOf(wallet, found[k])));
      }
      return results;
    },
  };
}

function resultOf(wallet: Address, signer: Address | undefined): SignatureResult {
  if (signer === undefined) return { ok: false, code: "bad-signature" };
  if (signer !== wallet) return { ok: false, code: "wrong-signer", recovered: signer };
  return { ok: true, by: "signature" };
}

/** What is known of the wallets that sign; a bound keeps hostile bags from filling memory. */
class KnownSigners {
  readonly #signers = new Map<Address, Signer>();
  of(wallet: Address): Signer {
    let signer = this.#signers.get(wallet);
    if (signer !== undefined) return signer;
    if (this.#signers.size >= 4096) this.#signers.clear();
    this.#signers.set(wallet, (signer = new Signer()));
    return signer;
  }
}

function byWallet(candidates: readonly Candidate[]): Map<Address, number[]> {
  const groups = new Map<Address, number[]>();
  candidates.forEach(({ wallet }, i) => {
    const group = groups.get(wallet);
    if (group === undefined) groups.set(wallet, [i]);
    else group.push(i);
  });
  return groups;
}

/** EIP-191's digest of the signed text: the same as `personalDigest` of core, by the faster hash. */
function personalDigest(hashing: Hashing, candidate: Candidate): Uint8Array {
  const body = utf8(candidateSignedText(candidate));
  return hashing.keccak(utf8(`\x19Ethereum Signed Message:\n${body.length}`), body);
}
