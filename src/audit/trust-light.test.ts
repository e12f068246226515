import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildView } from "../core/build-view.ts";
import type { Hash } from "../core/values.ts";
import { judge } from "../games/judge.ts";
import { checkOnce, Drawing } from "../testing/build.ts";
import { bySeat, readSample, sampleIndex, type SampleView } from "../testing/sample-stages.ts";
import type { AuditStage } from "./audit-records.ts";
import { isOutsideSession } from "./outside-session.ts";
import { trustChecks, trustLight, type TrustInput } from "./trust-light.ts";

/** The stage of records whose every signature was checked. */
function stageOf(one: Pick<SampleView, "records" | "session" | "domain">): TrustInput["stage"] | null {
  const view = buildView(one.records, one.session, { check: checkOnce, domain: one.domain });
  if (!view.ok) return null;
  const counts = {
    verified: one.records.length - view.rejected.length,
    covered: 0,
    rejected: view.rejected.length,
    unchecked: 0,
  };
  const states = one.records.map(() => ({ state: "covered" as const }));
  const report = { level: "verified", states, counts, check: checkOnce, parsed: () => undefined };
  return { level: "verified", report: report as unknown as AuditStage["report"], view, verdict: judge(view) };
}

function said(input: TrustInput): string {
  const { word, say } = trustLight(input);
  return `${word}: ${say(bySeat(input.stage.view))}`;
}

const samples = sampleIndex.filter(({ file }) => !file.startsWith("long-")).map(readSample);
const sample = (name: string): TrustInput["stage"] => stageOf(samples.find((one) => one.name === name)!)!;

describe("the light says in a sentence", () => {
  test.each([
    ["rps-best-of-three", "green", "Checked: every signature, link and rule, in this browser"],
    ["silent-award", "green", "Checked: every signature, link and rule, in this browser"],
    ["withheld-entry", "amber", "Incomplete: 1 entry of Player 2’s is withheld; the result could change"],
    ["tampered-byte", "red", "Failed: 1 record is not what Player 2 signed"],
    ["fork", "red", "Failed: Player 2 signed two different entries for one position"],
  ])("%s: %s, %s", (name, colour, sentence) => {
    const input = { stage: sample(name), working: false };
    expect(trustLight(input).colour).toBe(colour);
    expect(said(input)).toBe(sentence);
  });

  test("a claimed digest that was not reached is a failure", () => {
    const pinned: Hash = `0x${"0".repeat(64)}`;
    expect(said({ stage: sample("vote-open"), working: false, pinned })).toBe(
      "Failed: the result is not the one that the link claims",
    );
  });

  test("while signatures are being checked it is not green", () => {
    const stage = { ...sample("vote-open"), level: "authenticated" as const };
    expect(said({ stage, working: true })).toBe("Checking: signatures are being checked");
    expect(trustLight({ stage, working: false }).colour).toBe("amber");
  });

  test("entries that were here before and are gone are not green", () => {
    const rolledBack = { withheld: 2, rewritten: 0 };
    expect(said({ stage: sample("vote-open"), working: false, rolledBack })).toBe(
      "Incomplete: 2 entries that were here before are not served now; the result could change",
    );
    expect(
      trustLight({ stage: sample("vote-open"), working: false, rolledBack: { withheld: 0, rewritten: 1 } })
        .colour,
    ).toBe("red");
  });

  test("without its key a sealed session is not green", () => {
    const sealed = samples.find((one) => one.name === "sealed-session")!;
    expect(said({ stage: stageOf({ ...sealed, domain: undefined })!, working: false })).toBe(
      "Incomplete: signatures, links and order are checked, but the moves are sealed and need a key",
    );
  });
});

/** A session with whatever may go wrong in it: forks, holes, moves of other sessions. */
const generated = new Drawing()
  .genesis("g", "a", "a b c", { game: "vote", rules: { options: ["x", "y"] }, deadline: 10 })
  .genesis("h", "b", "a b", {})
  .add("a1", "a", "vote", { choice: "x" })
  .add("b1", "b", "vote", { choice: "y" }, { sees: "a1" })
  .add("b1x", "b", "vote", { choice: "x" }, { after: "h", sees: "a1" })
  .add("c1", "c", "vote", { choice: "x" }, { sees: "b1" })
  .add("a2", "a", "tick", {}, { session: "h" })
  .tick("a3", "a", { sees: "c1" });
const sources = [
  ...samples,
  {
    records: generated.records(),
    session: generated.node("g").ref,
    domain: undefined,
  },
];

const damaged = fc.constantFrom(...sources).chain((one) =>
  fc.record({
    one: fc.constant(one),
    kept: fc.subarray([...one.records.keys()]),
    flips: fc.array(fc.tuple(fc.nat(one.records.length - 1), fc.nat(400)), { maxLength: 2 }),
  }),
);

test("the light is never green beside a failure, a hole or a check that did not run", () => {
  const seen = { green: 0, amber: 0, red: 0 };
  fc.assert(
    fc.property(damaged, ({ one, kept, flips }) => {
      const records = [...one.records.filter((_, i) => kept.includes(i))];
      for (const [i, at] of flips) {
        const wire = one.records[i]!;
        records.push(`${wire.slice(0, at)}${wire[at] === "0" ? "1" : "0"}${wire.slice(at + 1)}`);
      }
      const stage = stageOf({ ...one, records });
      if (stage === null) return;
      const input = { stage, working: false };
      const { colour } = trustLight(input);
      seen[colour]++;
      const checks = trustChecks(input);
      const isWrong =
        stage.view.rejected.length > 0 ||
        !stage.view.complete ||
        !stage.verdict.ok ||
        checks.some(({ state }) => state === "failed");
      if (isWrong) expect(colour).not.toBe("green");
      const inside = stage.view.rejected.some((record) => !isOutsideSession(stage.view, record));
      if (inside || stage.view.members.some(({ fault }) => fault !== null)) expect(colour).toBe("red");
    }),
    { numRuns: 150 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
