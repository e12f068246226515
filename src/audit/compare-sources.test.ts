import { describe, expect, test } from "vitest";
import { addressOf, checkOnce, Drawing } from "../testing/build.ts";
import { compareSources } from "./compare-sources.ts";
import { advanceKnown, rollbackOf } from "./known-heads.ts";

const honest = () =>
  new Drawing()
    .genesis("g", "a", "a b")
    .commit("ca", "a", "rock")
    .commit("cb", "b", "paper", { sees: "ca" })
    .reveal("ra", "a", "rock", { sees: "cb" })
    .reveal("rb", "b", "paper", { sees: "ra" });

const compare = (...records: (readonly string[])[]) =>
  compareSources(
    records.map((list, i) => ({ name: `hub ${i}`, records: list })),
    checkOnce,
  );

test("sources that serve the same agree, whatever the order and repetition", () => {
  const records = honest().records();
  const { contested, agreed, sources } = compare(records, [...records, ...records].reverse(), records);
  expect(contested).toEqual([]);
  expect(agreed).toBe(5);
  expect(sources[1]).toEqual({
    name: "hub 1",
    has: 5,
    lacks: 0,
    differs: 0,
    refused: 0,
    unchecked: 0,
  });
});

test("what one Hub lacks is named by wallet and seq, with those who have it", () => {
  const drawing = honest();
  const { contested, sources } = compare(drawing.records(), drawing.records("rb"), drawing.records("ca rb"));
  const { ref, wallet, wire } = drawing.node("ca");
  expect(contested.length).toBe(2);
  expect(contested).toContainEqual({
    wallet,
    seq: 1,
    versions: [{ ref, wire, by: [0, 1] }],
    lacking: [2],
    refused: [],
    forked: false,
    uncopied: false,
  });
  expect(sources.map(({ lacks }) => lacks)).toEqual([0, 1, 2]);
  expect(sources.map(({ differs }) => differs)).toEqual([0, 0, 0]);
});

test("two versions at two Hubs prove a fork that neither shows alone", () => {
  const drawing = honest().reveal("rb2", "b", "paper", { sees: "ca ra", after: "cb" });
  const { contested, sources } = compare(drawing.records("rb2"), drawing.records("rb"), drawing.records());
  expect(contested).toMatchObject([{ seq: 1, forked: true, lacking: [] }]);
  expect(contested[0]!.versions.map(({ by }) => by).sort()).toEqual([
    [0, 2],
    [1, 2],
  ]);
  expect(sources.map(({ differs }) => differs)).toEqual([1, 1, 1]);
  expect(compare(drawing.records(), drawing.records()).contested).toEqual([]);
});

test("a tampered record is refused at its place, and its source lacks the entry", () => {
  const drawing = honest();
  const tampered = drawing.records().map((wire) => wire.replace('"value":"rock"', '"value":"ruck"'));
  const { contested, sources } = compare(drawing.records(), tampered);
  expect(contested).toMatchObject([
    { seq: 2, lacking: [1], refused: [{ by: 1, record: { rejection: { code: "wrong-signer" } } }] },
  ]);
  expect(sources.map(({ refused }) => refused)).toEqual([0, 1]);
});

test("a signature that was not checked makes nobody right or wrong", () => {
  const records = honest().records();
  const comparison = compareSources(
    [
      { name: "x", records },
      { name: "y", records: [] },
    ],
    () => ({ ok: false, code: "unchecked", why: "test" }),
  );
  expect(comparison).toMatchObject({ contested: [], agreed: 0, sources: [{ has: 0, unchecked: 5 }, {}] });
});

describe("copies that participants keep of each other's entries", () => {
  const a = addressOf("a");
  const b = addressOf("b");
  const against = (logs: string[], ofA: string[], ofB: string[]) =>
    compareSources(
      [
        { name: "hub", records: logs },
        { name: "hub", keeper: a, records: ofA },
        { name: "hub", keeper: b, records: ofB },
      ],
      checkOnce,
    );
  test("they agree where each has the others' entries", () => {
    const drawing = honest();
    const { contested, agreed, sources } = against(
      drawing.records(),
      drawing.records("g ca ra"),
      drawing.records("cb rb"),
    );
    expect([contested, agreed]).toEqual([[], 5]);
    expect(sources.map(({ keeper, has, lacks }) => [keeper, has, lacks])).toEqual([
      [undefined, 5, 0],
      [a, 2, 0],
      [b, 3, 0],
    ]);
  });
  test("what its author's log lacks is seen from a copy", () => {
    const drawing = honest();
    const { contested } = against(
      drawing.records("rb"),
      drawing.records("g ca ra"),
      drawing.records("cb rb"),
    );
    expect(contested).toMatchObject([
      { wallet: b, seq: 1, versions: [{ by: [1] }], lacking: [0], uncopied: false },
    ]);
  });
  test("a log that was written anew stands against the copy: a fork", () => {
    const drawing = honest().reveal("rb2", "b", "paper", { sees: "ca ra", after: "cb" });
    const { contested, sources } = against(
      drawing.records("rb"),
      drawing.records("g ca ra rb2"),
      drawing.records("cb rb rb2"),
    );
    expect(contested).toMatchObject([{ wallet: b, seq: 1, forked: true, lacking: [], uncopied: false }]);
    expect(sources.map(({ differs }) => differs)).toEqual([1, 1, 0]);
  });
  test("what is not copied yet is separate from what a Hub lacks", () => {
    const drawing = honest();
    const { contested, sources } = against(
      drawing.records(),
      drawing.records("g ca ra rb"),
      drawing.records("cb rb"),
    );
    expect(contested).toMatchObject([{ wallet: b, seq: 1, lacking: [1], forked: false, uncopied: true }]);
    expect(sources.map(({ lacks }) => lacks)).toEqual([0, 1, 0]);
  });
  test("other bytes of the same entry are named, though no fork", () => {
    const drawing = honest();
    const tampered = drawing
      .records("g ca ra")
      .map((wire) => wire.replace('"value":"paper"', '"value":"pager"'));
    const { contested } = against(drawing.records(), tampered, drawing.records("cb rb"));
    expect(contested).toMatchObject([
      { wallet: b, seq: 1, lacking: [1], refused: [{ by: 1 }], uncopied: false },
    ]);
  });
});

const viewOf = (drawing: Drawing, without = "") => {
  const view = drawing.view({ without });
  if (!view.ok) throw new Error(view.code);
  return view;
};

test("heads that were seen are known, and advance with the logs", () => {
  const drawing = honest();
  const early = advanceKnown(viewOf(drawing, "ra rb"), []);
  expect(early.map((ref) => drawing.inNames(ref)).sort()).toEqual(["ca", "cb"]);
  const late = advanceKnown(viewOf(drawing), early);
  expect(late.map((ref) => drawing.inNames(ref)).sort()).toEqual(["ra", "rb"]);
  expect(advanceKnown(viewOf(drawing), late)).toBe(late);
  expect(rollbackOf(viewOf(drawing), late)).toEqual([]);
});

test("a Hub that serves less than was seen is caught, again and again", () => {
  const drawing = honest();
  const known = advanceKnown(viewOf(drawing), []);
  const rolled = viewOf(drawing, "rb");
  expect(rollbackOf(rolled, known)).toEqual([{ kind: "withheld", ref: drawing.node("rb").ref }]);
  expect(advanceKnown(rolled, known)).toBe(known);
});

test("a Hub that serves another entry at a place seen before is caught", () => {
  const drawing = honest().reveal("rb2", "b", "paper", { sees: "ca ra", after: "cb" });
  const known = advanceKnown(viewOf(drawing, "rb2"), []);
  const [first, second] = [drawing.node("rb").ref, drawing.node("rb2").ref];
  expect(rollbackOf(viewOf(drawing, "rb"), known)).toEqual([
    { kind: "rewritten", ref: first, found: second },
  ]);
});

test("a view below the verified level teaches nothing", () => {
  const view = viewOf(honest());
  expect(advanceKnown({ ...view, level: "authenticated" }, [])).toEqual([]);
});
