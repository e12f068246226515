import { expect, test } from "vitest";
import { verdictDigest } from "../../games/judge.ts";
import { Drawing } from "../../testing/build.ts";
import { auditRecords, type AuditStage } from "../../audit/audit-records.ts";
import { createEngine, plainMethods } from "../../verify/engine.ts";
import { createInlineRunner } from "../../verify/verifier.inline.ts";
import { defaultPace } from "../../platform/time-slices.ts";
import { verifyRecords } from "../../verify/levels.ts";
import { entryState, logsOf, standingOf } from "./log-rows.ts";
import { summarize } from "./summary.ts";

const runner = createInlineRunner(Promise.resolve(createEngine(plainMethods)), defaultPace);
const verifier = {
  verify: (records: readonly string[], options: Parameters<typeof verifyRecords>[2]) =>
    verifyRecords(runner, records, options),
  close: () => undefined,
};

const drawing = new Drawing()
  .genesis("g", "a", "a b", { body: { title: "a match" } })
  .commit("ca", "a", "rock")
  .commit("cb", "b", "paper", { sees: "ca" })
  .reveal("ra", "a", "rock", { sees: "cb" })
  .reveal("rb", "b", "paper", { sees: "ra" })
  .reveal("rb2", "b", "paper", { sees: "ra ca", after: "cb" });
const session = drawing.node("g").ref;
const whole = drawing.records("rb2");

async function stages(records: readonly string[]): Promise<AuditStage[]> {
  const seen: AuditStage[] = [];
  await auditRecords(records, session, verifier, { onStage: (stage) => void seen.push(stage) });
  return seen;
}

test("a decided, complete session passes only once every signature is checked", async () => {
  const [first, last] = await stages(whole);
  expect(summarize(first!)).toMatchObject({ tone: "wait", level: "authenticated" });
  const summary = summarize(last!);
  expect(summary).toMatchObject({
    tone: "pass",
    level: "verified",
    game: "rps",
    title: "a match",
    counts: { failed: 0, unchecked: 0 },
    pinnedNote: null,
  });
  expect(summary.headline).toMatch(/wins\.$/);
});

test("a claimed digest is confirmed, or its denial is a failure", async () => {
  const last = (await stages(whole)).at(-1)!;
  const digest = last.verdict?.ok === true ? last.verdict.digest : undefined;
  expect(summarize(last, digest)).toMatchObject({
    tone: "pass",
    pinnedNote: "The same verdict as when this was made.",
  });
  const other = summarize(last, verdictDigest(session, null, []));
  expect(other).toMatchObject({ tone: "fail" });
  expect(other.pinnedNote).toMatch(/^Not the verdict/);
});

test.each([
  ["a tampered byte", whole.map((wire) => wire.replace('"value":"rock"', '"value":"ruck"'))],
  ["a withheld entry", drawing.records("rb2 cb")],
  ["an open session", drawing.records("rb2 rb")],
  ["a fork", drawing.records()],
])("%s never passes", async (_, records) => {
  expect(summarize((await stages(records)).at(-1)!)).toMatchObject({ tone: "warn" });
});

test("records without the genesis fail, and say so", async () => {
  const summary = summarize((await stages(drawing.records("g"))).at(-1)!);
  expect(summary).toMatchObject({ tone: "fail", game: "", finality: null });
  expect(summary.headline).toContain("genesis");
});

test("rows: participants first, versions of a fork both there, the state of each signature", async () => {
  const [first, last] = await stages(drawing.records());
  if (first?.view.ok !== true || last?.view.ok !== true) throw new Error("no view");
  const logs = logsOf(last.view);
  expect([...logs.values()].map((log) => log.map(({ ref }) => drawing.inNames(ref)))).toEqual([
    ["g", "ca", "ra"],
    expect.arrayContaining(["cb", "rb", "rb2"]),
  ]);
  expect(standingOf(last.view).get(drawing.node("rb2").ref)).toBe("one version of a fork");
  expect(entryState(last.view.genesis, last.report)).toEqual({ passed: true, words: "checked" });
  expect(entryState(first.view.genesis, first.report)).toEqual({
    passed: false,
    words: "covered by the chain",
  });
});
