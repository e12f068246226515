// The session, rule by rule (docs/protocol.md, Session).

import { describe, expect, test } from "vitest";
import { addressOf, Drawing } from "../testing/build.ts";
import type { Json, JsonObject } from "./canonical.ts";
import { readTermsBody, shareOf } from "./session.ts";
import { sha256, type Address } from "./values.ts";

const A = addressOf("a");
const B = addressOf("b");
const GOOD: JsonObject = {
  protocol: "coop/1",
  game: "rps",
  rules: {},
  participants: [A, B],
  deadline: 13,
  default_outcome: { kind: "void" },
};

/** "ok", or the member that is wrong. */
function read(members: { readonly [name: string]: Json | undefined }): string {
  const body = Object.entries({ ...GOOD, ...members }).filter(([, member]) => member !== undefined);
  const terms = readTermsBody(Object.fromEntries(body) as JsonObject);
  return terms.ok ? "ok" : terms.error.at;
}

/** Addresses that nobody has the key of. */
const crowd = (count: number): Address[] =>
  Array.from({ length: count }, (_, i) => `0x${String(i).padStart(40, "0")}` as const);

describe("S1: protocol, game and rules", () => {
  test.each(Object.keys(GOOD))("S1: no genesis without %s", (name) =>
    expect(read({ [name]: undefined })).toBe(name),
  );
  test.each(["coop/2", "", 1])("S1: no protocol %j", (protocol) =>
    expect(read({ protocol })).toBe("protocol"),
  );
  test.each(["", "x".repeat(33), 1, null])("S1: no game %j", (game) => expect(read({ game })).toBe("game"));
  test("S1: a game's name of 32 characters", () => expect(read({ game: "\u{1f3b2}".repeat(32) })).toBe("ok"));
  test.each([[[]], ["{}"], [null]])("S1: no rules %j", (rules) =>
    expect(read({ rules: rules })).toBe("rules"),
  );
});

describe("S2: participants", () => {
  test("S2: 1 to 128", () => {
    expect(read({ participants: [A] })).toBe("ok");
    expect(read({ participants: crowd(128), deadline: 1000 })).toBe("ok");
    expect(read({ participants: [] })).toBe("participants");
    expect(read({ participants: crowd(129), deadline: 1000 })).toBe("participants");
  });
  test("S2: different addresses in lower case", () => {
    expect(read({ participants: [A, A] })).toBe("participants");
    expect(read({ participants: [A, A.toUpperCase().replace("0X", "0x")] })).toBe("participants");
    expect(read({ participants: [A, 1] })).toBe("participants");
  });
  test("S2: the author may be absent", () => {
    const drawing = new Drawing().genesis("g", "c", "a b").tick("c1", "c").tick("a1", "a");
    expect(drawing.showView()).toEqual({ order: "a1", used: "a1 b0" });
  });
});

test.each([
  [2, "deadline"],
  [3, "ok"],
  [100_000, "ok"],
  [100_001, "deadline"],
  [13.5, "deadline"],
  ["13", "deadline"],
])("S3: with two participants a deadline of %j: %s", (deadline, result) =>
  expect(read({ deadline })).toBe(result),
);

describe("S4: the default outcome", () => {
  test.each([[{ kind: "void" }], [{ kind: "forfeit" }], [{ kind: "award", to: B }]])("S4: %j", (outcome) =>
    expect(read({ default_outcome: outcome })).toBe("ok"),
  );
  test.each([
    [{ kind: "award" }],
    [{ kind: "award", to: addressOf("c") }],
    [{ kind: "void", to: B }],
    [{ kind: "win" }],
    [{}],
    ["void"],
  ])("S4: not %j", (outcome) => expect(read({ default_outcome: outcome })).toBe("default_outcome"));
});

test("S5: title and domain may be absent or have their form", () => {
  expect(read({ title: "" })).toBe("ok");
  expect(read({ title: "\u{1f3b2}".repeat(200) })).toBe("ok");
  expect(read({ title: "x".repeat(201) })).toBe("title");
  expect(read({ title: null })).toBe("title");
  expect(read({ domain: {} })).toBe("domain");
  expect(read({ domain: null })).toBe("domain");
});

describe("S6: anything else", () => {
  test.each(["note", "Title", "constructor"])("S6: no member %s", (name) =>
    expect(read({ [name]: 1 })).toBe(name),
  );
  test("S6: no two hashes for one place of a log", () => {
    const drawing = new Drawing()
      .add("b0", "b", "note")
      .add("b0x", "b", "note", { n: 1 }, { after: "" })
      .genesis("g", "a", "a b", { sees: "b0 b0x" });
    expect(drawing.show()).toEqual({ error: "bad-genesis" });
  });
});

test.each([
  [13, 2, 6],
  [3, 2, 1],
  [14, 2, 6],
  [10, 3, 3],
  [100_000, 1, 99_999],
])("S7: of %i entries each of %i has %i", (deadline, count, share) =>
  expect(shareOf({ deadline, participants: crowd(count) })).toBe(share),
);

test("S7: nobody uses up another's share", () => {
  const drawing = new Drawing().genesis("g", "a", "a b", { deadline: 5 });
  for (const n of [1, 2, 3, 4, 5]) drawing.tick(`a${n}`, "a");
  drawing.tick("b1", "b", { sees: "a5" }).tick("b2", "b");
  expect(drawing.showView()).toEqual({ order: "a1 a2 b1 b2", late: "a3 a4 a5", used: "a5 b2", closed: true });
});

test("S8: the genesis pins the logs that its author knew", () => {
  const drawing = new Drawing()
    .add("b0", "b", "note")
    .genesis("g", "a", "a b", { sees: "b0" })
    .tick("b1", "b");
  expect(drawing.showView()).toEqual({ order: "b1", used: "a0 b1" });
  // Another log of b, from the start, does not fit the pin.
  const other = new Drawing().add("b0x", "b", "note", { n: 1 }).node("b0x");
  expect(drawing.showView({ records: [...drawing.records("b0"), other.wire] })).toEqual({
    used: "a0 b1",
    gaps: "b bad-anchor@0",
    incomplete: true,
  });
});

test("S9: invite, accept, genesis: joined before the first move", () => {
  const { game, rules, deadline, default_outcome } = GOOD;
  const offer = {
    game: game!,
    rules: rules!,
    deadline: deadline!,
    default_outcome: default_outcome!,
    title: "now",
  };
  const drawing = new Drawing()
    .add("i", "a", "invite", offer)
    .add("b0", "b", "accept", {}, { sees: "i" })
    .genesis("g", "a", "a b", { sees: "i b0" });
  const view = drawing.view();
  expect(view.ok && view.members.map(({ joined }) => joined)).toEqual([true, true]);
});

test("S10: a move belongs to the session that it names", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "a b")
    .tick("b0", "b", { session: "g" })
    .tick("b1", "b", { outside: true });
  expect(drawing.showView()).toEqual({ order: "b0", used: "a0 b1" });
});

test("S11: what is known only through a forked wallet's entry is lost", () => {
  //  a:  g ── a1 ───────── a2      a2 names b1, which saw c1; a2 itself did not name c1
  //  c:    ── c1 ╲       ╱
  //  b:         ── b1 ──
  const rules = { game: "vote", rules: { options: ["x", "y"] } };
  const drawn = (sees: string) =>
    new Drawing()
      .genesis("g", "a", "a b c", rules)
      .tick("c1", "c")
      .tick("b1", "b", { sees: "c1" })
      .tick("a1", "a", { sees });
  const clock = (drawing: Drawing) => {
    const view = drawing.view();
    return view.ok && [...view.order.find(({ author }) => author === 0)!.clock];
  };
  expect(clock(drawn("b1"))).toEqual([1, 1, 1]);
  expect(clock(drawn("b1").tick("b1x", "b", { after: "" }))).toEqual([1, 0, 0]);
  expect(clock(drawn("b1 c1").tick("b1x", "b", { after: "" }))).toEqual([1, 0, 1]);
});

describe("S12: tick and evidence", () => {
  test("S12: a tick uses up share, whatever its body", () => {
    const drawing = new Drawing()
      .genesis("g", "a", "a b", { deadline: 3 })
      .add("a1", "a", "tick", { any: [1] });
    expect(drawing.showView()).toEqual({ order: "a1", used: "a1 b0", closed: true });
  });
  test("S12: of evidence a and b are read, and nothing else", () => {
    const drawing = new Drawing()
      .genesis("g", "a", "a b")
      .tick("b0", "b")
      .tick("b0x", "b", { after: "", sees: "" })
      .add("b0y", "b", "note", {}, { after: "" });
    const [a, b] = [drawing.value("b0"), drawing.value("b0y")];
    drawing.add("a1", "a", "evidence", { a, b, kind: "whatever", c: b });
    expect(drawing.showView({ without: "b0y" })).toEqual({ order: "a1", used: "a1 b1", faults: "b@0" });
  });
});

test("S13: members of a body that nobody asked for are ignored", () => {
  const drawing = new Drawing()
    .genesis("g", "a", "a", { game: "vote", rules: { options: ["x", "y"] } })
    .add("a1", "a", "vote", { choice: "x", constructor: "y", note: sha256("note") });
  expect(drawing.showVerdict()).toEqual({
    outcome: { kind: "elected", choice: "x", tally: { x: 1, y: 0 } },
    finality: "final",
    basis: "a1",
  });
});
