import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkPlain } from "../core/signature.ts";
import type { CheckSignature, SignatureResult } from "../core/entry.ts";
import { seededRandom } from "../testing/random.ts";
import { answer, type SessionVector } from "./vectors.ts";

const named = JSON.parse(readFileSync("public/vectors/sessions.json", "utf8")) as SessionVector[];
const random = readFileSync("public/vectors/random.jsonl", "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as SessionVector);
const cases = [...named, ...random].map((vector, i) => ({
  title: vector.name ?? `random ${i - named.length}`,
  vector,
}));

/** The plain check, each signature computed once for all cases. */
const known = new Map<string, SignatureResult>();
const check: CheckSignature = (candidate) => {
  const result = known.get(candidate.wire) ?? checkPlain(candidate);
  known.set(candidate.wire, result);
  return result;
};

test("all session vectors are there", () => {
  expect([named.length, random.length]).toEqual([173, 120]);
});

test.each(cases.map(({ title, vector }, i) => [title.slice(0, 80), vector, i] as const))(
  "session vector: %s",
  (_title, vector, i) => {
    expect(answer(vector, check)).toEqual(vector.expect);
    const random = seededRandom(i);
    const bag = [...vector.records, ...vector.records.filter(() => random() < 0.5)];
    for (let k = bag.length - 1; k > 0; k--) {
      const j = Math.floor(random() * (k + 1));
      [bag[k], bag[j]] = [bag[j]!, bag[k]!];
    }
    expect(answer({ ...vector, records: bag }, check)).toEqual(vector.expect);
  },
);
