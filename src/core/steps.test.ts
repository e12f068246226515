import fc from "fast-check";
import { expect, test } from "vitest";
import { distinctSteps, finish, sortSteps } from "./steps.ts";

interface Item {
  readonly key: number;
  readonly place: number;
}

const byKey = (a: Item, b: Item) => a.key - b.key;

test("a sort in steps is the stable sort, at every length and with equal keys", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 500 }), (length, keys) => {
      let state = length * 31 + keys;
      const list = Array.from({ length }, (_, place) => ({
        key: (state = (state * 48_271) % 0x7fffffff) % keys,
        place,
      }));
      expect(finish(sortSteps(list, byKey))).toEqual([...list].sort(byKey));
    }),
    { numRuns: 40 },
  );
});

test("a sort in steps compares no more than some thousand pairs between two steps", () => {
  let compared = 0;
  let most = 0;
  const list = Array.from({ length: 50_000 }, (_, i) => (i * 7_919) % 50_021);
  const steps = sortSteps(list, (a, b) => (compared++, a - b));
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  expect(most).toBeLessThan(30_000);
});

test("a sort in steps leaves the list as it was", () => {
  const list = [3, 1, 2];
  expect(finish(sortSteps(list, (a, b) => a - b))).toEqual([1, 2, 3]);
  expect(list).toEqual([3, 1, 2]);
});

test("each text once, in the order of their first coming", () => {
  const texts = Array.from({ length: 2_000 }, (_, i) => `${(i * 7) % 600}`);
  expect(finish(distinctSteps(texts))).toEqual([...new Set(texts)]);
});
