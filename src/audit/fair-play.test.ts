import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { buildView } from "../core/build-view.ts";
import { readBundle } from "../core/bundle.ts";
import { judge } from "../games/judge.ts";
import { checkOnce } from "../testing/build.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { auditRecords, type AuditStage } from "./audit-records.ts";
import { PROOF_STEPS, proveStep, type ProofState } from "./fair-play.ts";
import { caughtBy, tamperRecords, tellingPosition, type Tamper } from "./tamper.ts";

const verifier = createInlineVerifier();
afterAll(() => verifier.close());

function read(name: string) {
  const bundle = readBundle(readFileSync(`public/samples/${name}.coop.jsonl`, "utf8"));
  if (!bundle.ok) throw new Error(`${name} is no bundle`);
  return bundle;
}

function statesOf(name: string): readonly ProofState[] {
  const { records, session } = read(name);
  const view = buildView(records, session, { check: checkOnce });
  if (!view.ok) throw new Error(`${name} has no view`);
  return PROOF_STEPS.map((id) => proveStep(id, view, judge(view)).state);
}

test.each<[string, ProofState, ProofState, ProofState]>([
  ["rps-best-of-three", "passed", "passed", "passed"],
  ["vote-secret", "passed", "passed", "passed"],
  ["vote-open", "not-applicable", "not-applicable", "passed"],
  ["early-reveal", "caught", "passed", "passed"],
  ["copied-commitment", "passed", "caught", "passed"],
  ["withheld-entry", "not-applicable", "not-applicable", "unchecked"],
  ["fork", "not-applicable", "not-applicable", "failed"],
])("the three steps of %s: %s, %s, %s", (name, first, second, third) => {
  expect(statesOf(name)).toEqual([first, second, third]);
});

test("each opening is hashed again and shows the seal that it fits", () => {
  const { records, session } = read("rps-best-of-three");
  const view = buildView(records, session, { check: checkOnce });
  if (!view.ok) throw new Error("no view");
  const { facts } = proveStep("opens-seal", view, judge(view));
  expect(facts).toHaveLength(6);
  for (const { expected, found } of facts) expect([expected, found]).toEqual([found, expected]);
  expect(new Set(facts.map(({ expected }) => expected)).size).toBe(6);
});

describe("Try to cheat: a changed copy is audited, and a check catches it", async () => {
  const { records, session } = read("early-reveal");
  const before = await auditRecords(records, session, verifier);
  const digest = before.verdict?.ok === true ? before.verdict.digest : undefined;
  const after = (tamper: Tamper): Promise<AuditStage> =>
    auditRecords(tamperRecords(records, tamper), session, verifier);
  const checksOf = async (tamper: Tamper) =>
    caughtBy(before, await after(tamper), digest).map(({ check, state }) => `${check} ${state}`);
  const reveal = records.findLastIndex((wire) => wire.includes('"type":"reveal"'));

  test("one changed byte of an opening: its signature is not its author's", async () => {
    const at = tellingPosition(records[reveal]!);
    expect(await checksOf({ kind: "byte", record: reveal, at })).toContain("signer failed");
  });

  test("any changed byte of any record is caught", async () => {
    for (const [record, wire] of records.entries())
      for (let at = record; at < wire.length; at += 97)
        expect(await checksOf({ kind: "byte", record, at }), `${record} ${at}`).not.toEqual([]);
  });

  test("a dropped entry in the middle leaves a hole in its log", async () => {
    const commit = records.findIndex((wire) => wire.includes('"type":"commit"'));
    expect(await checksOf({ kind: "drop", record: commit })).toContain("log unchecked");
  });

  test("a dropped last entry is caught by the digest that a link holds", async () => {
    expect(await checksOf({ kind: "drop", record: reveal })).toContain("verdict digest failed");
  });

  test("two entries of one log exchanged: neither is what its author signed", async () => {
    const mine = records.flatMap((wire, i) => (wire.includes('"type":"reveal"') ? [i] : []));
    const [record, other] = [mine[0]!, mine[1]!];
    const caught = await checksOf({ kind: "swap", record, other });
    expect(caught.filter((one) => one === "signer failed")).toHaveLength(2);
  });

  test("another order of arrival changes nothing, so there is nothing to catch", async () => {
    const stage = await after({ kind: "reorder" });
    expect(caughtBy(before, stage, digest)).toEqual([]);
    expect(stage.verdict).toEqual(before.verdict);
  });
});
