import { secp256k1 } from "@noble/curves/secp256k1.js";
import { expect, test } from "vitest";
import { seededRandom } from "../testing/random.ts";
import { assemble } from "./wasm-assembler.ts";
import { ELEMENT, LIMB_BITS, LIMBS, limbsOf, P } from "./wasm-field.ts";
import { JACOBIAN, POINTS, SCRATCH_END } from "./wasm-points.ts";

const { Point } = secp256k1;
const { instance } = await WebAssembly.instantiate(assemble(POINTS, 1));
const run = instance.exports as unknown as { memory: WebAssembly.Memory } & {
  [name: string]: (...args: number[]) => number;
};
const words = new Uint32Array(run.memory.buffer);
const [A, B, C] = [0, 1, 2].map((k) => SCRATCH_END + k * 128) as [number, number, number];

function put(address: number, limbs: readonly number[]): void {
  words.set(limbs, address >> 2);
}
function value(limbs: readonly number[]): bigint {
  return limbs.reduceRight((sum, limb) => (sum << BigInt(LIMB_BITS)) + BigInt(limb), 0n);
}
function read(address: number): number[] {
  return [...words.subarray(address >> 2, (address >> 2) + LIMBS)];
}

const random = seededRandom(29);
const draw = (below: number): number => Math.floor(random() * below);
/** Weak elements: random ones, and the extremes of what is allowed. */
const LIMIT = 2 ** 29 + 2 ** 20 - 1;
const elements: number[][] = [
  limbsOf(0n),
  limbsOf(1n),
  limbsOf(P - 1n),
  limbsOf(P),
  limbsOf(P + 1n),
  limbsOf(2n ** 256n - 1n),
  limbsOf(2n ** 256n),
  limbsOf(2n * P),
  limbsOf(31n * P),
  new Array<number>(LIMBS).fill(LIMIT),
  new Array<number>(LIMBS).fill(2 ** 29 - 1),
  ...Array.from({ length: 150 }, () => Array.from({ length: LIMBS }, () => draw(LIMIT + 1))),
  ...Array.from({ length: 50 }, () => Array.from({ length: LIMBS }, () => (random() < 0.5 ? 0 : LIMIT))),
];

test("field: products, squares, sums and differences are right and weak for all weak elements", () => {
  const ops: readonly [string, (a: bigint, b: bigint) => bigint][] = [
    ["mul", (a, b) => a * b],
    ["add", (a, b) => a + b],
    ["sub", (a, b) => a - b],
    ["sqr", (a) => a * a],
    ["double", (a) => 2n * a],
    ["triple", (a) => 3n * a],
    ["quadruple", (a) => 4n * a],
  ];
  for (const [i, a] of elements.entries())
    for (const b of [elements[(i * 7 + 3) % elements.length]!, elements[9]!, elements[0]!, a])
      for (const [name, right] of ops) {
        put(A, a);
        put(B, b);
        run[name]!(C, A, B);
        const out = read(C);
        expect(out.every((limb) => limb <= LIMIT)).toBe(true);
        expect((((value(out) - right(value(a), value(b))) % P) + P) % P).toBe(0n);
        run[name]!(A, A, B);
        expect(read(A)).toEqual(out);
      }
});

test("field: reduce leaves exact limbs below 2^256, and isZero knows every multiple of p", () => {
  for (const a of elements) {
    put(A, a);
    run.reduce!(C, A);
    const out = read(C);
    expect(value(out) < 2n ** 256n && value(out) % P === value(a) % P).toBe(true);
    expect(limbsOf(value(out))).toEqual(out);
    expect(run.isZero!(A)).toBe(value(a) % P === 0n ? 1 : 0);
  }
  for (let k = 0n; k < 33n; k++) {
    put(A, limbsOf(k * P));
    // The last limb holds more than 29 bits from 32p on, which limbsOf cuts.
    if (k < 32n) expect(run.isZero!(A)).toBe(1);
  }
});

type P2 = InstanceType<typeof Point>;
function putAffine(address: number, point: P2): void {
  put(address, limbsOf(point.toAffine().x));
  put(address + ELEMENT, limbsOf(point.toAffine().y));
}
function clear(address: number): void {
  new Uint8Array(run.memory.buffer).fill(0, address, address + JACOBIAN);
}
function readPoint(address: number): P2 {
  if (words[(address + 3 * ELEMENT) >> 2] === 0) return Point.ZERO;
  const [x, y, z] = [0, 1, 2].map((k) => value(read(address + k * ELEMENT)) % P) as [bigint, bigint, bigint];
  const { Fp } = Point;
  const inverse = Fp.inv(z);
  return Point.fromAffine({
    x: Fp.mul(x, Fp.sqr(inverse)),
    y: Fp.mul(y, Fp.mul(inverse, Fp.sqr(inverse))),
  });
}

test("points: sums and doubles agree with @noble/curves, the special cases among them", () => {
  put(15 * ELEMENT, limbsOf(1n));
  const scalars = [1n, 2n, 3n, Point.Fn.ORDER - 1n, Point.Fn.ORDER - 2n, 12345678901234567890n];
  for (const s of scalars)
    for (const t of scalars)
      for (const negative of [0, 1]) {
        const [p, q] = [Point.BASE.multiply(s), Point.BASE.multiply(t)];
        const right = negative === 1 ? p.subtract(q) : p.add(q);
        const affine = C + 128;
        putAffine(affine, q);
        putAffine(A, p);
        clear(B);
        run.addAffine!(B, A, 0);
        // Twice and back, so that Z is not 1.
        run.doublePoint!(B);
        run.addAffine!(B, A, 1);
        expect(readPoint(B).equals(p)).toBe(true);
        run.addAffine!(B, affine, negative);
        expect(readPoint(B).equals(right)).toBe(true);
        clear(C);
        run.addAffine!(C, affine, negative);
        run.doublePoint!(C);
        const twice = q.double();
        run.addPoint!(C, B);
        expect(readPoint(C).equals((negative === 1 ? twice.negate() : twice).add(right))).toBe(true);
        run.addPoint!(B, B);
        expect(readPoint(B).equals(right.double())).toBe(true);
      }
});
