import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readArguments } from "./arguments.ts";
import { Unusable } from "./console.ts";
import { defaultOf, LIMIT_NAMES, LIMIT_OPTIONS, LIMITS_HELP, readLimits } from "./serve-limits.ts";

const given = (...args: string[]) =>
  readArguments(args, { values: [...LIMIT_NAMES], switches: ["limit-loopback"] }, 0);

test("docs/operations.md and the help name every limit with its default and unit", () => {
  const docs = readFileSync("docs/operations.md", "utf8");
  const rows = [...docs.matchAll(/^\| +`--([a-z-]+)` +\| +(\d+) +\| +([^|]+?) +\|/gm)].map(
    ([, ...row]) => row,
  );
  const expected = LIMIT_OPTIONS.map((option) => [option.name, String(defaultOf(option)), option.says]);
  expect(rows).toEqual(expected);
  for (const name of LIMIT_NAMES) expect(LIMITS_HELP).toContain(`--${name} N`);
});

test("a limit is read in its unit, and the others keep their defaults", () => {
  const { limits, relayLimits, quota } = readLimits(
    given("--wallet-mib", "2", "--answer-seconds", "5", "--relay-refs", "7", "--limit-loopback"),
  );
  expect(quota.wallet).toMatchObject({ bytes: 2 * 1024 * 1024, objects: 200_000 });
  expect([limits, relayLimits]).toEqual([
    { answerMs: 5_000, loopback: true },
    { refsPerSecondPerAddress: 7 },
  ]);
});

test.each(["-1", "1.5", "many", ""])("%j is no limit, and the option is named", (text) => {
  expect(() => readLimits(given(`--requests=${text}`))).toThrow(Unusable);
  expect(() => readLimits(given(`--requests=${text}`))).toThrow("--requests");
});
