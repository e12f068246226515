// Parsing, hashing and signature checks of records, synchronous once loaded: what both the inline verifier and the
// workers run. Every method gives the same answers; which ones are used depends on what the platform allows.

import { parseCandidate, candidateSignedText, type Candidate, type Rejection } from "../core/entry.ts";
import type { SignatureResult } from "../core/entry.ts";
import { isSignatureForm } from "../core/signature.ts";
import type { Result } from "../core/result.ts";
import { toHex, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { verifyBatch, type BatchCurve, type RandomBytes, type SignedDigest } from "../crypto/batch.ts";
import { nobleBatch } from "../crypto/batch-noble.ts";
import { wasmBatch } from "../crypto/batch-wasm.ts";
import { plainHashing, wasmHashing, type Hashing } from "../crypto/hashing.ts";
import { plainRecovery, wasmRecovery, type Recovery } from "../crypto/recovery.ts";

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
  const [hashing, recovery, batch] = await Promise.all([
    wasmHashing().catch(() => plainHashing),
    wasmRecovery().catch(() => plainRecovery),
    wasmBatch().catch(() => nobleBatch),
  ]);
  return { hashing, recovery, batch, random };
}

export function createEngine(methods: Methods): Engine {
  const { hashing, recovery, batch } = methods;
  const keys = new KnownKeys();
  const digestOf = (candidate: Candidate): Uint8Array => personalDigest(hashing, candidate);
  const single = (digest: Uint8Array, candidate: Candidate): SignatureResult => {
    const key = recovery.recover(digest, candidate.sig);
    if (key === undefined) return { ok: false, code: "bad-signature" };
    const signer: Address = toHex(hashing.keccak(key.subarray(1)).subarray(12));
    if (signer !== candidate.wallet) return { ok: false, code: "wrong-signer", recovered: signer };
    keys.set(signer, key);
    return { ok: true, by: "signature" };
  };
  return {
    methods: `${hashing.name}, ${recovery.name}, ${batch?.name ?? "no batch"}`,
    hashing,
    parse: (wire) => parseCandidate(wire, hashing.sha256),
    check(candidates) {
      const results = new Array<SignatureResult>(candidates.length);
      for (const [wallet, indices] of byWallet(candidates)) {
        const rest: number[] = [];
        for (const i of indices) {
          const candidate = candidates[i]!;
          if (!isSignatureForm(candidate.sig)) results[i] = { ok: false, code: "bad-signature" };
          else if (batch === undefined || keys.get(wallet) === undefined)
            results[i] = single(digestOf(candidate), candidate);
          else rest.push(i);
        }
        const key = keys.get(wallet);
        if (batch === undefined || key === undefined) continue;
        const signed = rest.map((i): SignedDigest => ({
          digest: digestOf(candidates[i]!),
          sig: candidates[i]!.sig,
        }));
        const good = verifyBatch(batch, key, signed, methods.random);
        // What no sum vouches for is recovered by itself: that alone says whether it is bad, and whose it is.
        rest.forEach((i, k) => {
          results[i] = good[k] ? { ok: true, by: "signature" } : single(signed[k]!.digest, candidates[i]!);
        });
      }
      return results;
    },
  };
}

/** Keys that have been recovered and hash to their address, the latest used; a bound keeps hostile bags from filling memory. */
class KnownKeys {
  readonly #keys = new Map<Address, Uint8Array>();
  get(wallet: Address): Uint8Array | undefined {
    return this.#keys.get(wallet);
  }
  set(wallet: Address, key: Uint8Array): void {
    if (this.#keys.size >= 4096) this.#keys.clear();
    this.#keys.set(wallet, key);
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
