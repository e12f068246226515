import { expect, test } from "vitest";
import { Drawing } from "../../testing/build.ts";
import { compareViews } from "../../audit/compare-views.ts";
import { formatComparison, formatDifference } from "./format-difference.ts";
import { seenBy } from "./use-side.ts";

const drawing = new Drawing()
  .genesis("g", "a", "a b")
  .commit("ca", "a", "rock")
  .commit("cb", "b", "paper", { sees: "ca" })
  .reveal("ra", "a", "rock", { sees: "cb" })
  .reveal("rb", "b", "paper", { sees: "ra" });
const viewOf = (records: readonly string[]) => {
  const view = drawing.view({ records });
  if (!view.ok) throw new Error(view.code);
  return view;
};
const whole = viewOf(drawing.records());
const nameOf = (wallet: string) => drawing.inNames(wallet) as string;

test("what is missing is said of the side that lacks it, and linked on the side that has it", () => {
  const comparison = compareViews(whole, viewOf(drawing.records("rb")));
  const [first, last] = comparison.differences.map((difference) => formatDifference(difference, nameOf));
  expect(first).toEqual({
    title: "Missing in B",
    detail: "A has this entry, B does not.",
    entries: [{ ref: drawing.node("rb").ref, side: "a" }],
  });
  expect(last?.detail).toBe("A: B wins. (final) B: Open: waiting for b. (open)");
  expect(formatComparison(comparison)).toBe("2 differences; 4 entries the same.");
});

test("a tampered record is said to fail its check", () => {
  const tampered = drawing.records().map((wire) => wire.replace('"value":"rock"', '"value":"ruck"'));
  const [first] = compareViews(whole, viewOf(tampered)).differences;
  expect(formatDifference(first!, nameOf).detail).toContain("fails its check: wrong-signer at sig");
});

test("the same is said to be the same", () => {
  expect(formatComparison(compareViews(whole, whole))).toBe(
    "The same: 5 entries, in the same order, with the same verdict.",
  );
});

test("what a participant had seen is its last entry and that entry's past", () => {
  const seen = seenBy(whole, drawing.node("ca").wallet);
  expect(seen.ok && seen.order.map(({ ref }) => drawing.inNames(ref))).toEqual(["ca", "cb", "ra"]);
});
