import { expect, test } from "vitest";
import { keepMoves } from "../core/build-view.ts";
import { parseRef } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { Drawing } from "../testing/build.ts";
import { compareViews, type Comparison } from "./compare-views.ts";

//  a: g ── ca ───── ra
//  b:   b0 ── cb ──── rb
const honest = () =>
  new Drawing()
    .add("b0", "b", "note", {}, { outside: true })
    .genesis("g", "a", "a b", { sees: "b0" })
    .commit("ca", "a", "rock")
    .commit("cb", "b", "paper", { sees: "ca" })
    .reveal("ra", "a", "rock", { sees: "cb" })
    .reveal("rb", "b", "paper", { sees: "ra" });

const viewOf = (drawing: Drawing, records?: readonly string[]): View => {
  const view = drawing.view(records === undefined ? {} : { records });
  if (!view.ok) throw new Error(view.code);
  return view;
};

/** Differences in names, one line each. */
function outline(drawing: Drawing, { differences }: Comparison): string[] {
  const name = (ref: string) => drawing.inNames(ref) as string;
  return differences.map((difference) => {
    switch (difference.kind) {
      case "missing": {
        const { side, ref, instead } = difference;
        return `missing in ${side}: ${name(ref)}${instead === undefined ? "" : ` (${instead.rejection.code})`}`;
      }
      case "other-entry":
        return `other entry at ${name(difference.wallet)}${difference.seq}: ${name(difference.a)} ${name(difference.b)}`;
      case "other-bytes":
        return `other bytes: ${name(difference.ref)}`;
      case "other-order":
        return `other order: ${name(difference.ref)} before ${name(difference.other)}`;
      case "other-standing":
        return `other standing: ${name(difference.ref)} ${difference.a} ${difference.b}`;
      case "rejected":
        return `rejected in ${difference.side}: ${difference.record.rejection.code}`;
      case "other-term":
        return `other ${difference.member}`;
      case "other-move":
        return `other ${difference.what} of ${difference.author} at ${difference.place}`;
      case "other-verdict":
        return "other verdict";
    }
  });
}

test("the same records in any order and repetition differ in nothing", () => {
  const drawing = honest();
  const records = drawing.records();
  const comparison = compareViews(viewOf(drawing), viewOf(drawing, [...records, ...records].reverse()));
  expect(comparison).toEqual({ sameSession: true, differences: [], same: 6 });
});

test("what is withheld is missing there, and what rests on it stands otherwise", () => {
  const drawing = honest();
  const withheld = viewOf(drawing, drawing.records("cb"));
  const there = outline(drawing, compareViews(viewOf(drawing), withheld));
  expect(there).toEqual([
    "missing in b: cb",
    "other standing: ra counted pending",
    "other standing: rb counted outside",
    "other verdict",
  ]);
  const here = outline(drawing, compareViews(withheld, viewOf(drawing)));
  expect([...here].sort()).toEqual([
    "missing in a: cb",
    "other standing: ra pending counted",
    "other standing: rb outside counted",
    "other verdict",
  ]);
  expect(here[0]).toBe("missing in a: cb");
});

test("a tampered byte is named at its entry, with the check that it fails", () => {
  const drawing = honest();
  const tampered = drawing.records().map((wire) => wire.replace('"value":"rock"', '"value":"ruck"'));
  const lines = outline(drawing, compareViews(viewOf(drawing), viewOf(drawing, tampered)));
  expect(lines[0]).toBe("missing in b: ra (wrong-signer)");
  expect(lines).not.toContain("rejected in b: wrong-signer");
});

test("a rewritten log is another entry at that place", () => {
  const drawing = honest().reveal("rb2", "b", "paper", { sees: "ra ca", after: "cb" });
  const lines = outline(
    drawing,
    compareViews(viewOf(drawing, drawing.records("rb2")), viewOf(drawing, drawing.records("rb"))),
  );
  expect(lines).toEqual(["other entry at b2: rb rb2", "other verdict"]);
});

test("both versions of a fork here and one there: that one is missing", () => {
  const drawing = honest().reveal("rb2", "b", "paper", { sees: "ra ca", after: "cb" });
  const lines = outline(drawing, compareViews(viewOf(drawing), viewOf(drawing, drawing.records("rb2"))));
  expect(lines).toContain("missing in b: rb2");
  expect(lines).toContain("other verdict");
  expect(lines.some((line) => line.startsWith("other entry"))).toBe(false);
});

test("what stands in the order comes before what stands outside of it", () => {
  const drawing = honest().reveal("rb2", "b", "paper", { sees: "ra ca", after: "cb" });
  const [whole, holed] = [drawing.records("rb2"), drawing.records("rb cb")];
  const lines = outline(drawing, compareViews(viewOf(drawing, whole), viewOf(drawing, holed)));
  expect(lines).toEqual([
    "missing in b: cb",
    "other standing: ra counted pending",
    "other entry at b2: rb rb2",
    "other verdict",
  ]);
  const back = outline(drawing, compareViews(viewOf(drawing, holed), viewOf(drawing, whole)));
  expect(back).toEqual([
    "missing in a: cb",
    "other standing: ra pending counted",
    "other entry at b2: rb2 rb",
    "other verdict",
  ]);
});

//  a: g ──── a1          a1 saw b1, which counts only while b's fork is not known: then a1 stands
//  b:   b1 / b1x         before c1, and not after it
//  c:   c1 ── c2
test("the same entries in another order are named, once", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "a b c", { deadline: 31 })
    .tick("b1", "b")
    .tick("a1", "a", { sees: "b1" })
    .tick("c1", "c")
    .tick("c2", "c")
    .add("b1x", "b", "tick", { other: true }, { after: "" });
  const [before, after] = [viewOf(drawing, drawing.records("b1x")), viewOf(drawing)];
  expect(before.order.map(({ ref }) => drawing.inNames(ref))).toEqual(["b1", "c1", "a1", "c2"]);
  expect(after.order.map(({ ref }) => drawing.inNames(ref))).toEqual(["a1", "c1", "c2"]);
  const lines = outline(drawing, compareViews(before, after));
  expect(lines.filter((line) => line !== "other verdict")).toEqual([
    "other standing: b1 counted outside",
    "other order: c1 before a1",
    "missing in a: b1x",
  ]);
});

test("two observers of one session: what one had not seen is missing there", () => {
  const drawing = honest();
  const view = viewOf(drawing);
  const seen = new Set([drawing.node("ca").ref, drawing.node("cb").ref]);
  expect(outline(drawing, compareViews(view, keepMoves(view, seen)))).toEqual([
    "missing in b: ra",
    "missing in b: rb",
    "other verdict",
  ]);
});

test("two signatures under one entry are other bytes, and no other verdict", () => {
  const view = viewOf(honest());
  const move = view.order[3]!;
  const entry = { ...move.entry, wire: `${move.entry.wire} ` };
  const other = { ...view, order: [...view.order.slice(0, 3), { ...move, entry }] };
  expect(compareViews(view, { ...other, entries: new Map(view.entries).set(entry.ref, entry) })).toEqual({
    sameSession: true,
    differences: [{ kind: "other-bytes", ref: entry.ref }],
    same: 5,
  });
});

test("two sessions are aligned by participant and place", () => {
  const drawing = honest()
    .genesis("h", "a", "a b", { sees: "rb", rules: { best_of: 3 } })
    .commit("ca2", "a", "rock", { session: "h" })
    .tick("tb2", "b", { session: "h" });
  const second = drawing.view({ session: "h" });
  if (!second.ok) throw new Error(second.code);
  const comparison = compareViews(viewOf(drawing), second);
  expect(comparison.sameSession).toBe(false);
  expect(outline(drawing, comparison)).toEqual([
    "other rules",
    "other body of 0 at 1",
    "other type of 1 at 1",
    "missing in b: ra",
    "missing in b: rb",
    "other verdict",
  ]);
});

test("ten thousand entries are compared in one pass, whatever differs", () => {
  const view = viewOf(honest());
  const [wallet] = view.participants;
  const count = 10_000;
  const entries = new Map(view.entries);
  for (let seq = 10; seq < count; seq++) {
    const ref = `${wallet!}:${seq}:0x${seq.toString(16).padStart(64, "0")}` as const;
    entries.set(ref, { ...view.genesis, seq, ref, hash: parseRef(ref)!.hash });
  }
  const reversed = new Map([...entries].reverse());
  const comparison = compareViews({ ...view, entries }, { ...view, entries: reversed });
  expect(comparison).toEqual({ sameSession: true, differences: [], same: entries.size });
  const without = compareViews({ ...view, entries }, view);
  expect(without.differences.length).toBe(count - 10);
});
