// Batch verification of one wallet's signatures. With the wallet's key Q known, each signature (r, s, v) over z is good
// exactly if R = u1·G + u2·Q, where R has x = r and the parity of v, u1 = z/s and u2 = r/s. Many are checked by
// one sum, Σ a_i·(R_i - u1_i·G - u2_i·Q) = 0 with fresh random 128-bit a_i: a bad one passes with probability
// 2^-128 (Bellare, Garay, Rabin 1998). The group has prime order, so there is no cofactor to mind.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { toHex } from "../core/bytes.ts";
import type { Address, SignatureHex } from "../core/values.ts";
import { recoveryBit } from "./recovery.ts";
import { nextSumSize } from "./sum-cost.ts";

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
  /** Takes the points R of some signatures; they are there until the next call. */
  load(sigs: readonly SignatureHex[]): LoadedBatch;
}

export interface LoadedBatch {
  /** Whether r is the x coordinate of a point; where it is not, the signature is bad. */
  isPoint(index: number): boolean;
  /** Whether Σ weights[k]·R[indices[k]] = g·G + q·Q, g and q below n, for a key Q (65 bytes, uncompressed, on the curve). */
  isEqual(key: Uint8Array, indices: readonly number[], weights: Weights, g: bigint, q: bigint): boolean;
  /** The points g·G + q·R[index] as keys; undefined at infinity. */
  recover(terms: readonly RecoveryTerm[]): (Uint8Array | undefined)[];
}

export interface RecoveryTerm {
  readonly index: number;
  readonly g: bigint;
  readonly q: bigint;
}

/** Numbers from 1 to 2^128 - 1, two words each, the lower first. */
export type Weights = BigUint64Array<ArrayBuffer>;

export function weightAt(weights: Weights, index: number): bigint {
  return (weights[2 * index + 1]! << 64n) | weights[2 * index]!;
}

const { Fn } = secp256k1.Point;

/** What is known of a wallet that signs, from one batch to the next. */
export class Signer {
  /** Its public key, once one of its signatures has told. */
  key: Uint8Array | undefined;
  /** Share of bad signatures among the latest ones: by this the next ones are searched. */
  bad = FIRST_GUESS;
  constructor(key?: Uint8Array) {
    this.key = key;
  }
  /** Takes note of so many more signatures, all good or all bad. */
  note(count: number, areGood: boolean): void {
    const kept = (1 - 1 / LATEST) ** count;
    this.bad = areGood ? this.bad * kept : 1 - (1 - this.bad) * kept;
  }
}

/** The share before anything is known: the first sum is of 128, which costs next to nothing more where all are good. */
const FIRST_GUESS = 1 / 256;
/** Signatures that `bad` looks back on, about. */
const LATEST = 128;
/** Keys recovered before the share of bad ones is looked at again. */
const RECOVERED_AT_ONCE = 64;
/** Failed sums of fewer signatures are not divided. */
const LEAST_DIVIDED = 16;

/**
 * Who has made each signature: the wallet where a sum that holds vouches for it, else the address of the key that the
 * signature recovers to; undefined where it recovers to none. A sum that fails is searched by smaller ones, or by
 * recovering, whichever is expected to cost less (sum-cost.ts): the answers are the same.
 */
export function findSigners(
  curve: BatchCurve,
  signer: Signer,
  wallet: Address,
  signed: readonly SignedDigest[],
  addressOf: (key: Uint8Array) => Address,
  random: RandomBytes,
): (Address | undefined)[] {
  const found: (Address | undefined)[] = [];
  for (let start = 0; start < signed.length; start += curve.most) {
    const part = signed.slice(start, start + curve.most);
    found.push(...new BatchSearch(curve, signer, wallet, part, addressOf, random).run());
  }
  return found;
}

class BatchSearch {
  readonly #batch: LoadedBatch;
  readonly #signer: Signer;
  readonly #wallet: Address;
  readonly #addressOf: (key: Uint8Array) => Address;
  readonly #random: RandomBytes;
  readonly #terms: Terms;
  readonly #found: (Address | undefined)[];

  constructor(
    curve: BatchCurve,
    signer: Signer,
    wallet: Address,
    signed: readonly SignedDigest[],
    addressOf: (key: Uint8Array) => Address,
    random: RandomBytes,
  ) {
    this.#batch = curve.load(signed.map(({ sig }) => sig));
    this.#signer = signer;
    this.#wallet = wallet;
    this.#addressOf = addressOf;
    this.#random = random;
    this.#terms = termsOf(signed);
    this.#found = new Array<Address | undefined>(signed.length).fill(undefined);
  }

  run(): (Address | undefined)[] {
    // Where r is no x coordinate no key has signed, and there is nothing to add.
    const points = this.#found.flatMap((_, i) => (this.#batch.isPoint(i) ? [i] : []));
    this.#search(this.#findKey(points), Infinity, 0);
    return this.#found;
  }

  /** Recovers signatures, more at a time, until one is the wallet's; returns those that are left. */
  #findKey(indices: readonly number[]): readonly number[] {
    let at = 0;
    for (let count = 1; this.#signer.key === undefined && at < indices.length; at += count, count *= 2)
      this.#recover(indices.slice(at, at + count));
    return indices.slice(at);
  }

  /** Decides all indices by sums of at most `most`; `bad` of them at least are expected to be bad. */
  #search(indices: readonly number[], most: number, bad: number): void {
    let size = 0;
    for (let at = 0; at < indices.length; at += size) {
      const left = indices.length - at;
      size = nextSumSize(Math.min(left, most), Math.max(bad, this.#signer.bad));
      const isSum = size > 0;
      if (!isSum) size = Math.min(left, RECOVERED_AT_ONCE);
      const part = indices.slice(at, at + size);
      if (isSum && this.#holds(part)) this.#accept(part);
      else if (!isSum || size < LEAST_DIVIDED) this.#recover(part);
      else this.#search(part, size >> 1, 1 / size);
    }
  }

  #accept(indices: readonly number[]): void {
    for (const i of indices) this.#found[i] = this.#wallet;
    this.#signer.note(indices.length, true);
  }

  #recover(indices: readonly number[]): void {
    const { r, s, z } = this.#terms;
    const inverses = invertAll(indices.map((i) => r[i]!));
    const terms = indices.map((index, k) => ({
      index,
      g: Fn.neg(Fn.mul(z[index]! % Fn.ORDER, inverses[k]!)),
      q: Fn.mul(s[index]!, inverses[k]!),
    }));
    for (const [k, key] of this.#batch.recover(terms).entries()) {
      const address = key && this.#addressOf(key);
      this.#found[indices[k]!] = address;
      if (address === this.#wallet) this.#signer.key ??= key;
      this.#signer.note(1, address === this.#wallet);
    }
  }

  /** Whether Σ a_i·(R_i - u1_i·G - u2_i·Q) is 0. */
  #holds(indices: readonly number[]): boolean {
    const n = Fn.ORDER;
    const { r, z, inverse } = this.#terms;
    const weights = drawWeights(indices.length, this.#random);
    let g = 0n;
    let q = 0n;
    indices.forEach((i, k) => {
      const weight = (weightAt(weights, k) * inverse[i]!) % n;
      g += weight * z[i]!;
      q += weight * r[i]!;
    });
    return this.#batch.isEqual(this.#signer.key!, indices, weights, g % n, q % n);
  }
}

interface Terms {
  readonly r: readonly bigint[];
  readonly s: readonly bigint[];
  readonly z: readonly bigint[];
  /** 1/s mod n. */
  readonly inverse: readonly bigint[];
}

function termsOf(signed: readonly SignedDigest[]): Terms {
  const r = signed.map(({ sig }) => BigInt(sig.slice(0, 66)));
  const s = signed.map(({ sig }) => BigInt(`0x${sig.slice(66, 130)}`));
  return { r, s, z: signed.map(({ digest }) => BigInt(toHex(digest))), inverse: invertAll(s) };
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

/** Fresh 128-bit weights. A zero would take its signature out of the sum, so it becomes 1. */
function drawWeights(count: number, random: RandomBytes): Weights {
  const words = new BigUint64Array(2 * count);
  const bytes = new Uint8Array(words.buffer);
  // crypto.getRandomValues fills at most 65,536 bytes a call.
  for (let at = 0; at < bytes.length; at += 65_536) random(bytes.subarray(at, at + 65_536));
  for (let i = 0; i < words.length; i += 2) if (words[i] === 0n && words[i + 1] === 0n) words[i] = 1n;
  return words;
}

/** Parity that v gives to R, as SEC 1's first byte of a compressed point. */
export function pointHex(sig: SignatureHex): string {
  return `0${2 + recoveryBit(sig)}${sig.slice(2, 66)}`;
}
