// What is measured: entries checked whole (form, canonical spelling, hash, link to the predecessor, signature), by this
// project's verifier and by what other libraries offer for the signature, with the same parser before them.

import { candidateSignedText, parseCandidate, type Candidate } from "../../src/core/entry.ts";
import { checkPlain } from "../../src/core/signature.ts";
import type { Address } from "../../src/core/values.ts";
import type { Report, Verifier } from "../../src/verify/verifier.ts";
import type { Level } from "../../src/core/view.ts";

export interface Contender {
  readonly name: string;
  /** Entries a run measures at most; slower ones are sampled. */
  readonly most: number;
  /** Checks all, and throws unless every one passes. */
  run(wires: readonly string[]): Promise<void>;
}

/** A library that recovers the signer of a personal message, behind this project's own parser. */
export function peer(
  name: string,
  most: number,
  recover: (candidate: Candidate, text: string) => Promise<Address> | Address,
): Contender {
  return {
    name,
    most,
    async run(wires) {
      const heads = new Map<Address, string>();
      for (const wire of wires) {
        const parsed = parseCandidate(wire);
        if (!parsed.ok) throw new Error(parsed.error.code);
        const candidate = parsed.value;
        if (candidate.prev_hash !== (heads.get(candidate.wallet) ?? null)) throw new Error("bad link");
        heads.set(candidate.wallet, candidate.hash);
        const signer = await recover(candidate, candidateSignedText(candidate));
        if (signer.toLowerCase() !== candidate.wallet) throw new Error("wrong signer");
      }
    },
  };
}

export const noble = peer("@noble/curves", 1000, (candidate) => {
  if (!checkPlain(candidate).ok) throw new Error("bad signature");
  return candidate.wallet;
});

export function ours(name: string, verifier: Verifier, level: Level = "verified"): Contender {
  return {
    name,
    most: Infinity,
    async run(wires) {
      const report = await verifier.verify(wires, { level });
      if (report.counts.verified + report.counts.covered !== wires.length)
        throw new Error(`not all passed: ${JSON.stringify(report.counts)}`);
      checkLinks(report);
    },
  };
}

/** Each entry names the one before it in its log; the records come in the order of the logs. */
function checkLinks(report: Report): void {
  const heads = new Map<Address, string>();
  for (const state of report.states) {
    if (state.state !== "verified" && state.state !== "covered") throw new Error(state.state);
    const { wallet, prev, hash } = state.place;
    if (prev !== (heads.get(wallet) ?? null)) throw new Error("bad link");
    heads.set(wallet, hash);
  }
}

export interface Measured {
  readonly name: string;
  /** Entries a second, the median of the rounds. */
  readonly rate: number;
  readonly sample: number;
}

/** Rounds of all contenders by turns, so that whatever else the machine does falls on all alike. */
export async function measure(
  contenders: readonly Contender[],
  wires: readonly string[],
  rounds: number,
  now: () => number,
): Promise<Measured[]> {
  const rates = contenders.map((): number[] => []);
  for (const contender of contenders) await contender.run(wires.slice(0, Math.min(200, wires.length)));
  for (let round = 0; round < rounds; round++)
    for (const [i, contender] of contenders.entries()) {
      const part = wires.slice(0, Math.min(contender.most, wires.length));
      const start = now();
      await contender.run(part);
      rates[i]!.push((1000 * part.length) / (now() - start));
    }
  return contenders.map(({ name, most }, i) => ({
    name,
    rate: rates[i]!.sort((a, b) => a - b)[rates[i]!.length >> 1]!,
    sample: Math.min(most, wires.length),
  }));
}

/** A table with each rate and how many times each peer's it is. */
export function printTable(title: string, measured: readonly Measured[], peers: readonly string[]): string {
  const lines = [title];
  for (const { name, rate, sample } of measured) {
    const ratios = peers.flatMap((peerName) => {
      const other = measured.find((one) => one.name === peerName);
      return other === undefined ? [] : [`${(rate / other.rate).toFixed(2)}x ${peerName}`];
    });
    lines.push(
      `  ${name.padEnd(28)} ${Math.round(rate).toString().padStart(8)} entries/s  (n=${sample})  ${ratios.join("  ")}`,
    );
  }
  return lines.join("\n");
}
