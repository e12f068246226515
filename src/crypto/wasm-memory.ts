// The curve's WebAssembly module with its memory: where things are in it, and how numbers and points get in and out.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { assemble } from "./wasm-assembler.ts";
import { ELEMENT, LIMB_BITS, LIMBS, limbsOf, P } from "./wasm-field.ts";
import { AFFINE, JACOBIAN, POINTS, SCRATCH_END } from "./wasm-points.ts";

type Call = (...args: number[]) => number;
type Name = "mul" | "sqr" | "sqrn" | "add" | "sub" | "reduce" | "isZero";
type PointName = "doublePoint" | "addAffine" | "addPoint";
type CurveCalls = { readonly [K in Name | PointName]: Call };
type CurveExports = CurveCalls & { readonly memory: WebAssembly.Memory };

const { Fp } = secp256k1.Point;

/** Largest batch, and signatures whose keys are recovered together. */
export const MOST = 4096;
export const RECOVERED_TOGETHER = 64;
/** Widest window of a sum, in bits. */
export const MOST_WIDTH = 11;
/** A signature's window table for recovery: R, 3R … 15R, and the same of λR. */
export const TABLE_HALF = 8;
/** Tables of G and of 2^128·G: 1, 3 … 255 times each. */
export const FIXED_HALF = 128;
/** Besides the R of a batch: G, 2^128·G, Q and 2^128·Q, so that all scalars have 128 bits. */
export const FIXED = 4;

/** Addresses in bytes, one area behind the other. */
export const ONE = 15 * ELEMENT;
export const ZERO = 14 * ELEMENT;
export const WORK = SCRATCH_END;
export const SEVEN = WORK + 15 * ELEMENT;
export const SUM = WORK + 16 * ELEMENT;
export const RUNNING = SUM + JACOBIAN;
export const PARTIAL = RUNNING + JACOBIAN;
export const BETA = PARTIAL + JACOBIAN;
export const POINTS_AT = BETA + ELEMENT;
export const BUCKETS_AT = POINTS_AT + (MOST + FIXED) * AFFINE;
export const FIXED_TABLE_AT = BUCKETS_AT + 2 ** (MOST_WIDTH - 1) * JACOBIAN;
export const TABLES_AT = FIXED_TABLE_AT + 2 * FIXED_HALF * AFFINE;
const JACOBIANS_AT = TABLES_AT + RECOVERED_TOGETHER * 2 * TABLE_HALF * AFFINE;
const MOST_JACOBIANS = RECOVERED_TOGETHER * TABLE_HALF;
const PRODUCTS_AT = JACOBIANS_AT + MOST_JACOBIANS * JACOBIAN;
const END = PRODUCTS_AT + (MOST_JACOBIANS + 1) * ELEMENT;

export class CurveMemory {
  readonly run: CurveCalls;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;

  constructor(exports: CurveExports) {
    this.run = exports;
    this.bytes = new Uint8Array(exports.memory.buffer);
    this.words = new Uint32Array(exports.memory.buffer);
    this.put(ONE, 1n);
    this.put(SEVEN, 7n);
  }

  /** Compiles the module. @throws where WebAssembly is refused */
  static async create(): Promise<CurveMemory> {
    const { instance } = await WebAssembly.instantiate(assemble(POINTS, Math.ceil(END / 65_536)));
    return new CurveMemory(instance.exports as unknown as CurveExports);
  }

  put(address: number, value: bigint): void {
    this.words.set(limbsOf(value), address >> 2);
  }

  putPoint(address: number, x: bigint, y: bigint): void {
    this.put(address, x);
    this.put(address + ELEMENT, y);
  }

  /** Number mod p of an element. */
  read(address: number): bigint {
    let value = 0n;
    for (let k = LIMBS - 1; k >= 0; k--)
      value = (value << BigInt(LIMB_BITS)) + BigInt(this.words[(address >> 2) + k]!);
    return value % P;
  }

  copy(to: number, from: number, length: number): void {
    this.bytes.copyWithin(to, from, from + length);
  }

  /** Makes a Jacobian point the one at infinity. */
  clear(address: number): void {
    this.bytes.fill(0, address, address + JACOBIAN);
  }

  isInfinity(address: number): boolean {
    return this.words[(address + 3 * ELEMENT) >> 2] === 0;
  }

  /** Where the k-th Jacobian point stands that `toAffine` reads. */
  jacobianAt(k: number): number {
    if (k >= MOST_JACOBIANS) throw new Error(`at most ${MOST_JACOBIANS} points at once`);
    return JACOBIANS_AT + k * JACOBIAN;
  }

  /** Writes the first of the Jacobian points, none of them at infinity, as affine ones: one inversion for all (Montgomery). */
  toAffine(targets: readonly number[]): void {
    const { mul, sqr } = this.run;
    const product = (k: number): number => PRODUCTS_AT + k * ELEMENT;
    const zOf = (k: number): number => this.jacobianAt(k) + 2 * ELEMENT;
    this.copy(product(0), ONE, ELEMENT);
    targets.forEach((_, k) => mul(product(k + 1), product(k), zOf(k)));
    const [inverse, own, square] = [WORK, WORK + ELEMENT, WORK + 2 * ELEMENT];
    this.put(inverse, Fp.inv(this.read(product(targets.length))));
    for (let k = targets.length - 1; k >= 0; k--) {
      mul(own, inverse, product(k));
      mul(inverse, inverse, zOf(k));
      sqr(square, own);
      mul(targets[k]!, this.jacobianAt(k), square);
      mul(square, square, own);
      mul(targets[k]! + ELEMENT, this.jacobianAt(k) + ELEMENT, square);
    }
  }
}
