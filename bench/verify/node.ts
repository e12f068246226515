// Entries checked a second on Node, all contenders in one run: `node --import tsx bench/verify/node.ts [sizes…]`.

import { ethers } from "ethers";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import secp256k1 from "secp256k1";
import { recoverMessageAddress } from "viem";
import { fromHex } from "../../src/core/bytes.ts";
import { addressOf, personalDigest } from "../../src/core/signature.ts";
import { createInlineVerifier } from "../../src/verify/verifier.inline.ts";
import { createNodePoolVerifier } from "../../src/verify/pool.node.ts";
import { sampleEntries, type SignDigest } from "../../src/testing/signed-entries.ts";
import { measure, noble, ours, peer, printTable } from "./contenders.ts";

const sign: SignDigest = (digest, secret) => {
  const { signature, recid } = secp256k1.ecdsaSign(digest, secret);
  return { compact: signature, recovery: recid };
};

async function main(): Promise<void> {
  const sizes = process.argv.slice(2).map(Number);
  const inline = createInlineVerifier();
  const one = createNodePoolVerifier({ size: 1 });
  const two = createNodePoolVerifier({ size: 2 });
  const contenders = [
    ours("ours, inline", inline),
    ours("ours, authenticated", inline, "authenticated"),
    ours("ours, 1 worker", one),
    ours("ours, 2 workers", two),
    noble,
    peer("viem", 1000, (candidate, message) => recoverMessageAddress({ message, signature: candidate.sig })),
    peer("ethers", 1000, (candidate, text) => ethers.verifyMessage(text, candidate.sig) as `0x${string}`),
    peer("secp256k1 (native)", 10_000, (candidate, text) => {
      const bytes = fromHex(candidate.sig);
      const key = secp256k1.ecdsaRecover(bytes.subarray(0, 64), bytes[64]! - 27, personalDigest(text), false);
      return addressOf(key.subarray(1));
    }),
  ];
  for (const size of sizes.length > 0 ? sizes : [1000, 10_000, 100_000]) {
    const wires = sampleEntries(size, 2, sign).map((entry) => entry.wire);
    const measured = await measure(contenders, wires, size > 10_000 ? 1 : 3, () => performance.now());
    console.log(
      printTable(`${size} entries of ${wires[10]!.length} characters, Node ${process.version}`, measured, [
        "ours, 1 worker",
        "@noble/curves",
        "viem",
        "ethers",
        "secp256k1 (native)",
      ]),
    );
  }
  for (const verifier of [inline, one, two]) verifier.close();
  console.log(`control: a busy loop in two threads over one: ${(await threadScaling()).toFixed(2)}x`);
}

/** What a second thread gains here at best, by a loop that shares nothing: the bound of any pool in this run. */
async function threadScaling(): Promise<number> {
  const code = `const { parentPort } = require("node:worker_threads");
    parentPort.on("message", () => {
      let x = 1;
      for (let i = 0; i < 1e8; i++) x = (Math.imul(x, 1103515245) + 12345) | 0;
      parentPort.postMessage(x);
    });`;
  const workers = [0, 1].map(() => new Worker(code, { eval: true }));
  const ask = (worker: Worker): Promise<unknown> => {
    const done = once(worker, "message");
    worker.postMessage(null);
    return done;
  };
  const time = async (run: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) {
    const alone = await time(async () => {
      for (let k = 0; k < 2; k++) await ask(workers[0]!);
    });
    ratios.push(alone / (await time(() => Promise.all(workers.map(ask)))));
  }
  for (const worker of workers) await worker.terminate();
  return ratios.sort((a, b) => a - b)[2]!;
}

await main();
