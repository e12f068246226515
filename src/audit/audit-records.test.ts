import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { buildView } from "../core/build-view.ts";
import { fromHex } from "../core/bytes.ts";
import { parseCandidate, reviveCandidate, type Candidate } from "../core/entry.ts";
import { domainKey } from "../core/seal.ts";
import { formatRef, type Ref } from "../core/values.ts";
import { judge } from "../games/judge.ts";
import type { SessionVector } from "../games/vectors.ts";
import { ParsedRecords } from "../verify/parsed-records.ts";
import { auditRecords, SessionAudit, type AuditStage } from "./audit-records.ts";
import { checkRecord, describeCheck, RECORD_CHECKS, type CheckState } from "./record-checks.ts";
import { breakSig } from "../verify/verifier.contract.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import type { Pace } from "../platform/time-slices.ts";
import { sampleEntries, sampleWallet, signEntry } from "../testing/signed-entries.ts";
import { checkSession } from "./session-checks.ts";
import type { Verifier } from "../verify/verifier.ts";

const verifier = createInlineVerifier();
afterAll(() => verifier.close());
const vectors = JSON.parse(readFileSync("public/vectors/sessions.json", "utf8")) as SessionVector[];
const named = (name: string): SessionVector => vectors.find((vector) => vector.name === name)!;
const digestOf = (stage: AuditStage): unknown =>
  stage.view.ok
    ? stage.verdict?.ok
      ? stage.verdict.digest
      : { error: stage.verdict?.code }
    : stage.view.code;

/** Lets others have their turn after every single step. */
const eager: Pace = {
  now: (() => {
    let ms = 0;
    return () => (ms += 1_000);
  })(),
  pause: () => Promise.resolve(),
};

describe("vectors", () => {
  test.each(vectors.map((vector) => [vector.name!.slice(0, 80), vector] as const))(
    "%s",
    async (_name, vector) => {
      const domain = vector.key === undefined ? undefined : domainKey(fromHex(`0x${vector.key}`));
      const stages: AuditStage[] = [];
      const last = await auditRecords(vector.records, vector.session, verifier, {
        domain,
        onStage: (stage) => stages.push(stage),
        pace: eager,
      });
      // In as many steps as there are, and all at once: the same view and verdict.
      const { check } = last.report;
      const view = buildView(vector.records, vector.session, { check, domain });
      expect(last.view).toEqual(view);
      expect(last.verdict).toEqual(view.ok ? judge(view) : null);
      expect(stages.map(({ level }) => level)).toEqual(["authenticated", "verified"]);
      const expected = vector.expect as { error?: string; verdict?: { digest?: string; error?: string } };
      expect(digestOf(last)).toEqual(
        expected.error ?? expected.verdict?.digest ?? { error: expected.verdict?.error },
      );
      expect(last.report.counts.unchecked + last.report.counts.covered).toBe(0);
      if (last.view.ok) expect(last.view.level).toBe("verified");
      for (const record of vector.records) {
        const checks = checkRecord(record, last.report.check, last.view.ok ? last.view : undefined);
        expect(checks.map(({ name }) => name)).toEqual(RECORD_CHECKS);
        const rejected = last.view.rejected.find(({ wire }) => wire === record);
        if (rejected !== undefined) expect(checks.filter(({ state }) => state === "failed")).toHaveLength(1);
        for (const check of checks) expect(describeCheck(check)).toMatch(/^[a-z]/i);
      }
    },
  );
});

const states = (wire: string, stage: AuditStage): Record<string, CheckState> =>
  Object.fromEntries(
    checkRecord(wire, stage.report.check, stage.view.ok ? stage.view : undefined).map((one) => [
      one.name,
      one.state,
    ]),
  );

describe("named checks", () => {
  const vector = named("rps rock against rock");
  const candidates = vector.records
    .map((wire) => parseCandidate(wire))
    .flatMap((one) => (one.ok ? [one.value] : []));
  test("all pass on a good session at the verified level", async () => {
    const last = await auditRecords(vector.records, vector.session, verifier);
    for (const { wire, type } of candidates) {
      const found = states(wire, last);
      expect(found).toEqual({
        ...Object.fromEntries(RECORD_CHECKS.map((name) => [name, "passed"])),
        ...(type === "genesis" && { "in time": "not-applicable" }),
      });
    }
    const digest = digestOf(last) as `0x${string}`;
    const session = checkSession(last.view, last.verdict, digest);
    expect(session.every(({ state }) => state === "passed")).toBe(true);
    expect(checkSession(last.view, last.verdict, `0x${"0".repeat(64)}`).at(-1)).toMatchObject({
      state: "failed",
    });
    expect(checkSession(last.view, last.verdict).at(-1)).toMatchObject({ state: "not-applicable" });
  });

  test("what is covered by its chain is not passed off as checked, nor is its digest", async () => {
    const stages: AuditStage[] = [];
    await auditRecords(vector.records, vector.session, verifier, { onStage: (stage) => stages.push(stage) });
    const first = stages[0]!;
    expect(first.view.ok && first.view.level).toBe("authenticated");
    expect(states(vector.session === candidates[0]!.ref ? candidates[0]!.wire : "", first)).toMatchObject({
      signature: "unchecked",
      signer: "unchecked",
    });
    const pinned = digestOf(first) as `0x${string}`;
    expect(checkSession(first.view, first.verdict, pinned).at(-1)).toMatchObject({ state: "unchecked" });
  });

  test("a broken signature fails signature or signer, and nothing after it is passed", async () => {
    const bad = breakSig(candidates[1]!);
    const last = await auditRecords(vector.records.with(1, bad.wire), vector.session, verifier);
    const found = states(bad.wire, last);
    expect([found.signature, found.signer]).toContain("failed");
    expect([found.chain, found.refs, found.session, found["in time"]]).toEqual(
      new Array(4).fill("unchecked"),
    );
    // Its successor has lost its predecessor, which is not known to be wrong.
    expect(states(candidates[2]!.wire, last)).toMatchObject({
      signature: "passed",
      chain: "unchecked",
      session: "unchecked",
    });
    expect(
      checkSession(last.view, last.verdict).find(({ name, state }) => name === "log" && state !== "passed"),
    ).toMatchObject({ state: "unchecked" });
  });

  test("each form failure names its check; later ones are not checked", async () => {
    const last = await auditRecords(vector.records, vector.session, verifier);
    const wire = vector.records[1]!;
    const cases: [string, string][] = [
      [`"${"x".repeat(70_000)}"`, "size"],
      ["{", "JSON"],
      [wire.replace('"type":', '"typ":'), "shape"],
      [wire.replace(":", ": "), "canonical"],
    ];
    for (const [text, name] of cases) {
      const checks = checkRecord(text, last.report.check);
      const at = checks.findIndex((one) => one.state === "failed");
      expect(checks[at]?.name).toBe(name);
      expect(checks.slice(at + 1).every((one) => one.state === "unchecked")).toBe(true);
    }
  });

  test("without a genesis nothing of the session is passed", async () => {
    const last = await auditRecords(vector.records.slice(1), vector.session, verifier);
    expect(last.verdict).toBeNull();
    expect(checkSession(last.view, last.verdict).every(({ state }) => state === "unchecked")).toBe(true);
  });
});

test("evidence carries records, which are verified like any other", async () => {
  const vector = vectors.find(({ records }) => records.some((wire) => wire.includes('"type":"evidence"')))!;
  const last = await auditRecords(vector.records, vector.session, verifier);
  expect(last.view.unchecked).toEqual([]);
  expect(last.report.states.length).toBeGreaterThan(new Set(vector.records).size - 1);
});

test("a bag read in slices is the bag read at once, whatever the order", async () => {
  const records = vectors.slice(0, 60).flatMap((vector) => vector.records);
  const { session } = vectors[0]!;
  const last = await auditRecords([...records, ...records.toReversed()], session, verifier);
  const whole = buildView(records, session, { check: last.report.check });
  if (!last.view.ok || !whole.ok) throw new Error("no view");
  expect(new Set(last.view.entries.keys())).toEqual(new Set(whole.entries.keys()));
  for (const [ref, entry] of whole.entries) expect(last.view.entries.get(ref)?.wire).toBe(entry.wire);
  expect(last.view.rejected).toEqual(whole.rejected);
  expect(last.view.unchecked).toEqual(whole.unchecked);
  expect(last.view.order.map(({ ref }) => ref)).toEqual(whole.order.map(({ ref }) => ref));
});

test("an abort leaves a view that says it is not complete", async () => {
  const { records, session } = named("rps rock against rock");
  const last = await auditRecords(records, session, verifier, { signal: AbortSignal.abort() });
  expect(last.report.counts.unchecked).toBe(records.length);
  expect(last.view.ok).toBe(false);
});

test("a verifier that answers nothing yields no pass", async () => {
  const dead: Verifier = {
    verify: (records, options) =>
      createInlineVerifier().verify(records, { ...options, signal: AbortSignal.abort() }),
    close: () => undefined,
  };
  const { records, session } = named("rps rock against rock");
  const last = await auditRecords(records, session, dead);
  expect(
    checkRecord(records[0]!, last.report.check)
      .slice(4)
      .every(({ state }) => state === "unchecked"),
  ).toBe(true);
});

/** Long logs, signed by libsecp256k1 to keep the test short. */
describe("size", () => {
  test("a chain of 20,000 entries, and a ladder of 20,000 refs, are covered without recursion", async () => {
    const { instantiateSecp256k1 } = await import("@bitauth/libauth");
    const curve = await instantiateSecp256k1();
    const entries = sampleEntries(20_000, 2, (digest, secret) => {
      const signed = curve.signMessageHashRecoverableCompact(secret, digest);
      if (typeof signed === "string") throw new Error(signed);
      return { compact: signed.signature, recovery: signed.recoveryId };
    });
    const wires = entries.map(({ wire }) => wire).reverse();
    const report = await verifier.verify(wires, { level: "authenticated" });
    expect(report.counts).toEqual({ verified: 2, covered: 19_998, rejected: 0, unchecked: 0 });
  });
});

test("a session of one's own: genesis by one wallet, moves by two", async () => {
  const [a, b] = [sampleWallet(1), sampleWallet(2)];
  const genesis = signEntry(a, {
    wallet: a.wallet,
    seq: 0,
    prev_hash: null,
    refs: [],
    type: "genesis",
    body: {
      protocol: "coop/1",
      game: "rps",
      rules: {},
      participants: [a.wallet, b.wallet],
      deadline: 5,
      default_outcome: { kind: "void" },
    },
  });
  const session: Ref = formatRef(a.wallet, 0, genesis.hash);
  const ticks = [0, 1, 2].reduce<Candidate[]>(
    (log, seq) => [
      ...log,
      signEntry(b, {
        wallet: b.wallet,
        seq,
        prev_hash: log.at(-1)?.hash ?? null,
        refs: [session],
        type: "tick",
        body: {},
      }),
    ],
    [],
  );
  const wires = [genesis, ...ticks].map(({ wire }) => wire);
  const last = await auditRecords(wires, session, verifier);
  expect(states(ticks[1]!.wire, last)["in time"]).toBe("passed");
  expect(states(ticks[2]!.wire, last)["in time"]).toBe("failed");
  const stranger = signEntry(sampleWallet(3), { ...ticks[0]!, wallet: sampleWallet(3).wallet });
  const more = await auditRecords([...wires, stranger.wire], session, verifier);
  expect(states(stranger.wire, more)).toMatchObject({
    signature: "passed",
    session: "failed",
    "in time": "unchecked",
  });
});

describe("what the first level found stands at the second only where every signature bears it out", () => {
  const vector = named("rps rock against paper");

  async function both(
    records: readonly string[],
    by: Verifier = verifier,
  ): Promise<[AuditStage, AuditStage]> {
    const stages: AuditStage[] = [];
    const last = await auditRecords(records, vector.session, by, { onStage: (stage) => stages.push(stage) });
    return [stages[0]!, last];
  }

  test("then the view is that of the records read anew, with the same list of moves", async () => {
    const [first, last] = await both(vector.records);
    if (!first.view.ok || !last.view.ok) throw new Error("no view");
    expect([first.view.level, last.view.level]).toEqual(["authenticated", "verified"]);
    expect(last.view.order).toBe(first.view.order);
    const anew = buildView(vector.records, vector.session, { check: last.report.check });
    expect(last.view).toEqual(anew);
    if (anew.ok) expect(last.verdict).toEqual(judge(anew));
  });

  test("a signature that only a chain stood for, and is bad, takes its entry out", async () => {
    const parsed = parseCandidate(vector.records[1]!);
    if (!parsed.ok) throw new Error("no candidate");
    const records = vector.records.with(1, breakSig(parsed.value).wire);
    const [first, last] = await both(records);
    expect(first.view).toMatchObject({ ok: true, rejected: [] });
    expect(last.view.rejected).toHaveLength(1);
    expect(last.view).toEqual(buildView(records, vector.session, { check: last.report.check }));
  });

  test("checks that did not run at the second level leave nothing verified", async () => {
    const halfway: Verifier = {
      verify: (records, options) =>
        verifier.verify(
          records,
          options.level === "verified" ? { ...options, signal: AbortSignal.abort() } : options,
        ),
      close: () => undefined,
    };
    const [first, last] = await both(vector.records, halfway);
    expect(first.view.unchecked).toEqual([]);
    expect(last.view).toMatchObject({ ok: false, code: "no-genesis" });
    expect(last.view.unchecked).toHaveLength(vector.records.length);
  });
});

test("records are parsed once, however often more come; each change makes one view", async () => {
  const vector = vectors.find(({ name }) => name === "rps rock against paper")!;
  const parses = new Map<string, number>();
  const count = (wire: string) => parses.set(wire, (parses.get(wire) ?? 0) + 1);
  const parsed = new ParsedRecords({
    parse: (wire, sha256) => (count(wire), parseCandidate(wire, sha256)),
    revive: (wire, hash) => (count(wire), reviveCandidate(wire, hash)),
  });
  const audit = new SessionAudit(vector.session, verifier, { parsed });
  for (let count = 1; count <= vector.records.length; count++)
    await audit.add(vector.records.slice(0, count));
  const last = audit.stage!;
  expect(await audit.add(vector.records as string[])).toBe(last);
  expect(last.view).toEqual(buildView(vector.records, vector.session, { check: last.report.check }));
  expect([...parses.values()]).toEqual(vector.records.map(() => 1));
});
