// Points of secp256k1 in WebAssembly, for sums over public data only (nothing here takes constant time). Affine points
// are x‖y; Jacobian ones are X‖Y‖Z and a word that is 0 at infinity. Formulas: Hankerson, Menezes, Vanstone, "Guide to
// Elliptic Curve Cryptography", section 3.2, for a = 0.

import { callOf, copy, get, i32, leave, seq, set, when, type Code, type Func } from "./wasm-assembler.ts";
import { ELEMENT, FIELD } from "./wasm-field.ts";

export const AFFINE = 2 * ELEMENT;
/** X, Y, Z, and the word that says whether it is a point. */
export const JACOBIAN = 3 * ELEMENT + 4;
const FLAG = 3 * ELEMENT;

/** Scratch elements at the start of memory, then room for the caller. */
export const SCRATCH_END = 16 * ELEMENT;
const temp = (k: number): Code => i32.of(k * ELEMENT);

const call = callOf([...FIELD.map(({ name }) => name), "doublePoint", "addAffine", "addPoint"]);
const at = (local: number, element: number): Code => i32.add(get(local), i32.of(element * ELEMENT));
const isPoint = (local: number): Code => i32.load(get(local), FLAG);
const ONE = temp(15);

/** P ← 2P. No point of this group has y = 0, so only infinity is special. */
const doublePoint: Func = {
  name: "doublePoint",
  params: 1,
  returns: false,
  locals: [0, 0],
  body: seq(
    when(i32.isZero(isPoint(0)), leave),
    call("sqr", temp(0), at(0, 0)),
    call("triple", temp(0), temp(0)), // M = 3X²
    call("sqr", temp(1), at(0, 1)), // Y²
    call("mul", temp(2), at(0, 0), temp(1)),
    call("quadruple", temp(2), temp(2)), // S = 4XY²
    call("mul", at(0, 2), at(0, 1), at(0, 2)),
    call("double", at(0, 2), at(0, 2)), // Z' = 2YZ
    call("sqr", at(0, 0), temp(0)),
    call("sub", at(0, 0), at(0, 0), temp(2)),
    call("sub", at(0, 0), at(0, 0), temp(2)), // X' = M² - 2S
    call("sub", temp(2), temp(2), at(0, 0)),
    call("mul", temp(2), temp(0), temp(2)),
    call("sqr", temp(1), temp(1)),
    call("quadruple", temp(1), temp(1)),
    call("double", temp(1), temp(1)), // 8Y⁴
    call("sub", at(0, 1), temp(2), temp(1)), // Y' = M(S - X') - 8Y⁴
  ),
};

/** With H in temp 4 and r in temp 5: the cases of equal x, then X', Y'. U1 and S1 are where `u` and `s` say. */
const finish = (u: Code, s: Code): Code =>
  seq(
    when(
      call("isZero", temp(4)),
      seq(
        when(call("isZero", temp(5)), seq(call("doublePoint", get(0)), leave)),
        i32.store(get(0), i32.of(0), FLAG),
        leave,
      ),
    ),
    call("sqr", temp(6), temp(4)), // H²
    call("mul", temp(7), temp(6), temp(4)), // H³
    call("mul", temp(6), temp(6), u), // V = U1·H²
    call("mul", temp(8), s, temp(7)), // S1·H³
    call("sqr", at(0, 0), temp(5)),
    call("sub", at(0, 0), at(0, 0), temp(7)),
    call("sub", at(0, 0), at(0, 0), temp(6)),
    call("sub", at(0, 0), at(0, 0), temp(6)), // X' = r² - H³ - 2V
    call("sub", temp(6), temp(6), at(0, 0)),
    call("mul", temp(6), temp(6), temp(5)),
    call("sub", at(0, 1), temp(6), temp(8)), // Y' = r(V - X') - S1·H³
  );

/** P ← P + Q for an affine Q, or P - Q where the third argument is not 0. */
const addAffine: Func = {
  name: "addAffine",
  params: 3,
  returns: false,
  locals: [1, 0],
  body: seq(
    set(3, at(1, 1)),
    when(get(2), seq(call("sub", temp(9), temp(14), at(1, 1)), set(3, temp(9)))), // temp 14 is 0: -y
    when(
      i32.isZero(isPoint(0)),
      seq(
        copy(get(0), get(1), ELEMENT),
        copy(at(0, 1), get(3), ELEMENT),
        copy(at(0, 2), ONE, ELEMENT),
        i32.store(get(0), i32.of(1), FLAG),
        leave,
      ),
    ),
    call("sqr", temp(0), at(0, 2)),
    call("mul", temp(4), get(1), temp(0)), // U2
    call("mul", temp(0), temp(0), at(0, 2)),
    call("mul", temp(5), get(3), temp(0)), // S2
    call("sub", temp(4), temp(4), at(0, 0)), // H
    call("sub", temp(5), temp(5), at(0, 1)), // r
    copy(temp(10), at(0, 0), ELEMENT),
    copy(temp(11), at(0, 1), ELEMENT),
    copy(temp(12), at(0, 2), ELEMENT),
    finish(temp(10), temp(11)),
    call("mul", at(0, 2), temp(12), temp(4)), // Z' = Z·H
  ),
};

/** P ← P + Q, both Jacobian. */
const addPoint: Func = {
  name: "addPoint",
  params: 2,
  returns: false,
  locals: [0, 0],
  body: seq(
    when(i32.isZero(isPoint(1)), leave),
    when(i32.isZero(isPoint(0)), seq(copy(get(0), get(1), JACOBIAN), leave)),
    call("sqr", temp(0), at(0, 2)), // Z1²
    call("sqr", temp(1), at(1, 2)), // Z2²
    call("mul", temp(10), at(0, 0), temp(1)), // U1
    call("mul", temp(4), at(1, 0), temp(0)), // U2
    call("mul", temp(1), temp(1), at(1, 2)),
    call("mul", temp(11), at(0, 1), temp(1)), // S1
    call("mul", temp(0), temp(0), at(0, 2)),
    call("mul", temp(5), at(1, 1), temp(0)), // S2
    call("sub", temp(4), temp(4), temp(10)), // H
    call("sub", temp(5), temp(5), temp(11)), // r
    call("mul", temp(12), at(0, 2), at(1, 2)),
    finish(temp(10), temp(11)),
    call("mul", at(0, 2), temp(12), temp(4)), // Z' = Z1·Z2·H
  ),
};

/** The field's functions and doublePoint(P), addAffine(P, Q, negative), addPoint(P, Q); all by address. */
export const POINTS: readonly Func[] = [...FIELD, doublePoint, addAffine, addPoint];
