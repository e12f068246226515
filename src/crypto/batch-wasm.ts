// Curve arithmetic for batches in WebAssembly, assembled here from TypeScript (wasm-field.ts, wasm-points.ts). The sum
// is Pippenger's: buckets by signed digits of the weights, in windows whose width follows the number of points.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { SignatureHex } from "../core/values.ts";
import type { BatchCurve, Weights } from "./batch.ts";
import { recoveryBit } from "./recovery.ts";
import { assemble } from "./wasm-assembler.ts";
import { ELEMENT, LIMB_BITS, LIMBS, limbsOf, P } from "./wasm-field.ts";
import { AFFINE, JACOBIAN, POINTS, SCRATCH_END } from "./wasm-points.ts";

type Call = (...args: number[]) => number;
type Name = "mul" | "sqr" | "sqrn" | "add" | "sub" | "reduce" | "isZero";
type PointName = "doublePoint" | "addAffine" | "addPoint";
type Exports = { readonly [K in Name | PointName]: Call } & { readonly memory: WebAssembly.Memory };

const { Point } = secp256k1;
const { Fp, Fn } = Point;
const HALF = 2n ** 128n;
const WEIGHT_BITS = 128;
const MOST = 4096;
const MOST_WIDTH = 11;

/** Where things are in memory, in bytes. */
const ONE = 15 * ELEMENT;
const WORK = SCRATCH_END;
const SEVEN = WORK + 15 * ELEMENT;
const SUM = WORK + 16 * ELEMENT;
const RUNNING = SUM + JACOBIAN;
const PARTIAL = RUNNING + JACOBIAN;
const POINTS_AT = PARTIAL + JACOBIAN;
/** Besides the R: G, 2^128·G, Q and 2^128·Q, so that all scalars have 128 bits. */
const FIXED = 4;
const BUCKETS_AT = POINTS_AT + (MOST + FIXED) * AFFINE;
const END = BUCKETS_AT + 2 ** (MOST_WIDTH - 1) * JACOBIAN;

/** Compiles the module. @throws where WebAssembly is refused */
export async function wasmBatch(): Promise<BatchCurve> {
  const bytes = assemble(POINTS, Math.ceil(END / 65_536));
  const { instance } = await WebAssembly.instantiate(bytes);
  return new WasmCurve(instance.exports as unknown as Exports);
}

class WasmCurve implements BatchCurve {
  readonly name = "wasm";
  readonly most = MOST;
  readonly #run: Exports;
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  #loaded = 0;

  constructor(run: Exports) {
    this.#run = run;
    this.#bytes = new Uint8Array(run.memory.buffer);
    this.#words = new Uint32Array(run.memory.buffer);
    this.#put(ONE, 1n);
    this.#put(SEVEN, 7n);
    const high = Point.BASE.multiplyUnsafe(HALF).toAffine();
    this.#putPoint(0, Point.BASE.x, Point.BASE.y);
    this.#putPoint(1, high.x, high.y);
  }

  load(key: Uint8Array, sigs: readonly SignatureHex[]) {
    if (sigs.length > MOST) throw new Error(`at most ${MOST} signatures in a batch`);
    const loaded = ++this.#loaded;
    const Q = Point.fromBytes(key).toAffine();
    this.#putPoint(2, Q.x, Q.y);
    this.#putHigh(2, 3);
    const lifted = sigs.map((sig, i) => this.#lift(FIXED + i, sig));
    return {
      isPoint: (index: number) => lifted[index]!,
      isEqual: (indices: readonly number[], weights: Weights, g: bigint, q: bigint): boolean => {
        // One memory holds one batch: a later one has overwritten these points.
        if (loaded !== this.#loaded) throw new Error("another batch has been loaded since");
        const scalars = new BigUint64Array(2 * (FIXED + indices.length));
        putScalar(scalars, 0, Fn.neg(g));
        putScalar(scalars, 2, Fn.neg(q));
        scalars.set(weights, 2 * FIXED);
        const places = [0, 1, 2, 3, ...indices.map((i) => FIXED + i)];
        return this.#isZeroSum(places, new Uint32Array(scalars.buffer));
      },
    };
  }

  #put(address: number, value: bigint): void {
    this.#words.set(limbsOf(value), address >> 2);
  }

  #putPoint(place: number, x: bigint, y: bigint): void {
    this.#put(POINTS_AT + place * AFFINE, x);
    this.#put(POINTS_AT + place * AFFINE + ELEMENT, y);
  }

  /** Number mod p of an element. */
  #read(address: number): bigint {
    let value = 0n;
    for (let k = LIMBS - 1; k >= 0; k--)
      value = (value << BigInt(LIMB_BITS)) + BigInt(this.#words[(address >> 2) + k]!);
    return value % P;
  }

  /** 2^128 times the point at `from`, as an affine point at `to`. */
  #putHigh(from: number, to: number): void {
    this.#bytes.fill(0, PARTIAL, PARTIAL + JACOBIAN);
    this.#run.addAffine(PARTIAL, POINTS_AT + from * AFFINE, 0);
    for (let i = 0; i < WEIGHT_BITS; i++) this.#run.doublePoint(PARTIAL);
    const inverse = Fp.inv(this.#read(PARTIAL + 2 * ELEMENT));
    const square = Fp.sqr(inverse);
    const x = Fp.mul(this.#read(PARTIAL), square);
    const y = Fp.mul(this.#read(PARTIAL + ELEMENT), Fp.mul(square, inverse));
    this.#putPoint(to, x, y);
  }

  /** Puts the point with x = r and v's parity; false where there is none. r is below n, so below p. */
  #lift(place: number, sig: SignatureHex): boolean {
    const { mul, sqr, add, sub, isZero } = this.#run;
    const x = POINTS_AT + place * AFFINE;
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
    if (this.#isOdd(y) !== (recoveryBit(sig) === 1)) sub(y, 14 * ELEMENT, y);
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
        this.#words[to + limb++] = held % 2 ** LIMB_BITS;
        held = Math.floor(held / 2 ** LIMB_BITS);
        bits -= LIMB_BITS;
      }
    }
    this.#words[to + limb] = held;
  }

  /** a^((p+1)/4), the root where there is one; (p+1)/4 in binary is 223 ones, 0, 22 ones, 0000, 11, 00. */
  #sqrt(out: number, a: number): void {
    const { mul, sqr } = this.#run;
    const slot = (k: number): number => WORK + (k + 2) * ELEMENT;
    /** base^(2^n) · by */
    const step = (to: number, base: number, n: number, by: number): number => {
      this.#run.sqrn(to, base, n);
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
    this.#run.reduce(out, address);
    const words = this.#words.subarray(out >> 2, (out >> 2) + LIMBS);
    // Below 2^256 a value of p or more has nothing but ones from limb 2 on; then p, which is odd, goes off.
    const high =
      words[8] === 2 ** 24 - 1 && words.subarray(2, 8).every((limb) => limb === 2 ** LIMB_BITS - 1);
    const isReduced = !high || this.#value(words) < P;
    return ((words[0]! & 1) === 1) === isReduced;
  }

  #value(limbs: Uint32Array): bigint {
    return limbs.reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + BigInt(limb), 0n);
  }

  #isZeroSum(places: readonly number[], scalars: Uint32Array): boolean {
    const { doublePoint, addAffine, addPoint } = this.#run;
    const width = widthFor(places.length);
    const digits = signedDigits(scalars, width);
    const buckets = 2 ** (width - 1);
    this.#bytes.fill(0, SUM, SUM + JACOBIAN);
    for (let from = digits.length - places.length; from >= 0; from -= places.length) {
      for (let i = 0; i < width; i++) doublePoint(SUM);
      this.#bytes.fill(0, BUCKETS_AT, BUCKETS_AT + buckets * JACOBIAN);
      for (let i = 0; i < places.length; i++) {
        const digit = digits[from + i]!;
        const point = POINTS_AT + places[i]! * AFFINE;
        if (digit > 0) addAffine(BUCKETS_AT + (digit - 1) * JACOBIAN, point, 0);
        else if (digit < 0) addAffine(BUCKETS_AT + (-digit - 1) * JACOBIAN, point, 1);
      }
      this.#bytes.fill(0, RUNNING, PARTIAL + JACOBIAN);
      for (let k = buckets - 1; k >= 0; k--) {
        addPoint(RUNNING, BUCKETS_AT + k * JACOBIAN);
        addPoint(PARTIAL, RUNNING);
      }
      addPoint(SUM, PARTIAL);
    }
    return this.#words[(SUM + 3 * ELEMENT) >> 2] === 0;
  }
}

/** The two 128-bit halves of a scalar, the lower first. */
function putScalar(scalars: BigUint64Array, place: number, value: bigint): void {
  for (let k = 0; k < 4; k++) scalars[2 * place + k] = BigInt.asUintN(64, value >> BigInt(64 * k));
}

/** The width with the fewest additions: a mixed one per point and window, two full ones (1.4 mixed each) per bucket. */
function widthFor(points: number): number {
  let best = 2;
  let least = Infinity;
  for (let width = 2; width <= MOST_WIDTH; width++) {
    const cost = Math.ceil((WEIGHT_BITS + 1) / width) * (points + 2.8 * 2 ** (width - 1));
    if (cost < least) [best, least] = [width, cost];
  }
  return best;
}

/** Digits from -2^(width-1) to 2^(width-1) of 128-bit numbers (four words each, the lowest first): all of a window together. */
function signedDigits(words: Uint32Array, width: number): Int16Array {
  const count = words.length / 4;
  const windows = Math.ceil((WEIGHT_BITS + 1) / width);
  const digits = new Int16Array(windows * count);
  const [full, half] = [2 ** width, 2 ** (width - 1)];
  for (let i = 0; i < count; i++) {
    let carry = 0;
    for (let w = 0; w < windows; w++) {
      const bit = w * width;
      const word = bit >>> 5;
      const shift = bit & 31;
      let digit = word < 4 ? words[4 * i + word]! >>> shift : 0;
      if (shift + width > 32 && word < 3) digit |= words[4 * i + word + 1]! << (32 - shift);
      digit = (digit & (full - 1)) + carry;
      carry = digit > half ? 1 : 0;
      digits[w * count + i] = carry === 1 ? digit - full : digit;
    }
  }
  return digits;
}
