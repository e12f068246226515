// The contract of every verifier, as a test suite: `describeVerifier(name, create)`.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseCandidate, reviveCandidate, wireForm, type Candidate } from "../core/entry.ts";
import { sampleEntries, sampleRef, sampleWallet, signEntry } from "../testing/signed-entries.ts";
import type { Level } from "../core/view.ts";
import { ParsedRecords } from "./parsed-records.ts";
import type { RecordState, Verifier } from "./verifier.ts";

const LEVELS: readonly Level[] = ["authenticated", "verified"];

/** Runs the contract on the verifiers that `create` makes. */
export function describeVerifier(name: string, create: () => Verifier): void {
  describe(name, () => {
    let verifier: Verifier;
    const entries = sampleEntries(24, 2);
    const wires = entries.map((entry) => entry.wire);
    beforeAll(() => {
      verifier = create();
    });
    afterAll(() => verifier.close());

    test.each(LEVELS)("no records at level %s: an empty report", async (level) => {
      const report = await verifier.verify([], { level });
      expect(report).toMatchObject({
        level,
        states: [],
        counts: { verified: 0, covered: 0, rejected: 0, unchecked: 0 },
      });
    });

    test("verified: every signature on its own, in the order given", async () => {
      const report = await verifier.verify(wires, { level: "verified" });
      expect(report.states.map(short)).toEqual(entries.map((entry) => `verified ${entry.hash}`));
      expect(report.counts).toEqual({ verified: 24, covered: 0, rejected: 0, unchecked: 0 });
    });

    test("authenticated: the tips are verified and cover the rest", async () => {
      const report = await verifier.verify(wires, { level: "authenticated" });
      expect(report.states.map((one) => one.state)).toEqual([
        ...entries.slice(2).map(() => "covered"),
        "verified",
        "verified",
      ]);
      expect(report.check(entries[0]!)).toEqual({ ok: true, by: "chain" });
    });

    test.each(LEVELS)("repeated records at level %s have one state each time", async (level) => {
      const report = await verifier.verify([...wires, ...wires.toReversed()], { level });
      expect(report.states.slice(0, 24)).toEqual(report.states.slice(24).toReversed());
      expect(report.counts.verified + report.counts.covered).toBe(48);
    });

    test("a damaged signature is rejected, and only that", async () => {
      const broken = breakSig(entries[7]!);
      const report = await verifier.verify(wires.with(7, broken.wire), { level: "verified" });
      expect(report.counts).toEqual({ verified: 23, covered: 0, rejected: 1, unchecked: 0 });
      const state = report.states[7]!;
      expect(state.state === "rejected" && /bad-signature|wrong-signer/.test(state.rejection.code)).toBe(
        true,
      );
      expect(report.check(broken).ok).toBe(false);
      expect(report.check(entries[7]!)).toMatchObject({ ok: false, code: "unchecked" });
    });

    test("a tip whose signature fails covers nothing: its predecessor is the tip", async () => {
      const last = entries.findLast((entry) => entry.wallet === entries[0]!.wallet)!;
      const others = wires.filter((wire) => wire !== last.wire);
      const report = await verifier.verify([...others, breakSig(last).wire], { level: "authenticated" });
      expect(report.counts).toEqual({ verified: 2, covered: 21, rejected: 1, unchecked: 0 });
      expect(report.check(last)).toMatchObject({ ok: false, code: "unchecked" });
    });

    test("a chain of bad signatures only: everything is rejected, nothing covered", async () => {
      const report = await verifier.verify(
        entries.map((entry) => breakSig(entry).wire),
        { level: "authenticated" },
      );
      expect(report.counts).toEqual({ verified: 0, covered: 0, rejected: 24, unchecked: 0 });
    });

    test("an entry of another wallet covers nothing, though it names the hash", async () => {
      const victim = breakSig(entries[0]!);
      const thief = sampleWallet(9);
      const naming = signEntry(thief, {
        ...entries[2]!,
        wallet: thief.wallet,
        refs: [],
        prev_hash: victim.hash,
      });
      const report = await verifier.verify([victim.wire, naming.wire], { level: "authenticated" });
      expect(report.states.map((one) => one.state)).toEqual(["rejected", "verified"]);
    });

    test("bytes that are no entry are rejected with their code, at both levels", async () => {
      for (const level of LEVELS) {
        const report = await verifier.verify(["{", "{}", wires[0]!.replace(":", ": "), wires[0]!], { level });
        const codes = report.states.map((one) => (one.state === "rejected" ? one.rejection.code : one.state));
        expect(codes).toEqual(["not-json", "bad-shape", "not-canonical", "verified"]);
      }
    });

    test("a signature by another key says whose it is", async () => {
      const stranger = sampleWallet(5);
      const forged = signEntry(stranger, { ...entries[0]!, wallet: sampleWallet(0).wallet });
      const report = await verifier.verify([...wires, forged.wire], { level: "verified" });
      expect(report.check(forged)).toEqual({ ok: false, code: "wrong-signer", recovered: stranger.wallet });
      expect(report.states[24]).toMatchObject({
        state: "rejected",
        rejection: { code: "wrong-signer", at: "sig" },
      });
    });

    test.each(LEVELS)("what was read at level %s is what the parser reads", async (level) => {
      const broken = breakSig(entries[7]!).wire;
      const all = [...wires, broken, "{"];
      const report = await verifier.verify(all, { level });
      for (const wire of all) expect(report.parsed(wire)).toEqual(parseCandidate(wire));
      expect(report.parsed("{}")).toBeUndefined();
    });

    test("both levels together parse each record once on the caller's thread, and hash it as found", async () => {
      const parses = new Map<string, number>();
      const count = (wire: string) => parses.set(wire, (parses.get(wire) ?? 0) + 1);
      const parsed = new ParsedRecords({
        parse: (wire, sha256) => (count(wire), parseCandidate(wire, sha256)),
        revive: (wire, hash) => (count(wire), reviveCandidate(wire, hash)),
      });
      for (const level of ["authenticated", "verified"] as const) {
        const { states } = await verifier.verify(wires, { level, parsed });
        const candidates = states.map((state) => ("candidate" in state ? state.candidate : undefined));
        expect(candidates.map((candidate) => candidate?.hash)).toEqual(entries.map(({ hash }) => hash));
      }
      expect([...parses.values()]).toEqual(wires.map(() => 1));
    });

    test("progress goes from nothing to all, and never back", async () => {
      const seen: number[] = [];
      await verifier.verify(wires, {
        level: "verified",
        onProgress: ({ done, total }) => void seen.push(done, total),
      });
      const done = seen.filter((_, i) => i % 2 === 0);
      expect(done[0]).toBe(0);
      expect(done.at(-1)).toBe(24);
      expect(done).toEqual(done.toSorted((a, b) => a - b));
      expect(new Set(seen.filter((_, i) => i % 2 === 1))).toEqual(new Set([24]));
    });

    test("an aborted run leaves what was not checked unchecked", async () => {
      for (const level of LEVELS) {
        const report = await verifier.verify(wires, { level, signal: AbortSignal.abort() });
        expect(report.counts).toEqual({ verified: 0, covered: 0, rejected: 0, unchecked: 24 });
      }
    });

    test("a chain that forks and an entry with 100 refs are checked like any other", async () => {
      const by = sampleWallet(3);
      const first = signEntry(by, { ...entries[0]!, wallet: by.wallet });
      const forks = [1, 2].map((n) =>
        signEntry(by, { ...first, seq: 1, prev_hash: first.hash, body: { n }, refs: manyRefs(100) }),
      );
      const report = await verifier.verify(
        [first, ...forks].map((entry) => entry.wire),
        { level: "authenticated" },
      );
      expect(report.states.map((one) => one.state)).toEqual(["covered", "verified", "verified"]);
    });

    test("a closed verifier refuses", async () => {
      const other = create();
      other.close();
      await expect(other.verify(wires, { level: "verified" })).rejects.toThrow("closed");
    });
  });
}

function short(state: RecordState): string {
  return `${state.state} ${state.candidate?.hash}`;
}

/** The same entry with one digit of s changed. */
export function breakSig(entry: Candidate): Candidate {
  const digit = entry.sig[100] === "a" ? "b" : "a";
  const sig: Candidate["sig"] = `0x${entry.sig.slice(2, 100)}${digit}${entry.sig.slice(101)}`;
  const parsed = parseCandidate(wireForm({ ...entry, sig }));
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value;
}

function manyRefs(count: number): Candidate["refs"] {
  return Array.from({ length: count }, (_, i) => sampleRef(i)).sort();
}
