// The view, rule by rule (docs/protocol.md, View): small drawings, names instead of hashes.

import { describe, expect, test } from "vitest";
import { Drawing, type GenesisOptions } from "../testing/build.ts";
import { sha256 } from "./values.ts";
import type { Member, Move, View } from "./view.ts";

/** a opens for a and b; both commit and reveal. */
function game(options?: GenesisOptions): Drawing {
  //  a:  g ── a1 ──── a2
  //        ╲    ╲   ╱    ╲
  //  b:      ──── b1 ───── b2
  return new Drawing()
    .genesis("g", "a", "a b", options)
    .commit("a1", "a", "rock")
    .commit("b1", "b", "paper", { sees: "a1" })
    .reveal("a2", "a", "rock", { sees: "b1" })
    .reveal("b2", "b", "paper", { sees: "a2" });
}

/** The same, after b has written b0 and then accepted in its log, and the genesis pins the accept. */
function pinned(options?: GenesisOptions): Drawing {
  const offer = { game: "rps", rules: {}, deadline: 13, default_outcome: { kind: "void" } };
  return new Drawing()
    .add("i", "a", "invite", offer, { outside: true })
    .add("b0", "b", "note", {}, { outside: true })
    .add("acc", "b", "accept", {}, { outside: true, sees: "i" })
    .genesis("g", "a", "a b", { sees: "i acc", ...options })
    .commit("a1", "a", "rock")
    .commit("b1", "b", "paper", { sees: "a1" })
    .reveal("a2", "a", "rock", { sees: "b1" })
    .reveal("b2", "b", "paper", { sees: "a2" });
}

const FULL = { order: "a1 b1 a2 b2", used: "a2 b2" };

function viewOf(drawing: Drawing): View {
  const view = drawing.view();
  if (!view.ok) throw new Error(view.code);
  return view;
}

const member = (drawing: Drawing, index: number): Member => viewOf(drawing).members[index]!;

/** A move by the name of its entry. */
function moveOf(drawing: Drawing, name: string): Move {
  return viewOf(drawing).order.find(({ ref }) => ref === drawing.node(name).ref)!;
}

test("V1: order and repetition change nothing", () => {
  const drawing = game();
  expect(drawing.showView()).toEqual(FULL);
  const records = drawing.records();
  for (const bag of [[...records].reverse(), [...records, ...records]])
    expect(drawing.view({ records: bag })).toEqual(drawing.view());
});

test("V2: a record that is no entry is kept with its code, under the hash of its bytes", () => {
  const drawing = game();
  const cut = drawing.wire("b2").slice(0, -1);
  const records = [...drawing.records("b2"), cut, cut];
  expect(drawing.showView({ records })).toEqual({ order: "a1 b1 a2", used: "a2 b1", rejected: "not-json" });
  const view = drawing.view({ records });
  expect(view.rejected.map(({ hash, wire }) => [hash, wire])).toEqual([[sha256(cut), cut]]);
});

describe("V3: evidence holds records", () => {
  const forked = () => game().commit("b1x", "b", "rock", { after: "" });
  test("V3: whoever wrote it, and in whatever session", () => {
    const drawing = forked().evidence("c1", "c", "b1", "b1x", { outside: true });
    expect(drawing.showView({ without: "b1x" })).toEqual({ order: "a1 a2", used: "a2 b2", faults: "b@0" });
  });
  test("V3: what is no entry is rejected under the hash of its canonical form", () => {
    const drawing = game().add("a3", "a", "evidence", { kind: "equivocation", a: { z: 1, b: 2 } });
    expect(drawing.showView()).toEqual({ order: "a1 b1 a2 a3 b2", used: "a3 b2", rejected: "bad-shape" });
    expect(drawing.view().rejected[0]!.hash).toBe(sha256('{"b":2,"z":1}'));
  });
});

describe("V4: no view without a good genesis", () => {
  test("V4: none at all", () => expect(game().show({ without: "g" })).toEqual({ error: "no-genesis" }));
  test("V4: a bad one", () =>
    expect(game({ body: { protocol: "coop/2" } }).show()).toEqual({ error: "bad-genesis" }));
  test("V4: an entry of another type", () =>
    expect(game().show({ session: "a1" })).toEqual({ error: "bad-genesis" }));
});

describe("V5: the anchor of a participant", () => {
  test("V5: the highest ref to it, or the genesis for its author", () => {
    const drawing = new Drawing()
      .add("b0", "b", "note", {}, { outside: true })
      .add("b1", "b", "note", {}, { outside: true })
      .genesis("g", "a", "a b", { sees: "b0 b1" });
    expect(member(drawing, 0).anchor).toEqual({ seq: 0, hash: drawing.node("g").hash });
    expect(member(drawing, 1).anchor).toEqual({ seq: 1, hash: drawing.node("b1").hash });
  });
  test("V5: the start of the log where nothing is pinned", () =>
    expect(member(game(), 1).anchor).toEqual({ seq: 0, hash: null }));
});

describe("V6: moves, used, end", () => {
  test("V6: genesis, invite and accept are no moves, whatever they name", () => {
    const drawing = game().add("b3", "b", "accept").add("a3", "a", "invite").add("a4", "a", "genesis");
    expect(drawing.showView()).toEqual(FULL);
    expect(member(drawing, 1).end).toBe(1);
  });
  test("V6: two versions of one seq are one move", () => {
    const drawing = game().tick("b2x", "b", { after: "b1" });
    expect(drawing.showView()).toEqual({ order: "a1 b1 a2", used: "a2 b2", faults: "b@1" });
  });
  test("V6: moves before the anchor do not count", () => {
    // b moved in the session, as it seems, before the entry that the genesis pins: impossible but by a fork.
    expect(pinned().tick("b0x", "b", { after: "" }).showView()).toEqual(FULL);
  });
});

test("V7: spent once used reaches the share; one spent participant closes the session", () => {
  const drawing = game({ deadline: 7 }); // a share of 3
  expect(drawing.showView()).toEqual(FULL);
  drawing.tick("a3", "a");
  expect(drawing.showView()).toEqual({ order: "a1 b1 a2 a3 b2", used: "a3 b2", closed: true });
  expect([member(drawing, 0).spent, member(drawing, 1).spent]).toEqual([true, false]);
});

describe("V8: the fault", () => {
  test("V8: the lowest forked seq within the session", () => {
    const drawing = game().tick("b2x", "b", { after: "b1" }).tick("b1x", "b", { after: "" });
    expect(drawing.showView()).toEqual({ order: "a1 a2", used: "a2 b2", faults: "b@0" });
    expect(member(drawing, 1).fault!.versions.map(({ hash }) => hash)).toEqual(
      [drawing.node("b1").hash, drawing.node("b1x").hash].sort(),
    );
  });
  test("V8: the pinned place is within the session", () => {
    const drawing = pinned().add("accx", "b", "accept", { n: 1 }, { outside: true, after: "b0" });
    expect(drawing.showView()).toEqual({ order: "a1 a2", used: "a2 b2", faults: "b@1" });
  });
  test("V8: a fork before the anchor is another matter", () =>
    expect(pinned().add("b0x", "b", "note", { n: 1 }, { outside: true, after: "" }).showView()).toEqual(
      FULL,
    ));
  test("V8: and so is one after the end", () => {
    const drawing = game().add("b3", "b", "note", {}, { outside: true });
    drawing.add("b3x", "b", "note", { n: 1 }, { outside: true, after: "b2" });
    expect(drawing.showView()).toEqual(FULL);
  });
  test("V8: or after the q-th move, among the late entries", () => {
    const drawing = game({ deadline: 5 }).tick("b3", "b").tick("b3x", "b", { after: "b2", sees: "a1" });
    expect(drawing.showView()).toEqual({ ...FULL, used: "a2 b3", closed: true });
  });
  test("V8: without moves there is none", () => {
    const drawing = new Drawing().genesis("g", "a", "a b").add("b0", "b", "note", {}, { outside: true });
    drawing.add("b0x", "b", "note", { n: 1 }, { outside: true, after: "" });
    expect(drawing.showView()).toEqual({ used: "a0 b0" });
  });
});

test("V9: a disqualified wallet's earlier entries stay in the view and count in no game", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "a b", { game: "vote", rules: { options: ["x", "y"] } })
    .add("a1", "a", "vote", { choice: "x" })
    .add("b1", "b", "vote", { choice: "y" })
    .tick("b2", "b")
    .tick("b2x", "b", { after: "b1", sees: "a1" });
  expect(drawing.show()).toEqual({
    order: "a1 b1",
    used: "a1 b2",
    faults: "b@1",
    outcome: { kind: "elected", choice: "x", tally: { x: 1, y: 0 } },
    finality: "final",
    basis: "a1",
  });
});

describe("V10: the segment", () => {
  const segment = (drawing: Drawing) => member(drawing, 1).segment.map(({ ref }) => drawing.inNames(ref));
  test("V10: from the pinned entry to the end, other sessions' entries included", () => {
    const drawing = pinned().add("b3", "b", "note", {}, { outside: true }).tick("b4", "b");
    expect(segment(drawing)).toEqual(["acc", "b1", "b2", "b3", "b4"]);
  });
  test("V10: the pinned entry's own predecessor does not matter", () =>
    expect(pinned().showView({ without: "b0" })).toEqual(FULL));
  test("V10: it stops before a fork", () =>
    expect(segment(game().tick("b2x", "b", { after: "b1" }))).toEqual(["b1"]));
  test("V10: without moves it is empty", () =>
    expect(segment(new Drawing().add("b0", "b", "note").genesis("g", "a", "a b", { sees: "b0" }))).toEqual(
      [],
    ));
});

describe("V11: bad-anchor", () => {
  test("V11: the pinned entry is missing and its wallet names the genesis", () =>
    expect(pinned().showView({ without: "acc" })).toEqual({
      order: "a1",
      used: "a2 b2",
      gaps: "b bad-anchor@1",
      pending: "a2",
      incomplete: true,
    }));
  test("V11: any type of entry will do", () => {
    const drawing = new Drawing().add("b0", "b", "note").genesis("g", "a", "a b", { sees: "b0" });
    drawing.add("b1", "b", "accept");
    expect(drawing.showView({ without: "b0" })).toEqual({
      used: "a0 b0",
      gaps: "b bad-anchor@0",
      incomplete: true,
    });
  });
  test("V11: silent of a wallet that has not come", () => {
    const drawing = new Drawing().add("b0", "b", "note").genesis("g", "a", "a b", { sees: "b0" });
    expect(drawing.showView({ without: "b0" })).toEqual({ used: "a0 b0" });
  });
  test("V11: silent where the fault is at that very seq", () => {
    const drawing = pinned()
      .add("accx", "b", "accept", { n: 1 }, { outside: true, after: "b0" })
      .add("accy", "b", "accept", { n: 2 }, { outside: true, after: "b0" });
    expect(drawing.showView({ without: "acc" })).toEqual({ order: "a1 a2", used: "a2 b2", faults: "b@1" });
  });
});

describe("V12: gap and bad-prev", () => {
  test("V12: gap names the first missing seq", () =>
    expect(game().showView({ without: "b1" })).toEqual({
      order: "a1",
      used: "a2 b1",
      gaps: "b gap@0",
      pending: "a2",
      incomplete: true,
    }));
  test("V12: bad-prev names the entry with the wrong link", () => {
    const drawing = game().tick("b3", "b", { breaks: (entry) => ({ ...entry, prev_hash: sha256("else") }) });
    expect(drawing.showView()).toEqual({ ...FULL, used: "a2 b3", gaps: "b bad-prev@2", incomplete: true });
  });
  test("V12: neither after the fault", () => {
    const drawing = game().tick("b2x", "b", { after: "b1" }).tick("b3", "b").tick("b4", "b");
    expect(drawing.showView({ without: "b3" })).toEqual({ order: "a1 b1 a2", used: "a2 b3", faults: "b@1" });
  });
  test("V12: a gap before the fault is reported beside it", () => {
    const drawing = game().tick("b3", "b").tick("b3x", "b", { after: "b2", sees: "a1" });
    expect(drawing.showView({ without: "b2" })).toEqual({
      order: "a1 b1 a2",
      used: "a2 b2",
      faults: "b@2",
      gaps: "b gap@1",
      incomplete: true,
    });
  });
});

test("V13: entries of wallets that are no participants are not of the session", () => {
  expect(game().tick("c1", "c").showView()).toEqual(FULL);
});

test("V14: parents are the author's entry before and the refs, the genesis aside", () => {
  const drawing = game();
  const view = viewOf(drawing);
  const parents = (name: string) =>
    moveOf(drawing, name).parents.map((i) => drawing.inNames(view.order[i]!.ref));
  expect(["a1", "b1", "a2", "b2"].map(parents)).toEqual([[], ["a1"], ["a1", "b1"], ["b1", "a2"]]);
});

describe("V15: a ref at or after a fork is resolved and adds nothing", () => {
  test("V15: to either version, or to what follows", () => {
    const drawing = new Drawing()
      .genesis("g", "a", "a b")
      .tick("b1", "b")
      .tick("b2", "b")
      .tick("b1x", "b", { after: "", sees: "" })
      .tick("a1", "a", { sees: "b1" })
      .tick("a2", "a", { sees: "b2" });
    drawing.add("b1y", "b", "note", {}, { after: "" });
    expect(drawing.showView({ without: "b2" })).toEqual({ order: "a1 a2", used: "a2 b1", faults: "b@0" });
    expect([...moveOf(drawing, "a2").clock]).toEqual([2, 0]);
  });
  test("V15: the first fork from the anchor on, even after the session's end", () => {
    const drawing = game()
      .add("b3", "b", "note", {}, { outside: true })
      .add("b3x", "b", "note", { n: 1 }, { outside: true, after: "b2" })
      .tick("a3", "a", { sees: "b3" });
    expect(drawing.showView()).toEqual({ order: "a1 b1 a2 a3 b2", used: "a3 b2" });
  });
});

describe("V16: pending", () => {
  test("V16: on a ref to nothing", () =>
    expect(game().tick("a3", "a", { sees: "b2" }).showView({ without: "b2" })).toEqual({
      order: "a1 b1 a2",
      used: "a3 b1",
      pending: "a3",
      incomplete: true,
    }));
  test("V16: the author's later entries and those of others that refer to them", () => {
    const drawing = game().tick("a3", "a").tick("b3", "b", { sees: "a3" });
    drawing.tick("c1", "c").tick("a4", "a", { sees: "c1" }).tick("a5", "a").tick("b4", "b", { sees: "a5" });
    expect(drawing.showView()).toEqual({
      order: "a1 b1 a2 a3 b2 b3",
      used: "a5 b4",
      pending: "a4 a5 b4",
      incomplete: true,
    });
  });
  test("V16: on an own entry outside the session", () => {
    const drawing = game().add("a3", "a", "note", {}, { outside: true }).tick("a4", "a", { sees: "a3" });
    expect(drawing.showView()).toEqual({ ...FULL, used: "a3 b2", pending: "a4", incomplete: true });
  });
  test("V16: on the right hash at the wrong seq", () => {
    const drawing = game();
    const { wallet, hash } = drawing.node("b2");
    drawing.tick("a3", "a", {
      breaks: (e) => ({ ...e, refs: [...e.refs, `${wallet}:5:${hash}` as const].sort() }),
    });
    expect(drawing.showView()).toEqual({ ...FULL, used: "a3 b2", pending: "a3", incomplete: true });
  });
});

test("V17: place, clock and depth", () => {
  //  a:  g ── a1 ─────────── a2
  //  b:      b1 ── b2 ── b3 ╱
  const drawing = new Drawing()
    .genesis("g", "a", "a b")
    .tick("a1", "a")
    .tick("b1", "b")
    .tick("b2", "b")
    .tick("b3", "b")
    .tick("a2", "a", { sees: "b3" });
  const seen = viewOf(drawing).order.map(({ ref, place, depth, clock }) => [
    drawing.inNames(ref),
    place,
    depth,
    [...clock],
  ]);
  expect(seen).toEqual([
    ["a1", 1, 0, [1, 0]],
    ["b1", 1, 0, [0, 1]],
    ["b2", 2, 1, [0, 2]],
    ["b3", 3, 2, [0, 3]],
    ["a2", 2, 3, [2, 3]],
  ]);
});

test("V18: by depth, then by position in participants", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "c b a", { game: "vote", rules: { options: ["x", "y"] } })
    .tick("a1", "a")
    .tick("b1", "b")
    .tick("c1", "c")
    .tick("a2", "a")
    .tick("c2", "c", { sees: "b1" });
  expect(drawing.showView()).toEqual({ order: "c1 b1 a1 c2 a2", used: "c2 b1 a2" });
});

test("V19: entries beyond the share are late, shown, and seen by no game", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "a b", { deadline: 5, game: "vote", rules: { options: ["x", "y"] } })
    .tick("a1", "a")
    .tick("a2", "a")
    .add("a3", "a", "vote", { choice: "x" })
    .add("b1", "b", "vote", { choice: "y" });
  expect(drawing.show()).toEqual({
    order: "a1 b1 a2",
    late: "a3",
    used: "a3 b1",
    closed: true,
    outcome: { kind: "elected", choice: "y", tally: { x: 0, y: 1 } },
    waiting: "a",
    finality: "final",
    basis: "b1",
  });
});

describe("V20: joined", () => {
  const joined = (drawing: Drawing, without = "") => {
    const view = drawing.view({ without });
    return view.ok && view.members[1]!.joined;
  };
  const opened = (offer: object, options?: GenesisOptions) =>
    new Drawing()
      .add("i", "c", "invite", {
        game: "rps",
        rules: {},
        deadline: 13,
        default_outcome: { kind: "void" },
        ...offer,
      })
      .add("acc", "b", "accept", {}, { sees: "i" })
      .genesis("g", "a", "a b", { sees: "i acc", ...options });
  test("V20: by an accept of an invite that offered the same, whoever wrote it", () =>
    expect(joined(opened({ title: "other" }))).toBe(true));
  test.each([
    { game: "vote" },
    { rules: { best_of: 3 } },
    { deadline: 14 },
    { default_outcome: { kind: "forfeit" } },
  ])("V20: not of one that offered something else: %j", (offer) => expect(joined(opened(offer))).toBe(false));
  test("V20: not where invite or accept is missing from the records or from the refs", () => {
    expect(joined(opened({}), "acc")).toBe(false);
    expect(joined(opened({}), "i")).toBe(false);
    expect(joined(opened({}, { sees: "acc" }))).toBe(false);
    expect(joined(opened({}, { sees: "i" }))).toBe(false);
  });
  test("V20: only where the accept is the anchor, the highest entry of it that the genesis pins", () => {
    const drawing = opened({}, { sees: "" }).tick("later", "b", { outside: true });
    drawing.genesis("g2", "a", "a b", { sees: "i acc later" });
    const view = drawing.view({ session: "g2" });
    expect(view.ok && view.members[1]!.joined).toBe(false);
  });
  test.each([
    [2, true],
    [3, false],
    ["2", false],
    [null, false],
  ])("V20: an invite of %j seats joins two: %j", (seats, is) => expect(joined(opened({ seats }))).toBe(is));
  test("V20: not by an accept that an earlier genesis of the same creator pins", () => {
    const drawing = opened({}).genesis("g2", "a", "a b", { sees: "i acc" });
    const of = (session: string, without = "") => {
      const view = drawing.view({ session, without });
      return view.ok && view.members[1]!.joined;
    };
    expect([of("g"), of("g2"), of("g2", "g")]).toEqual([true, false, true]);
    drawing.genesis("gc", "c", "a b", { sees: "i acc" });
    expect([of("g"), of("gc")]).toEqual([true, true]);
  });
  test("V20: by a move", () => expect(joined(opened({}, { sees: "" }).tick("b1", "b"))).toBe(true));
  test("V20: the author of the genesis without any", () => {
    expect(joined(new Drawing().genesis("g", "b", "a b"))).toBe(true);
    expect(joined(new Drawing().genesis("g", "a", "a b"))).toBe(false);
  });
});

test("V21: a view with a gap or a pending entry says that it is incomplete", () => {
  const drawing = game().tick("b3", "b");
  expect(drawing.showView({ without: "b2" })).toEqual({
    order: "a1 b1 a2",
    used: "a2 b2",
    gaps: "b gap@1",
    incomplete: true,
  });
});
