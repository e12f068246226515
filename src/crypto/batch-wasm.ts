// Batches of signatures in WebAssembly, assembled here from TypeScript (wasm-field.ts, wasm-points.ts). The sum is
// Pippenger's: buckets by signed digits of the weights, in windows whose width follows the number of points.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { SignatureHex } from "../core/values.ts";
import type { BatchCurve, LoadedBatch, Weights } from "./batch.ts";
import { recoveryBit } from "./recovery.ts";
import { putWords, SCALAR_BITS, signedDigits } from "./signed-digits.ts";
import { sumWidth } from "./sum-cost.ts";
import { ELEMENT, LIMB_BITS, LIMBS, P } from "./wasm-field.ts";
import {
  BUCKETS_AT,
  CurveMemory,
  FIXED,
  MOST,
  MOST_WIDTH,
  PARTIAL,
  POINTS_AT,
  RUNNING,
  SEVEN,
  SUM,
  WORK,
  ZERO,
} from "./wasm-memory.ts";
import { AFFINE, JACOBIAN } from "./wasm-points.ts";
import { WasmRecovery } from "./wasm-recovery.ts";

const { Point } = secp256k1;
const { Fn } = Point;

/** Compiles the module. @throws where WebAssembly is refused */
export async function wasmBatch(): Promise<BatchCurve> {
  return new WasmCurve(await CurveMemory.create());
}

class WasmCurve implements BatchCurve {
  readonly name = "wasm";
  readonly most = MOST;
  readonly #memory: CurveMemory;
  readonly #recovery: WasmRecovery;
  #loaded = 0;
  /** Whose multiples stand in the places of Q. */
  #key: Uint8Array | undefined;

  constructor(memory: CurveMemory) {
    this.#memory = memory;
    this.#recovery = new WasmRecovery(memory);
    const high = Point.BASE.multiplyUnsafe(2n ** BigInt(SCALAR_BITS)).toAffine();
    memory.putPoint(pointAt(0), Point.BASE.x, Point.BASE.y);
    memory.putPoint(pointAt(1), high.x, high.y);
  }

  load(sigs: readonly SignatureHex[]): LoadedBatch {
    if (sigs.length > MOST) throw new Error(`at most ${MOST} signatures in a batch`);
    const loaded = ++this.#loaded;
    const lifted = sigs.map((sig, i) => this.#lift(FIXED + i, sig));
    // One memory holds one batch: a later one has overwritten these points.
    const assertLoaded = (): void => {
      if (loaded !== this.#loaded) throw new Error("another batch has been loaded since");
    };
    return {
      isPoint: (index) => lifted[index]!,
      isEqual: (key, indices, weights, g, q): boolean => {
        assertLoaded();
        this.#putKey(key);
        return this.#isZeroSum(indices, weights, g, q);
      },
      recover: (terms) => {
        assertLoaded();
        return this.#recovery.recover(terms.map(({ index, g, q }) => ({ R: pointAt(FIXED + index), g, q })));
      },
    };
  }

  /** Puts Q and 2^128·Q. */
  #putKey(key: Uint8Array): void {
    if (this.#key === key) return;
    const Q = Point.fromBytes(key).toAffine();
    const memory = this.#memory;
    const high = memory.jacobianAt(0);
    memory.putPoint(pointAt(2), Q.x, Q.y);
    memory.clear(high);
    memory.run.addAffine(high, pointAt(2), 0);
    for (let i = 0; i < SCALAR_BITS; i++) memory.run.doublePoint(high);
    memory.toAffine([pointAt(3)]);
    this.#key = key;
  }

  /** Puts the point with x = r and v's parity; false where there is none. r is below n, so below p. */
  #lift(place: number, sig: SignatureHex): boolean {
    const { mul, sqr, add, sub, isZero } = this.#memory.run;
    const x = pointAt(place);
    const y = x + ELEMENT;
    this.#putHex(x, sig, 2);
    const [square, check] = [WORK, WORK + ELEMENT];
    sqr(square, x);
    mul(square, square, x);
    add(square, square, SEVEN);
    this.#sqrt(y, square);
    sqr(check, y);
    sub(check, check, square);
    if (isZero(check) === 0) return false;
    if (this.#isOdd(y) !== (recoveryBit(sig) === 1)) sub(y, ZERO, y);
    return true;
  }

  /** 64 hex digits from `at` on. */
  #putHex(address: number, hex: string, at: number): void {
    const to = address >> 2;
    let held = 0;
    let bits = 0;
    let limb = 0;
    // 28 bits at a time from the right; the ninth and last digits are what is left.
    for (let end = at + 64; end > at; end -= 4) {
      const value = Number.parseInt(hex.slice(end - 4, end), 16);
      held += value * 2 ** bits;
      bits += 16;
      if (bits >= LIMB_BITS) {
        this.#memory.words[to + limb++] = held % 2 ** LIMB_BITS;
        held = Math.floor(held / 2 ** LIMB_BITS);
        bits -= LIMB_BITS;
      }
    }
    this.#memory.words[to + limb] = held;
  }

  /** a^((p+1)/4), the root where there is one; (p+1)/4 in binary is 223 ones, 0, 22 ones, 0000, 11, 00. */
  #sqrt(out: number, a: number): void {
    const { mul, sqr, sqrn } = this.#memory.run;
    const slot = (k: number): number => WORK + (k + 2) * ELEMENT;
    /** base^(2^n) · by */
    const step = (to: number, base: number, n: number, by: number): number => {
      sqrn(to, base, n);
      mul(to, to, by);
      return to;
    };
    const x2 = step(slot(0), a, 1, a);
    const x3 = step(slot(1), x2, 1, a);
    const x6 = step(slot(2), x3, 3, x3);
    const x9 = step(slot(3), x6, 3, x3);
    const x11 = step(slot(4), x9, 2, x2);
    const x22 = step(slot(5), x11, 11, x11);
    const x44 = step(slot(6), x22, 22, x22);
    const x88 = step(slot(7), x44, 44, x44);
    const x176 = step(slot(8), x88, 88, x88);
    const x220 = step(slot(9), x176, 44, x44);
    const x223 = step(slot(10), x220, 3, x3);
    const t = step(slot(11), x223, 23, x22);
    step(t, t, 6, x2);
    sqr(t, t);
    sqr(out, t);
  }

  #isOdd(address: number): boolean {
    const out = WORK + 14 * ELEMENT;
    this.#memory.run.reduce(out, address);
    const words = this.#memory.words.subarray(out >> 2, (out >> 2) + LIMBS);
    // Below 2^256 a value of p or more has nothing but ones from limb 2 on; then p, which is odd, goes off.
    const high =
      words[8] === 2 ** 24 - 1 && words.subarray(2, 8).every((limb) => limb === 2 ** LIMB_BITS - 1);
    const isReduced = !high || this.#value(words) < P;
    return ((words[0]! & 1) === 1) === isReduced;
  }

  #value(limbs: Uint32Array): bigint {
    return limbs.reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + BigInt(limb), 0n);
  }

  /** Whether Σ weights[k]·R[indices[k]] - g·G - q·Q is 0. */
  #isZeroSum(indices: readonly number[], weights: Weights, g: bigint, q: bigint): boolean {
    const { doublePoint, addAffine, addPoint } = this.#memory.run;
    const points = [0, 1, 2, 3, ...indices.map((i) => FIXED + i)].map(pointAt);
    const scalars = new BigUint64Array(2 * points.length);
    putWords(scalars, 0, Fn.neg(g), 4);
    putWords(scalars, 4, Fn.neg(q), 4);
    scalars.set(weights, 2 * FIXED);
    const width = sumWidth(points.length, MOST_WIDTH);
    const digits = signedDigits(new Uint32Array(scalars.buffer), width);
    const buckets = 2 ** (width - 1);
    this.#memory.clear(SUM);
    for (let from = digits.length - points.length; from >= 0; from -= points.length) {
      for (let i = 0; i < width; i++) doublePoint(SUM);
      this.#memory.bytes.fill(0, BUCKETS_AT, BUCKETS_AT + buckets * JACOBIAN);
      for (let i = 0; i < points.length; i++) {
        const digit = digits[from + i]!;
        if (digit > 0) addAffine(BUCKETS_AT + (digit - 1) * JACOBIAN, points[i]!, 0);
        else if (digit < 0) addAffine(BUCKETS_AT + (-digit - 1) * JACOBIAN, points[i]!, 1);
      }
      this.#memory.bytes.fill(0, RUNNING, PARTIAL + JACOBIAN);
      for (let k = buckets - 1; k >= 0; k--) {
        addPoint(RUNNING, BUCKETS_AT + k * JACOBIAN);
        addPoint(PARTIAL, RUNNING);
      }
      addPoint(SUM, PARTIAL);
    }
    return this.#memory.isInfinity(SUM);
  }
}

function pointAt(place: number): number {
  return POINTS_AT + place * AFFINE;
}
