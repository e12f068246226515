// How much work a batch takes, counted in additions of a point: whatever share of its signatures is bad, and however
// they are spread, it stays near that of good ones. Times are bench/verify's.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { describe, expect, test } from "vitest";
import { toHex } from "../core/bytes.ts";
import { addressOf } from "../core/signature.ts";
import type { SignatureHex } from "../core/values.ts";
import { seededRandom } from "../testing/random.ts";
import { findSigners, Signer, type BatchCurve, type SignedDigest } from "./batch.ts";
import { wasmBatch } from "./batch-wasm.ts";
import { RECOVERY_COST, sumCost } from "./sum-cost.ts";
import { splitScalar } from "./wasm-recovery.ts";

const draw = seededRandom(77);
const bytes = (): Uint8Array => Uint8Array.from({ length: 32 }, () => Math.floor(draw() * 256));
const secret = bytes();
const key = secp256k1.getPublicKey(secret, false);
const wallet = addressOf(key.subarray(1));
const signed = Array.from({ length: 512 }, (): SignedDigest => {
  const digest = bytes();
  const out = secp256k1.sign(digest, secret, { prehash: false, format: "recovered" });
  const sig: SignatureHex = `0x${toHex(out.subarray(1)).slice(2)}${(27 + out[0]!).toString(16)}`;
  return { digest, sig };
});
const curve = await wasmBatch();

/** The curve with its work counted; every signature costs the lifting of its R, about as much as 23 additions. */
function counted(): { curve: BatchCurve; work: () => number } {
  let work = 0;
  return {
    work: () => work,
    curve: {
      ...{ name: curve.name, most: curve.most },
      load(sigs) {
        const batch = curve.load(sigs);
        work += 23 * sigs.length;
        return {
          isPoint: (index) => batch.isPoint(index),
          isEqual(known, indices, ...rest) {
            work += sumCost(indices.length);
            return batch.isEqual(known, indices, ...rest);
          },
          recover(terms) {
            work += RECOVERY_COST * terms.length;
            return batch.recover(terms);
          },
        };
      },
    },
  };
}

/** Work over chunks of 512 one after the other, as a worker gets them, and that every answer is right. */
function workOf(chunks: readonly ((index: number) => boolean)[]): number[] {
  const signer = new Signer(key);
  return chunks.map((isBad) => {
    const { curve: counting, work } = counted();
    const batch = signed.map((item, i) => {
      if (!isBad(i)) return item;
      const digest = item.digest.slice();
      digest[31]! ^= 1;
      return { ...item, digest };
    });
    const random = (target: Uint8Array<ArrayBuffer>) => void crypto.getRandomValues(target);
    const one = (found: Uint8Array) => addressOf(found.subarray(1));
    const found = findSigners(counting, signer, wallet, batch, one, random);
    expect(found.map((address) => address === wallet)).toEqual(batch.map((_, i) => !isBad(i)));
    return work();
  });
}

const [good] = workOf([() => false]) as [number];
/** Parsing an entry, its hash and its digest: 17 µs where an addition takes 0.4. */
const rest = 42 * signed.length;
const ratio = (work: readonly number[]): number =>
  work.reduce((sum, one) => sum + one + rest, 0) / work.length / (good + rest);

describe("work on bad signatures against that on good ones", () => {
  test.each([0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.9, 1])(
    "share %f, at random: at most three times",
    (share) => {
      const isBad = () => {
        const bad = signed.map(() => draw() < share);
        return (i: number) => bad[i]!;
      };
      expect(ratio(workOf([isBad(), isBad(), isBad(), isBad()]))).toBeLessThanOrEqual(3);
    },
  );

  test("every second one bad: at most three times", () => {
    const isBad = (i: number) => i % 2 === 1;
    expect(ratio(workOf([isBad, isBad, isBad]))).toBeLessThanOrEqual(3);
  });

  test("good and bad chunks by turns: at most three times", () => {
    expect(ratio(workOf([() => true, () => false, () => true, () => false]))).toBeLessThanOrEqual(3);
  });

  test("one bad signature among 4,096 costs less than a third of the whole", () => {
    const none = () => false;
    const work = workOf([none, none, (i) => i === 300, none, none, none, none, none]);
    expect(ratio(work)).toBeLessThan(1.34);
  });

  test("after bad ones, good ones soon go by large sums again", () => {
    const work = workOf([() => true, () => false, () => false]);
    expect(work[2]).toBeLessThan(1.2 * good);
  });
});

test("a scalar is split into two halves of at most 128 bits that make it up again", () => {
  const n = secp256k1.Point.Fn.ORDER;
  const lambda = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n;
  const scalars = [
    0n,
    1n,
    2n,
    lambda,
    n - lambda,
    n - 1n,
    n >> 1n,
    ...signed.map(({ digest }) => BigInt(toHex(digest)) % n),
  ];
  for (const k of scalars) {
    const [k1, k2] = splitScalar(k);
    expect((((k1 + k2 * lambda - k) % n) + n) % n).toBe(0n);
    for (const half of [k1, k2]) expect(half < 2n ** 128n && half > -(2n ** 128n)).toBe(true);
  }
});
