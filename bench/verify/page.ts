// The page of chromium.ts: makes entries, measures all contenders in one run, and leaves the table where it is asked for.

import { recoverMessageAddress } from "viem";
import { instantiateSecp256k1 } from "@bitauth/libauth";
import { createInlineVerifier } from "../../src/verify/verifier.inline.ts";
import { createPoolVerifier } from "../../src/verify/verifier.pool.ts";
import { spawnBrowserWorker } from "../../src/verify/pool.browser.ts";
import { sampleEntries, type SignDigest } from "../../src/testing/signed-entries.ts";
import { measure, noble, ours, peer, printTable } from "./contenders.ts";

declare global {
  interface Window {
    bench: (size: number, rounds: number) => Promise<string>;
  }
}

window.bench = async (size, rounds) => {
  const curve = await instantiateSecp256k1();
  const sign: SignDigest = (digest, secret) => {
    const signed = curve.signMessageHashRecoverableCompact(secret, digest);
    if (typeof signed === "string") throw new Error(signed);
    return { compact: signed.signature, recovery: signed.recoveryId };
  };
  const wires = sampleEntries(size, 2, sign).map((entry) => entry.wire);
  const inline = createInlineVerifier();
  const one = createPoolVerifier({ spawn: spawnBrowserWorker, size: 1 });
  const two = createPoolVerifier({ spawn: spawnBrowserWorker, size: 2 });
  const contenders = [
    ours("ours, inline", inline),
    ours("ours, authenticated", inline, "authenticated"),
    ours("ours, 1 worker", one),
    ours("ours, 2 workers", two),
    noble,
    peer("viem", 1000, (candidate, message) => recoverMessageAddress({ message, signature: candidate.sig })),
  ];
  const measured = await measure(contenders, wires, rounds, () => performance.now());
  for (const verifier of [inline, one, two]) verifier.close();
  return printTable(`${size} entries of ${wires[10]!.length} characters, ${navigator.userAgent}`, measured, [
    "ours, 1 worker",
    "@noble/curves",
    "viem",
  ]);
};
