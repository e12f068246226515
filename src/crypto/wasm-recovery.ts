// Public keys g·G + q·R for many R at once, in the curve's WebAssembly. q is split by secp256k1's endomorphism
// λ(x, y) = (βx, y) into two halves of 128 bits (Gallant, Lambert, Vanstone 2001), g into its two halves, so that 128
// doublings serve all four. G's multiples are in a table, R's in one of their own.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { fromHex } from "../core/bytes.ts";
import { ELEMENT } from "./wasm-field.ts";
import { AFFINE, JACOBIAN } from "./wasm-points.ts";
import { nonAdjacentForm, SCALAR_BITS } from "./signed-digits.ts";
import {
  BETA,
  FIXED_HALF,
  FIXED_TABLE_AT,
  RECOVERED_TOGETHER,
  SUM,
  TABLE_HALF,
  TABLES_AT,
  type CurveMemory,
} from "./wasm-memory.ts";

const { Point } = secp256k1;
const N = Point.Fn.ORDER;
const BETA_VALUE = 0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501een;
/** Short vectors (a, b) with a + b·λ = 0 mod n. */
const A1 = 0x3086d221a7d46bcde86c90e49284eb15n;
const B1 = -0xe4437ed6010e88286f547fa90abfe4c3n;
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n;
const B2 = A1;
const LOW_HALF = 2n ** 128n - 1n;
/** Bits of a window: R's tables are made for each signature, G's once. */
const WIDTH = 5;
const FIXED_WIDTH = 9;

/** Numbers k1 and k2 with k1 + k2·λ = k mod n, both between -2^128 and 2^128. */
export function splitScalar(k: bigint): readonly [bigint, bigint] {
  const c1 = nearest(B2 * k);
  const c2 = nearest(-B1 * k);
  return [k - c1 * A1 - c2 * A2, -c1 * B1 - c2 * B2];
}

/** A number that is not negative, divided by n and rounded to the nearest. */
function nearest(value: bigint): bigint {
  return (value + N / 2n) / N;
}

/** What one key is made of: the affine R at an address, and the scalars below n. */
export interface KeyTerm {
  readonly R: number;
  readonly g: bigint;
  readonly q: bigint;
}

export class WasmRecovery {
  readonly #memory: CurveMemory;
  #hasFixed = false;

  constructor(memory: CurveMemory) {
    this.#memory = memory;
    memory.put(BETA, BETA_VALUE);
  }

  /** The key of each term as 65 bytes; undefined where it is at infinity. */
  recover(terms: readonly KeyTerm[]): (Uint8Array | undefined)[] {
    if (!this.#hasFixed) this.#makeFixed();
    const keys: (Uint8Array | undefined)[] = [];
    for (let start = 0; start < terms.length; start += RECOVERED_TOGETHER)
      keys.push(...this.#recoverSome(terms.slice(start, start + RECOVERED_TOGETHER)));
    return keys;
  }

  /** Odd multiples of G and 2^128·G, made by the first recovery. */
  #makeFixed(): void {
    const targets = Array.from({ length: FIXED_HALF }, (_, k) => FIXED_TABLE_AT + k * AFFINE);
    for (const [half, base] of [Point.BASE, Point.BASE.multiplyUnsafe(2n ** 128n)].entries()) {
      const { x, y } = base.toAffine();
      const at = targets.map((address) => address + half * FIXED_HALF * AFFINE);
      this.#memory.putPoint(at[0]!, x, y);
      this.#oddMultiples(at[0]!, 0, FIXED_HALF);
      this.#memory.toAffine(at);
    }
    this.#hasFixed = true;
  }

  /** Puts 1, 3, 5 … times the affine point, `count` in all, where `toAffine` reads, from the place `from` on. */
  #oddMultiples(point: number, from: number, count: number): void {
    const memory = this.#memory;
    const { addAffine, addPoint, doublePoint } = memory.run;
    memory.clear(SUM);
    addAffine(SUM, point, 0);
    memory.copy(memory.jacobianAt(from), SUM, JACOBIAN);
    doublePoint(SUM);
    for (let k = 1; k < count; k++) {
      memory.copy(memory.jacobianAt(from + k), memory.jacobianAt(from + k - 1), JACOBIAN);
      addPoint(memory.jacobianAt(from + k), SUM);
    }
  }

  #recoverSome(terms: readonly KeyTerm[]): (Uint8Array | undefined)[] {
    const memory = this.#memory;
    this.#makeTables(terms);
    const sums = terms.map((term, i) => {
      this.#sum(term, tableAt(i));
      return memory.isInfinity(SUM) ? undefined : memory.bytes.slice(SUM, SUM + JACOBIAN);
    });
    const finite = sums.flatMap((sum, i) => (sum === undefined ? [] : [{ sum, i }]));
    finite.forEach(({ sum }, k) => memory.bytes.set(sum, memory.jacobianAt(k)));
    // The tables have served: the keys may take their place.
    memory.toAffine(finite.map(({ i }) => tableAt(i)));
    return sums.map((sum, i) => (sum === undefined ? undefined : this.#keyAt(tableAt(i))));
  }

  /** 1 to 15 times each R, the odd ones, and the same of λR. */
  #makeTables(terms: readonly KeyTerm[]): void {
    const memory = this.#memory;
    const targets: number[] = [];
    for (const [i, { R }] of terms.entries()) {
      this.#oddMultiples(R, i * TABLE_HALF, TABLE_HALF);
      for (let k = 0; k < TABLE_HALF; k++) targets.push(tableAt(i) + k * AFFINE);
    }
    memory.toAffine(targets);
    for (const from of terms.flatMap((_, i) => targets.slice(i * TABLE_HALF, (i + 1) * TABLE_HALF))) {
      const to = from + TABLE_HALF * AFFINE;
      memory.run.mul(to, from, BETA);
      memory.copy(to + ELEMENT, from + ELEMENT, ELEMENT);
    }
  }

  /** Leaves g·G + q·R at SUM. */
  #sum({ g, q }: KeyTerm, table: number): void {
    const { doublePoint, addAffine } = this.#memory.run;
    const [k1, k2] = splitScalar(q);
    const parts = [
      { digits: nonAdjacentForm(k1 < 0n ? -k1 : k1, WIDTH), at: table, sign: k1 < 0n ? -1 : 1 },
      {
        digits: nonAdjacentForm(k2 < 0n ? -k2 : k2, WIDTH),
        at: table + TABLE_HALF * AFFINE,
        sign: k2 < 0n ? -1 : 1,
      },
      { digits: nonAdjacentForm(g & LOW_HALF, FIXED_WIDTH), at: FIXED_TABLE_AT, sign: 1 },
      { digits: nonAdjacentForm(g >> 128n, FIXED_WIDTH), at: FIXED_TABLE_AT + FIXED_HALF * AFFINE, sign: 1 },
    ];
    this.#memory.clear(SUM);
    for (let bit = SCALAR_BITS; bit >= 0; bit--) {
      doublePoint(SUM);
      for (const { digits, at, sign } of parts) {
        const digit = digits[bit]! * sign;
        if (digit > 0) addAffine(SUM, at + (digit >> 1) * AFFINE, 0);
        else if (digit < 0) addAffine(SUM, at + (-digit >> 1) * AFFINE, 1);
      }
    }
  }

  /** SEC 1's uncompressed form of an affine point. */
  #keyAt(address: number): Uint8Array {
    const [x, y] = [this.#memory.read(address), this.#memory.read(address + ELEMENT)];
    return fromHex(`0x04${x.toString(16).padStart(64, "0")}${y.toString(16).padStart(64, "0")}`);
  }
}

function tableAt(i: number): number {
  return TABLES_AT + i * 2 * TABLE_HALF * AFFINE;
}
