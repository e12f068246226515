// What a sum over a batch costs, counted in additions of a point, and by that how a batch with bad signatures in it is
// best searched: by smaller sums, or by recovering each signature's key.

import { SCALAR_BITS, windowsOf } from "./signed-digits.ts";

/** A full addition and a doubling, as additions of an affine point. */
const FULL = 1.4;
const DOUBLING = 0.65;
/** Recovering one key: a doubling a bit, 43 and 26 additions of the two tables' digits, and the making of one table. */
export const RECOVERY_COST = Math.round(SCALAR_BITS * DOUBLING + 43 + 26 + 18);

/** The width with the fewest additions: one per point and window, two full ones per bucket. */
export function sumWidth(points: number, most: number): number {
  let best = 2;
  for (let width = 3; width <= most; width++)
    if (windowCost(points, width) < windowCost(points, best)) best = width;
  return best;
}

function windowCost(points: number, width: number): number {
  return windowsOf(width) * (points + 2 * FULL * 2 ** (width - 1));
}

/** Points of a sum besides those of its signatures. */
const FIXED = 4;
const WIDEST = 11;

/** Cost of one sum over so many signatures. */
export function sumCost(count: number): number {
  const points = count + FIXED;
  return windowCost(points, sumWidth(points, WIDEST)) + SCALAR_BITS * DOUBLING;
}

/** A sum that fails is searched by more than one size further down. */
const AGAIN = 1.25;

/** Sizes of sums that are worth a try; each one's cost a signature. */
const SIZES = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096].map((size) => ({
  size,
  each: sumCost(size) / size,
}));

/**
 * How many of `count` signatures the next sum should hold where a share `bad` of them is expected to be bad; 0 where
 * recovering their keys is cheaper. A sum that fails is searched again, at the cost of the best smaller size.
 */
export function nextSumSize(count: number, bad: number): number {
  let best = 0;
  let least = RECOVERY_COST;
  for (const { size, each } of SIZES) {
    const held = Math.min(size, count);
    if (held < SIZES[0]!.size) break;
    const cost = (held === size ? each : sumCost(held) / held) + (1 - (1 - bad) ** held) * AGAIN * least;
    if (cost < least) [best, least] = [held, cost];
    if (held === count) break;
  }
  return best;
}
