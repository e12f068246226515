// Batch verification of one wallet's signatures. With the wallet's key Q known, each signature (r, s, v) over z is good
// exactly if R = u1·G + u2·Q, where R has x = r and the parity of v, u1 = z/s and u2 = r/s. Many are checked by
// one sum, Σ a_i·(R_i - u1_i·G - u2_i·Q) = 0 with fresh random 128-bit a_i: a bad one passes with probability
// 2^-128 (Bellare, Garay, Rabin 1998). The group has prime order, so there is no cofactor to mind.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { toHex } from "../core/bytes.ts";
import type { SignatureHex } from "../core/values.ts";
import { recoveryBit } from "./recovery.ts";

/** Fills an array with random bytes that nobody can foresee. */
export type RandomBytes = (target: Uint8Array<ArrayBuffer>) => void;

/** A signature whose form has been checked, and the 32-byte digest it is over. */
export interface SignedDigest {
  readonly digest: Uint8Array;
  readonly sig: SignatureHex;
}

/** Curve arithmetic for batches. */
export interface BatchCurve {
  readonly name: string;
  /** Largest useful batch. */
  readonly most: number;
  /** Takes a key (65 bytes, uncompressed, on the curve) and the points R of some signatures. */
  load(key: Uint8Array, sigs: readonly SignatureHex[]): LoadedBatch;
}

export interface LoadedBatch {
  /** Whether r is the x coordinate of a point; where it is not, the signature is bad. */
  isPoint(index: number): boolean;
  /** Whether Σ weights[k]·R[indices[k]] = g·G + q·Q, g and q below n. */
  isEqual(indices: readonly number[], weights: Weights, g: bigint, q: bigint): boolean;
}

/** Numbers from 1 to 2^128 - 1, two words each, the lower first. */
export type Weights = BigUint64Array<ArrayBuffer>;

export function weightAt(weights: Weights, index: number): bigint {
  return (weights[2 * index + 1]! << 64n) | weights[2 * index]!;
}

const { Fn } = secp256k1.Point;
/** Smaller groups are cheaper one by one. */
const LEAST = 4;

/**
 * Which signatures the key has made, for certain: true where a sum that holds vouches for it. False says that no sum
 * did, and leaves the signature to a check of its own. Sums that fail are halved until the bad ones stand alone.
 */
export function verifyBatch(
  curve: BatchCurve,
  key: Uint8Array,
  signed: readonly SignedDigest[],
  random: RandomBytes,
): boolean[] {
  const good: boolean[] = new Array<boolean>(signed.length).fill(false);
  for (let start = 0; start < signed.length; start += curve.most) {
    const part = signed.slice(start, start + curve.most);
    const batch = curve.load(
      key,
      part.map((item) => item.sig),
    );
    const points = part.flatMap((_, i) => (batch.isPoint(i) ? [i] : []));
    const terms = termsOf(part);
    const open: number[][] = [points];
    while (open.length > 0) {
      const indices = open.pop()!;
      if (indices.length < LEAST) continue;
      if (holds(batch, terms, indices, random)) for (const i of indices) good[start + i] = true;
      else open.push(...halves(indices));
    }
  }
  return good;
}

interface Terms {
  readonly r: readonly bigint[];
  readonly z: readonly bigint[];
  /** 1/s mod n. */
  readonly inverse: readonly bigint[];
}

function termsOf(signed: readonly SignedDigest[]): Terms {
  const r = signed.map(({ sig }) => BigInt(sig.slice(0, 66)));
  const s = signed.map(({ sig }) => BigInt(`0x${sig.slice(66, 130)}`));
  return { r, z: signed.map(({ digest }) => BigInt(toHex(digest))), inverse: invertAll(s) };
}

/** Inverses mod n of numbers that are not 0 there: one inversion and three products each (Montgomery's trick). */
function invertAll(values: readonly bigint[]): bigint[] {
  const n = Fn.ORDER;
  const before: bigint[] = [];
  let product = 1n;
  for (const value of values) {
    before.push(product);
    product = (product * value) % n;
  }
  let inverse = values.length === 0 ? 1n : Fn.inv(product);
  const inverses = new Array<bigint>(values.length);
  for (let i = values.length - 1; i >= 0; i--) {
    inverses[i] = (inverse * before[i]!) % n;
    inverse = (inverse * values[i]!) % n;
  }
  return inverses;
}

function holds(batch: LoadedBatch, terms: Terms, indices: readonly number[], random: RandomBytes): boolean {
  const n = Fn.ORDER;
  const weights = drawWeights(indices.length, random);
  let g = 0n;
  let q = 0n;
  indices.forEach((i, k) => {
    const weight = (weightAt(weights, k) * terms.inverse[i]!) % n;
    g += weight * terms.z[i]!;
    q += weight * terms.r[i]!;
  });
  return batch.isEqual(indices, weights, g % n, q % n);
}

/** Fresh 128-bit weights. A zero would take its signature out of the sum, so it becomes 1. */
function drawWeights(count: number, random: RandomBytes): Weights {
  const words = new BigUint64Array(2 * count);
  const bytes = new Uint8Array(words.buffer);
  // crypto.getRandomValues fills at most 65,536 bytes a call.
  for (let at = 0; at < bytes.length; at += 65_536) random(bytes.subarray(at, at + 65_536));
  for (let i = 0; i < words.length; i += 2) if (words[i] === 0n && words[i + 1] === 0n) words[i] = 1n;
  return words;
}

function halves(indices: readonly number[]): number[][] {
  const middle = indices.length >> 1;
  return [indices.slice(0, middle), indices.slice(middle)];
}

/** Parity that v gives to R, as SEC 1's first byte of a compressed point. */
export function pointHex(sig: SignatureHex): string {
  return `0${2 + recoveryBit(sig)}${sig.slice(2, 66)}`;
}
