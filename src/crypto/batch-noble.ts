// Curve arithmetic for batches in plain JavaScript: @noble/curves' points and Pippenger's sum. It needs no WebAssembly.

import { pippenger } from "@noble/curves/abstract/curve.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { pointHex, weightAt, type BatchCurve } from "./batch.ts";

const { Point } = secp256k1;
type CurvePoint = InstanceType<typeof Point>;

export const nobleBatch: BatchCurve = {
  name: "noble",
  most: 1024,
  load(sigs) {
    const points = sigs.map((sig) => lift(pointHex(sig)));
    return {
      isPoint: (index) => points[index] !== undefined,
      isEqual(key, indices, weights, g, q) {
        const Q = Point.fromBytes(key);
        const terms = indices.map((i) => points[i]!);
        const sum = pippenger(
          Point,
          terms,
          indices.map((_, k) => weightAt(weights, k)),
        );
        return sum.equals(Point.BASE.multiplyUnsafe(g).add(Q.multiplyUnsafe(q)));
      },
      recover: (terms) =>
        terms.map(({ index, g, q }) => {
          const key = Point.BASE.multiplyUnsafe(g).add(points[index]!.multiplyUnsafe(q));
          return key.is0() ? undefined : key.toBytes(false);
        }),
    };
  },
};

function lift(hex: string): CurvePoint | undefined {
  try {
    return Point.fromHex(hex);
  } catch {
    return undefined;
  }
}
