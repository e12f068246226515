// Findings as they cross from a worker: places in columns, and only what has not passed as objects. Reading two
// objects for each record, names of members included, cost the calling thread more than all else it does for one.

import type { Hash, Address } from "../core/values.ts";
import type { Finding } from "./findings.ts";

export interface PackedFindings {
  readonly state: "parsed" | "verified";
  /** Wallet, seq, predecessor's hash and hash of each record of that state, in order. */
  readonly wallets: readonly Address[];
  readonly seqs: readonly number[];
  readonly prevs: readonly (Hash | null)[];
  readonly hashes: readonly Hash[];
  /** All other findings, each behind its index. */
  readonly others: readonly (readonly [number, Finding])[];
}

export function packFindings(findings: readonly Finding[]): PackedFindings {
  const state = findings.some((one) => one.state === "parsed") ? "parsed" : "verified";
  const wallets: Address[] = [];
  const seqs: number[] = [];
  const prevs: (Hash | null)[] = [];
  const hashes: Hash[] = [];
  const others: (readonly [number, Finding])[] = [];
  findings.forEach((finding, i) => {
    if (finding.state !== state) return void others.push([i, finding]);
    const { wallet, seq, prev, hash } = finding.place;
    wallets.push(wallet);
    seqs.push(seq);
    prevs.push(prev);
    hashes.push(hash);
  });
  return { state, wallets, seqs, prevs, hashes, others };
}

export function unpackFindings(packed: PackedFindings): Finding[] {
  const { state, wallets, seqs, prevs, hashes, others } = packed;
  const findings: Finding[] = [];
  let other = 0;
  const takeOthers = (): void => {
    while (others[other]?.[0] === findings.length) findings.push(others[other++]![1]);
  };
  for (let k = 0; k < hashes.length; k++) {
    takeOthers();
    const place = { wallet: wallets[k]!, seq: seqs[k]!, prev: prevs[k]!, hash: hashes[k]! };
    findings.push({ state, place });
  }
  takeOthers();
  return findings;
}
