import { expect, test } from "vitest";
import { readBundle, writeBundle } from "./bundle.ts";
import type { Ref } from "./values.ts";

const session = `0x${"ab".repeat(20)}:0:0x${"cd".repeat(32)}` as Ref;

test("a bundle reads as it was written, each record once", () => {
  const text = writeBundle(session, ['{"a":1}', "junk", '{"a":1}']);
  expect(text.split("\n")[0]).toBe(`{"format":"coop-bundle/1","session":"${session}"}`);
  expect(readBundle(text)).toEqual({ ok: true, session, sessions: [session], records: ['{"a":1}', "junk"] });
});

test("line ends of CR LF are forgiven, a damaged record is kept for the verifier to reject", () => {
  const text = `{"format":"coop-bundle/1","session":"${session}"}\r\n{"a":1}\r\n\r\n{"a"`;
  expect(readBundle(text)).toEqual({ ok: true, session, sessions: [session], records: ['{"a":1}', '{"a"'] });
});

test.each([
  ["", "not-a-bundle"],
  ["null\n{}", "not-a-bundle"],
  ["[1]", "not-a-bundle"],
  ["{}", "not-a-bundle"],
  [`\ufeff{"format":"coop-bundle/1","session":"${session}"}`, "not-a-bundle"],
  [`{"format":"coop-bundle/2","session":"${session}"}`, "unknown-format"],
  [`{"format":1e400,"session":"${session}"}`, "unknown-format"],
  [`{"format":"coop-bundle/1","session":"${session.slice(1)}"}`, "bad-session"],
  ['{"format":"coop-bundle/1"}', "bad-session"],
])("refused with the reason: %s", (text, code) => {
  expect(readBundle(text)).toMatchObject({ ok: false, code, line: 1 });
});

test("two bundles after one another are one bag; with or without a line break between them", () => {
  const [one, two] = [1, 2].map((n) => `0x${"a1".repeat(20)}:${n}:0x${"b2".repeat(32)}` as const);
  const first = writeBundle(one!, ['{"a":1}']).trimEnd();
  for (const between of ["\n", "\r\n", ""]) {
    expect(readBundle(`${first}${between}${writeBundle(two!, ['{"a":2}'])}`)).toMatchObject({
      session: one,
      sessions: [one, two],
      records: ['{"a":1}', '{"a":2}'],
    });
    expect(readBundle(`${first}${between}${first}`)).toMatchObject({
      sessions: [one],
      records: ['{"a":1}', '{"a":1}'],
    });
  }
});
