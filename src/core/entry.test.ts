import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { acceptCandidate, parseCandidate } from "./entry.ts";
import { checkPlain } from "./signature.ts";

type Case = { name: string; wire: string; hash?: string; ref?: string; error?: string };
const cases = JSON.parse(readFileSync("public/vectors/entries.json", "utf8")) as Case[];

test("every entry vector is there", () => expect(cases.length).toBe(75));
test.each(cases.map((c) => [c.name, c] as const))("entry vector: %s", (_name, c) => {
  const parsed = parseCandidate(c.wire);
  const entry = parsed.ok ? acceptCandidate(parsed.value, checkPlain) : parsed;
  if (c.error !== undefined) expect(entry).toMatchObject({ ok: false, error: { code: c.error } });
  else expect(entry).toMatchObject({ ok: true, value: { hash: c.hash, ref: c.ref, wire: c.wire } });
});
