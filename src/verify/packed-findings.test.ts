import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../core/values.ts";
import type { Finding } from "./findings.ts";
import { packFindings, unpackFindings } from "./packed-findings.ts";

const place = fc.record({
  wallet: fc.constantFrom(`0x${"1".repeat(40)}` as const, `0x${"2".repeat(40)}` as const),
  seq: fc.nat(),
  prev: fc.option(fc.string().map((text) => sha256(text))),
  hash: fc.string().map((text) => sha256(text)),
});
const passed = (state: "parsed" | "verified"): fc.Arbitrary<Finding> =>
  place.map((at) => ({ state, place: at }));
const failed: fc.Arbitrary<Finding> = fc.oneof(
  fc.string().map((why): Finding => ({ state: "unchecked", why })),
  place.map((at): Finding => ({
    state: "forged",
    place: at,
    result: { ok: false, code: "bad-signature" },
  })),
);

test.each(["parsed", "verified"] as const)(
  "%s findings come back as they were, each at its record",
  (state) => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 3, arbitrary: passed(state) }, failed)), (findings) => {
        expect(unpackFindings(structuredClone(packFindings(findings)))).toEqual(findings);
      }),
    );
  },
);

test("findings of both kinds together come back as well", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(passed("parsed"), passed("verified"), failed)), (findings) => {
      expect(unpackFindings(structuredClone(packFindings(findings)))).toEqual(findings);
    }),
  );
});

test("a lost finding makes the answer shorter, so that it is not taken as whole", () => {
  const finding: Finding = { state: "unchecked", why: "no" };
  const packed = packFindings([finding, finding, finding]);
  expect(unpackFindings({ ...packed, others: packed.others.slice(1) }).length).toBeLessThan(3);
});
