// Every rule of docs/protocol.md is held by a test whose title carries its number, and no title names a rule
// that is not there. A title begins with the numbers: "V15: …", "G-RPS-2, G-RPS-3: …".

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const NUMBER = "(?:G-[A-Z]+-[0-9]+|[A-Z][0-9]+)";

const rules = [
  ...readFileSync("docs/protocol.md", "utf8").matchAll(new RegExp(`^\\*\\*(${NUMBER})\\.\\*\\* `, "gm")),
].map((match) => match[1]!);

function tested(): Set<string> {
  const found = new Set<string>();
  const title = new RegExp(`\\b(?:test|it)\\b[^;]*?\\(\\s*["'\`](${NUMBER}(?:, ${NUMBER})*): `, "g");
  for (const name of readdirSync("src", { recursive: true, encoding: "utf8" })) {
    if (!/\.test\.tsx?$/.test(name)) continue;
    for (const match of readFileSync(join("src", name), "utf8").matchAll(title))
      for (const number of match[1]!.split(", ")) found.add(number);
  }
  return found;
}

test("rules have numbers of their own, counted without a hole", () => {
  expect(rules.length).toBeGreaterThan(100);
  expect(new Set(rules).size).toBe(rules.length);
  const last = new Map<string, number>();
  for (const rule of rules) {
    const [, prefix, number] = /^(.*?)([0-9]+)$/.exec(rule)!;
    expect([rule, Number(number)]).toEqual([rule, (last.get(prefix!) ?? 0) + 1]);
    last.set(prefix!, Number(number));
  }
});

test("every rule has a test that names it, and every named rule is there", () => {
  const named = tested();
  expect(rules.filter((rule) => !named.has(rule))).toEqual([]);
  expect([...named].filter((rule) => !rules.includes(rule))).toEqual([]);
});
