// The field of secp256k1 in WebAssembly: integers mod p = 2^256 - 2^32 - 977 as nine limbs of 29 bits in 32-bit words.
// Elements in memory are *weak*: limbs below 2^29 + 2^20, the value anything below about 2^261 of the right residue.
// Every function here takes weak elements and leaves weak ones, which the bounds beside the steps show.

import {
  callOf,
  get,
  i32,
  i64,
  leave,
  repeatWhile,
  seq,
  set,
  when,
  type Code,
  type Func,
} from "./wasm-assembler.ts";

export const LIMBS = 9;
export const LIMB_BITS = 29;
/** Bytes of an element. */
export const ELEMENT = 4 * LIMBS;
const all = Array.from({ length: LIMBS }, (_, k) => k);
export const P = 2n ** 256n - 2n ** 32n - 977n;

const MASK = 2 ** LIMB_BITS - 1;
/** 2^261 ≡ 2^37 + 31264: what overflows limb k goes, times 31264, to limb k and, times 2^8, to limb k + 1. */
const FOLD = 31264;
const FOLD_SHIFT = 8;
/** A multiple of p whose limbs are from 2^30 to 2^30 + 2^29: above any weak limb, so that a difference stays positive. */
const LIFT = liftLimbs();

const mask64 = (value: Code): Code => i64.and(value, i64.of(BigInt(MASK)));
const down = (value: Code): Code => i64.shr(value, i64.of(BigInt(LIMB_BITS)));

/** Limbs of 29 bits of a number below 2^261. */
export function limbsOf(value: bigint): number[] {
  return all.map((k) => Number((value >> BigInt(LIMB_BITS * k)) & BigInt(MASK)));
}

function liftLimbs(): number[] {
  const base = all.reduce((sum, k) => sum + ((2n ** 30n) << BigInt(LIMB_BITS * k)), 0n);
  return limbsOf(P - (base % P)).map((limb) => limb + 2 ** 30);
}

/**
 * Product and square: seventeen columns of at most nine products below 2^58.01, so below 2^61.2 with their carry. The
 * upper ones become limbs h, which are folded into the lower ones; the last carry is folded once more.
 */
function multiplier(name: string, params: number, column: (k: number) => Code, load: Code): Func {
  const H = T + 1;
  const R = H + LIMBS;
  const t = get(T);
  const steps: Code[] = [load, set(T, i64.of(0n))];
  for (let k = LIMBS; k < 2 * LIMBS - 1; k++)
    steps.push(set(T, i64.add(t, column(k))), set(H + k - LIMBS, mask64(t)), set(T, down(t)));
  steps.push(set(H + LIMBS - 1, t), set(T, i64.of(0n)));
  for (const k of all) {
    steps.push(set(T, i64.add(t, i64.add(column(k), i64.mul(get(H + k), i64.of(BigInt(FOLD)))))));
    if (k > 0) steps.push(set(T, i64.add(t, i64.shl(get(H + k - 1), i64.of(BigInt(FOLD_SHIFT))))));
    steps.push(set(R + k, mask64(t)), set(T, down(t)));
  }
  steps.push(set(T, i64.add(t, i64.shl(get(H + LIMBS - 1), i64.of(BigInt(FOLD_SHIFT)))))); // below 2^38
  steps.push(set(H, i64.add(get(R), i64.mul(t, i64.of(BigInt(FOLD)))))); // below 2^53
  steps.push(set(R, mask64(get(H))), set(H, down(get(H))));
  steps.push(set(H, i64.add(get(H), i64.add(get(R + 1), i64.shl(t, i64.of(BigInt(FOLD_SHIFT))))))); // below 2^47
  steps.push(set(R + 1, mask64(get(H))), set(R + 2, i64.add(get(R + 2), down(get(H))))); // limb 2 below 2^29 + 2^18
  steps.push(...all.map((k) => i64.store32(get(0), get(R + k), 4 * k)));
  return { name, params, returns: false, locals: [3 - params, 1 + 5 * LIMBS], body: seq(...steps) };
}

/** Locals of a multiplier after three i32: a, b, then t, h and r. */
const A = 3;
const B = A + LIMBS;
const T = B + LIMBS;

const mul = multiplier(
  "mul",
  3,
  (k) => sum(all.filter((i) => k - i >= 0 && k - i < LIMBS).map((i) => i64.mul(get(A + i), get(B + k - i)))),
  seq(
    ...all.map((k) => set(A + k, i64.load32(get(1), 4 * k))),
    ...all.map((k) => set(B + k, i64.load32(get(2), 4 * k))),
  ),
);

/** b holds 2a, so that each pair of different limbs is multiplied once. */
const sqr = multiplier(
  "sqr",
  2,
  (k) =>
    sum(
      all
        .filter((i) => k - i >= i && k - i < LIMBS)
        .map((i) => i64.mul(get(A + i), get(2 * i === k ? A + i : B + k - i))),
    ),
  seq(
    ...all.map((k) => set(A + k, i64.load32(get(1), 4 * k))),
    ...all.map((k) => set(B + k, i64.shl(get(A + k), i64.of(1n)))),
  ),
);

function sum(terms: readonly Code[]): Code {
  return terms.reduce((left, right) => i64.add(left, right));
}

/** Limb-wise sums, each below 2^32, and one carry pass: what passes 2^261 (below 2^3) is folded into limbs 0 and 1. */
function limbwise(name: string, params: number, limb: (k: number) => Code): Func {
  const R = 3;
  const C = R + LIMBS;
  const steps: Code[] = [set(C, i32.of(0))];
  for (const k of all) {
    steps.push(set(C, i32.add(get(C), limb(k))), set(R + k, i32.and(get(C), i32.of(MASK))));
    steps.push(set(C, i32.shr(get(C), i32.of(LIMB_BITS))));
  }
  steps.push(set(R, i32.add(get(R), i32.mul(get(C), i32.of(FOLD)))));
  steps.push(set(R + 1, i32.add(get(R + 1), i32.shl(get(C), i32.of(FOLD_SHIFT)))));
  steps.push(...all.map((k) => i32.store(get(0), get(R + k), 4 * k)));
  return { name, params, returns: false, locals: [3 - params + LIMBS + 1, 0], body: seq(...steps) };
}

const limbOf = (pointer: number, k: number): Code => i32.load(get(pointer), 4 * k);
const add = limbwise("add", 3, (k) => i32.add(limbOf(1, k), limbOf(2, k)));
const sub = limbwise("sub", 3, (k) => i32.sub(i32.add(limbOf(1, k), i32.of(LIFT[k]!)), limbOf(2, k)));
const double = limbwise("double", 2, (k) => i32.shl(limbOf(1, k), i32.of(1)));
const triple = limbwise("triple", 2, (k) => i32.mul(limbOf(1, k), i32.of(3)));
/** Four weak limbs are below 2^31 + 2^22, so that the carry still fits. */
const quadruple = limbwise("quadruple", 2, (k) => i32.shl(limbOf(1, k), i32.of(2)));

/**
 * The residue below 2^256 (p or more only where it is below 2^32 + 977): carries, then twice what passes 2^256 times
 * 2^32 + 977 is added at the bottom. Limbs come out exact, the last of 24 bits.
 */
const pass = (R: number, C: number, limb: (k: number) => Code): Code[] => {
  const steps: Code[] = [set(C, i32.of(0))];
  for (const k of all) {
    steps.push(set(C, i32.add(get(C), limb(k))));
    if (k === LIMBS - 1) break;
    steps.push(set(R + k, i32.and(get(C), i32.of(MASK))), set(C, i32.shr(get(C), i32.of(LIMB_BITS))));
  }
  steps.push(set(R + LIMBS - 1, i32.and(get(C), i32.of(2 ** 24 - 1))));
  steps.push(set(C, i32.shr(get(C), i32.of(24))));
  steps.push(set(R, i32.add(get(R), i32.mul(get(C), i32.of(977)))));
  steps.push(set(R + 1, i32.add(get(R + 1), i32.shl(get(C), i32.of(3)))));
  return steps;
};
const reduceSteps = (from: Code, R: number): Code[] => [
  ...pass(R, R + LIMBS, (k) => i32.load(from, 4 * k)),
  ...pass(R, R + LIMBS, (k) => get(R + k)),
  ...pass(R, R + LIMBS, (k) => get(R + k)),
];

const reduce: Func = {
  name: "reduce",
  params: 2,
  returns: false,
  locals: [LIMBS + 1, 0],
  body: seq(...reduceSteps(get(1), 2), ...all.map((k) => i32.store(get(0), get(2 + k), 4 * k))),
};

/** 1 where the element is 0 mod p, which below 2^256 only 0 and p are. */
const isZero: Func = {
  name: "isZero",
  params: 1,
  returns: true,
  locals: [LIMBS + 1, 0],
  body: seq(
    ...reduceSteps(get(0), 1),
    i32.or(
      i32.isZero(all.map((k) => get(1 + k)).reduce(i32.or)),
      i32.isZero(all.map((k) => i32.xor(get(1 + k), i32.of(limbsOf(P)[k]!))).reduce(i32.or)),
    ),
  ),
};

/** a^(2^n), n at least 1. */
const sqrn: Func = {
  name: "sqrn",
  params: 3,
  returns: false,
  locals: [0, 0],
  body: seq(
    callOf(["mul", "sqr"])("sqr", get(0), get(1)),
    set(2, i32.sub(get(2), i32.of(1))),
    // The loop runs at least once, so one square is left to it.
    when(i32.isZero(get(2)), leave),
    repeatWhile(
      seq(callOf(["mul", "sqr"])("sqr", get(0), get(0)), set(2, i32.sub(get(2), i32.of(1)))),
      get(2),
    ),
  ),
};

/**
 * mul(out, a, b), add, sub; sqr(out, a), double, triple, quadruple, reduce; isZero(a); sqrn(out, a, n). All by address.
 */
export const FIELD: readonly Func[] = [mul, sqr, add, sub, double, triple, quadruple, reduce, isZero, sqrn];
