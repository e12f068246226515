// What holds of every bag of records, however it came about: properties over runs of honest and dishonest peers and
// over the published vectors.

import type { Result } from "./result.ts";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge } from "../games/judge.ts";
import type { Verdict } from "../games/game.ts";
import { addressOf, checkOnce, Drawing, walletOf } from "../testing/build.ts";
import { faultsOf, runPeers, type FuzzRun } from "../testing/fuzz-peers.ts";
import { buildView } from "./build-view.ts";
import { canonicalize, type Json, type JsonObject } from "./canonical.ts";
import {
  acceptCandidate,
  parseCandidate,
  type Entry,
  type Rejection,
  type Unchecked,
  type SignedEntry,
} from "./entry.ts";
import { checkPlain } from "./signature.ts";
import { parseRef, type Ref } from "./values.ts";
import type { NoView, View } from "./view.ts";

interface Bag {
  readonly session: Ref;
  readonly records: readonly string[];
}

const runs: readonly FuzzRun[] = [
  runPeers({ seed: 1, game: "rps", rules: { best_of: 3 }, players: 2, forkers: 0 }),
  runPeers({ seed: 2, game: "rps", rules: {}, players: 2, forkers: 1 }),
  runPeers({ seed: 3, game: "vote", rules: { options: ["x", "y"] }, players: 3, forkers: 1 }),
  runPeers({ seed: 4, game: "auction", rules: { kind: "english" }, players: 3, forkers: 1 }),
  runPeers({ seed: 5, game: "compare", rules: { by: "lowest" }, players: 4, forkers: 1 }),
];
const bagOf = ({ drawing }: FuzzRun): Bag => ({ session: drawing.node("g").ref, records: drawing.records() });
const vectors = readFileSync("public/vectors/random.jsonl", "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Bag);
const named = JSON.parse(readFileSync("public/vectors/sessions.json", "utf8")) as readonly Bag[];
const bags = fc.constantFrom(
  ...runs.map(bagOf),
  ...vectors,
  ...named.filter(({ records }) => records.length > 1),
);

/** A bag in some order, some records more than once. */
const mixed = bags.chain(({ session, records }) =>
  fc
    .tuple(
      fc.shuffledSubarray([...records], { minLength: records.length }),
      fc.subarray([...records], { maxLength: Math.min(10, records.length) }),
    )
    .map(([all, again]) => ({ session, records, mixed: [...again, ...all, ...again] })),
);

const look = (records: readonly string[], session: Ref) => buildView(records, session, { check: checkOnce });

/** Verdict where there is one. */
function verdictOf(view: ReturnType<typeof look>): (Verdict & { ok: true }) | undefined {
  const verdict = view.ok ? judge(view) : undefined;
  return verdict?.ok === true ? verdict : undefined;
}

test("any order and repetition of records gives one view, one verdict and one digest", () => {
  fc.assert(
    fc.property(mixed, ({ session, records, mixed }) => {
      const [one, other] = [look(records, session), look(mixed, session)];
      expect(other).toEqual(one);
      expect(verdictOf(other)).toEqual(verdictOf(one));
    }),
    { numRuns: 150 },
  );
});

test("R5: a final verdict stays as it is, and final, whatever else arrives, forks aside", () => {
  let finals = 0;
  fc.assert(
    fc.property(mixed, ({ session, mixed }) => {
      let final: { digest: string; faults: string } | undefined;
      for (let length = 1; length <= mixed.length; length++) {
        const view = look(mixed.slice(0, length), session);
        const verdict = verdictOf(view);
        if (!view.ok || verdict === undefined) continue;
        const faults = faultsOf(view);
        if (final?.faults === faults) {
          finals++;
          expect([verdict.finality, verdict.digest]).toEqual(["final", final.digest]);
        } else if (verdict.finality === "final") final = { digest: verdict.digest, faults };
      }
    }),
    { numRuns: 150 },
  );
  expect(finals).toBeGreaterThan(100);
});

describe("nobody honest is accused", () => {
  const damaged = fc.constantFrom(...runs).chain((run) =>
    fc.record({
      run: fc.constant(run),
      records: fc.subarray(run.drawing.records()),
      /** Copies with one character changed. */
      changes: fc.array(
        fc.record({ record: fc.nat(), at: fc.nat(), to: fc.constantFrom(...'0123456789abcdef"{}:,') }),
        {
          maxLength: 12,
        },
      ),
      /** Copies whose author or place somebody else has changed and signed. */
      forged: fc.array(fc.record({ record: fc.nat(), by: fc.constantFrom("g" as const, "h" as const) }), {
        maxLength: 4,
      }),
    }),
  );
  test("a fault needs two really signed entries of a wallet that forked", () => {
    fc.assert(
      fc.property(damaged, ({ run, records, changes, forged }) => {
        const all = run.drawing.records();
        const bad = changes.map(({ record, at, to }) => {
          const wire = all[record % all.length]!;
          const place = at % wire.length;
          return wire.slice(0, place) + to + wire.slice(place + 1);
        });
        const lies = forged.map(({ record, by }) => {
          const value = JSON.parse(all[record % all.length]!) as JsonObject;
          return canonicalize({ ...value, body: { forged: 1 }, sig: walletOf(by).signTextNow("anything") });
        });
        const view = look([...bad, ...lies, ...records], run.drawing.node("g").ref);
        if (!view.ok) return;
        const forkers = [...run.forkers].map(addressOf);
        for (const { wallet, fault } of view.members) {
          if (fault === null) continue;
          expect(forkers).toContain(wallet);
          const [first, second] = fault.versions;
          expect(first!.hash).not.toBe(second!.hash);
          for (const version of fault.versions) {
            expect([version.wallet, version.seq]).toEqual([wallet, fault.seq]);
            expect(checkPlain(version)).toEqual({ ok: true, by: "signature" });
          }
        }
      }),
      { numRuns: 120 },
    );
  });
});

describe("a change to any field of any entry is caught at that entry", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "a b")
    .commit("a1", "a", "rock")
    .commit("b1", "b", "paper", { sees: "a1" })
    .reveal("a2", "a", "rock", { sees: "b1" })
    .reveal("b2", "b", "paper", { sees: "a2" });
  const names = ["a1", "b1", "a2", "b2"] as const;

  const hexFlip = (text: string): string => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
  /** Each field changed to something of the right form, and the checks that may catch it. */
  const changes: readonly [string, (value: SignedEntry) => Json, readonly string[]][] = [
    ["wallet", () => addressOf("c"), ["wrong-signer"]],
    ["seq", ({ seq }) => seq + 1, ["wrong-signer", "bad-shape"]],
    ["prev_hash", ({ prev_hash }) => (prev_hash === null ? null : hexFlip(prev_hash)), ["wrong-signer"]],
    ["refs", ({ refs }) => refs.slice(1), ["wrong-signer"]],
    ["refs", ({ refs }) => refs.map(hexFlip), ["wrong-signer"]],
    ["type", () => "tick", ["wrong-signer"]],
    ["body", ({ body }) => ({ ...body, note: "" }), ["wrong-signer"]],
    ["body", () => ({}), ["wrong-signer"]],
    ["sig", ({ sig }) => `${sig.slice(0, -1)}${sig.endsWith("b") ? "c" : "b"}`, ["wrong-signer"]],
    ["sig", ({ sig }) => `0x${hexFlip(sig.slice(2, 66))}${sig.slice(66)}`, ["wrong-signer", "bad-signature"]],
    ["sig", ({ sig }) => `${hexFlip(sig.slice(0, 130))}${sig.slice(130)}`, ["wrong-signer", "bad-signature"]],
  ];

  test.each(
    names.flatMap((name) => changes.map(([field, change, codes], i) => ({ name, field, i, change, codes }))),
  )("unsigned: $field of $name ($i)", ({ name, field, change, codes }) => {
    const value = drawing.value(name);
    const changed = canonicalize({ ...value, [field]: change(value as unknown as SignedEntry) });
    const without = drawing.view({ without: name });
    const view = drawing.view({ records: [...drawing.records(name), changed] });
    if (changed === drawing.wire(name)) return; // null at seq 0 has no other value of its form
    expect(view.rejected.map(({ wire, rejection }) => [wire, codes.includes(rejection.code)])).toEqual([
      [changed, true],
    ]);
    // All the rest is as if that entry had never come.
    expect({ ...view, rejected: [] }).toEqual(without);
  });

  test("unsigned: any single character of any record", () => {
    const change = fc.record({
      name: fc.constantFrom("g", ...names),
      at: fc.nat(),
      to: fc.string({ minLength: 1, maxLength: 1 }),
    });
    fc.assert(
      fc.property(change, ({ name, at, to }) => {
        const wire = drawing.wire(name);
        const place = at % wire.length;
        const changed = wire.slice(0, place) + to + wire.slice(place + 1);
        fc.pre(changed !== wire);
        expect(decoded(changed)).toMatchObject({ ok: false });
      }),
      { numRuns: 400 },
    );
  });

  test.each(["a1", "b1"] as const)(
    "signed anew by its author, in place of %s: the next link breaks",
    (name) => {
      const author = name === "a1" ? "a" : "b";
      const { seq } = drawing.node(name);
      const other = new Drawing().genesis("g", "a", "a b");
      const sees = author === "b" ? other.commit("a1", "a", "rock") && "a1" : "";
      other.tick(name, author, { sees });
      const view = viewOf(drawing.view({ records: [...drawing.records(name), other.wire(name)] }));
      expect(view.members.map(({ gap }) => gap)).toEqual(
        ["a", "b"].map((member) => (member === author ? { seq: seq + 1, code: "bad-prev" } : null)),
      );
      expect(view.complete).toBe(false);
      // And beside the first version it is a fork.
      const both = viewOf(drawing.view({ records: [...drawing.records(), other.wire(name)] }));
      expect(faultsOf(both)).toBe(`${addressOf(author)}@${seq}`);
    },
  );
});

function viewOf(view: View | NoView): View {
  if (!view.ok) throw new Error(view.code);
  return view;
}

function decoded(wire: string): Result<Entry, Rejection | Unchecked> {
  const parsed = parseCandidate(wire);
  return parsed.ok ? acceptCandidate(parsed.value, checkPlain) : parsed;
}

test("clocks, depths and parents agree with each other in every view", () => {
  fc.assert(
    fc.property(bags, ({ session, records }) => {
      const view = look(records, session);
      if (!view.ok) return;
      view.order.forEach((move, i) => {
        const parents = move.parents.map((at) => view.order[at]!);
        for (const at of move.parents) expect(at).toBeLessThan(i);
        expect(move.depth).toBe(
          parents.length === 0 ? 0 : 1 + Math.max(...parents.map(({ depth }) => depth)),
        );
        const clock = view.participants.map((_, k) =>
          k === move.author ? move.place : Math.max(0, ...parents.map((parent) => parent.clock[k]!)),
        );
        expect([...move.clock]).toEqual(clock);
        expect(parseRef(move.ref)!.wallet).toBe(view.participants[move.author]);
      });
    }),
    { numRuns: 100 },
  );
});
