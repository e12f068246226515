// What bad signatures cost: 4,000 entries of one wallet, with none, one and a share of them bad, against good ones in the
// same run. `node --import tsx bench/verify/hostile.ts [entries]`. Prints the ratios, the best of some rounds each.

import secp256k1 from "secp256k1";
import { createEngine, loadMethods } from "../../src/verify/engine.ts";
import { findAll } from "../../src/verify/findings.ts";
import { sampleEntries, type SignDigest } from "../../src/testing/signed-entries.ts";
import { breakSig } from "../../src/verify/verifier.contract.ts";

const ROUNDS = 8;
/** What a worker gets at once. */
const CHUNK = 512;
/** Goal: no share of bad signatures may take this many times as long as good ones. */
const GOAL = 3;

const sign: SignDigest = (digest, secret) => {
  const { signature, recid } = secp256k1.ecdsaSign(digest, secret);
  return { compact: signature, recovery: recid };
};

async function main(): Promise<void> {
  const count = Number(process.argv[2] ?? 4000);
  const methods = await loadMethods();
  const entries = sampleEntries(count, 1, sign);
  const broken = entries.map((entry) => breakSig(entry).wire);
  const cases = [0, 1 / count, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1].map((share) => {
    const isBad = (i: number) => Math.floor((i + 1) * share) > Math.floor(i * share);
    return { share, wires: entries.map((entry, i) => (isBad(i) ? broken[i]! : entry.wire)), best: Infinity };
  });
  for (let round = 0; round < ROUNDS; round++)
    for (const one of cases) {
      // A new engine knows no key, and expects no bad signatures.
      const engine = createEngine(methods);
      const start = performance.now();
      for (let at = 0; at < count; at += CHUNK) findAll(engine, "check", one.wires.slice(at, at + CHUNK));
      one.best = Math.min(one.best, performance.now() - start);
    }
  for (const { share, best } of cases) {
    const ratio = best / cases[0]!.best;
    const bad = Math.round(share * count);
    console.log(
      `${bad} bad of ${count}: ${best.toFixed(0)} ms, ${ratio.toFixed(2)} times good ones (goal: ${GOAL})`,
    );
  }
}

await main();
