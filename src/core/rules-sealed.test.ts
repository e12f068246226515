// Sealed sessions, rule by rule (docs/protocol.md, Sealed sessions): reading them, with the key and without.

import { describe, expect, test } from "vitest";
import { addressOf, Drawing, type Name, type NodeOptions } from "../testing/build.ts";
import { sealBody } from "../testing/seal-body.ts";
import { canonicalize, type Json, type JsonObject } from "./canonical.ts";
import { domainKey, sealBody as sealWith } from "./seal.ts";
import { domainKeyHash } from "./sealed.ts";
import { readTermsBody } from "./session.ts";

const KEY = new Uint8Array(32).fill(7);
const DOMAIN = { id: "club", key_hash: domainKeyHash(KEY), keys: {} };
const domain = domainKey(KEY);

/** A vote by a and b in the domain. */
const opened = () =>
  new Drawing().genesis("g", "a", "a b", {
    game: "vote",
    rules: { options: ["x", "y"] },
    body: { domain: DOMAIN },
  });

interface Sealing extends NodeOptions {
  /** What is sealed, where it is not the body's canonical form. */
  readonly plain?: string;
  readonly seq?: number;
  readonly type?: string;
  readonly wallet?: Name;
}

/** `{sealed}` for an entry's place in the session. */
const seal = (drawing: Drawing, author: Name, seq: number, type: string, plain: string) =>
  sealBody(drawing, KEY, { author, seq, type }, plain);

/** Both vote for x, in sealed bodies; b's may be sealed otherwise. */
function voted({ plain = '{"choice":"x"}', seq = 0, type = "vote", wallet = "b" }: Sealing = {}): Drawing {
  const drawing = opened();
  drawing.add("a1", "a", "vote", seal(drawing, "a", 1, "vote", '{"choice":"x"}'));
  return drawing.add("b0", "b", "vote", seal(drawing, wallet, seq, type, plain), { sees: "a1" });
}

const BOTH = {
  outcome: { kind: "elected", choice: "x", tally: { x: 2, y: 0 } },
  finality: "final",
  basis: "a1 b0",
};
const UNOPENED = { status: "pending", waiting: "b", flags: ["b0 unopened", "b0 bad-vote"], basis: "a1" };

describe("X1: the domain", () => {
  const read = (members: JsonObject) => {
    const { body } = opened().node("g");
    return readTermsBody({ ...body, domain: { ...DOMAIN, ...members } }).ok ? "ok" : "refused";
  };
  test.each<[JsonObject]>([
    [{}],
    [{ id: "\u{1f3b2}".repeat(200) }],
    [{ keys: { [addressOf("c")]: "0x00", [addressOf("a")]: "0xabcdef" } }],
  ])("X1: %j", (members) => expect(read(members)).toBe("ok"));
  test.each<[JsonObject]>([
    [{ id: "" }],
    [{ id: "x".repeat(201) }],
    [{ key_hash: "0x00" }],
    [{ keys: [] }],
    [{ keys: { someone: "0x00" } }],
    [{ keys: { [addressOf("a")]: "0x" } }],
    [{ keys: { [addressOf("a")]: "0xabc" } }],
    [{ keys: { [addressOf("a")]: "0xAB" } }],
    [{ name: "club" }],
  ])("X1: not %j", (members) => expect(read(members)).toBe("refused"));
});

test("X2: a key that does not match is bad-key, never a verdict", () => {
  expect(voted().show({ domain: domainKey(new Uint8Array(32).fill(8)) })).toEqual({ error: "bad-key" });
  expect(voted().show({ domain: domainKey(KEY.subarray(1)) })).toEqual({ error: "bad-key" });
});

describe("X3: sealed bodies", () => {
  test("X3: with the key the verdict is reached", () =>
    expect(voted().showVerdict({ domain })).toEqual(BOTH));
  test("X3: evidence is not sealed", () => {
    const drawing = voted().tick("b0x", "b", { after: "" }).evidence("a2", "a", "b0", "b0x");
    expect(drawing.showView({ domain, without: "b0x" })).toEqual({
      order: "a1 a2",
      used: "a2 b1",
      faults: "b@0",
    });
  });
  test.each<Sealing>([{ seq: 1 }, { type: "tick" }, { wallet: "a" }])(
    "X3: bound to its place: %j",
    (sealing) => expect(voted(sealing).showVerdict({ domain })).toEqual(UNOPENED),
  );
});

test("X3: a body that is sealed here opens at its place, and only there", () => {
  const place = (drawing: Drawing) =>
    ({ session: drawing.node("g").ref, wallet: addressOf("b"), seq: 0, type: "vote" }) as const;
  const verdictOf = (change: object, nonce = new Uint8Array(12).fill(9)) => {
    const drawing = opened();
    drawing.add("a1", "a", "vote", seal(drawing, "a", 1, "vote", '{"choice":"x"}'));
    const body = sealWith(KEY, { ...place(drawing), ...change }, { choice: "x" }, nonce);
    return drawing.add("b0", "b", "vote", body, { sees: "a1" }).showVerdict({ domain });
  };
  expect(verdictOf({})).toEqual(BOTH);
  for (const change of [{ seq: 1 }, { type: "tick" }, { wallet: addressOf("a") }, { session: "x:0:y" }])
    expect(verdictOf(change)).toEqual(UNOPENED);
  expect(() => verdictOf({}, new Uint8Array(11))).toThrow(RangeError);
});

test("X4: without the key the view stands and the verdict is sealed", () =>
  expect(voted().show()).toEqual({ order: "a1 b0", used: "a1 b1", refused: "sealed" }));

describe("X5: what does not open is read as {} and flagged", () => {
  test.each(['{"choice": "x"}', '["x"]', '"x"', "x", ""])(
    "X5: not the canonical text of an object: %j",
    (plain) => expect(voted({ plain }).showVerdict({ domain })).toEqual(UNOPENED),
  );
  const bodyOf = (body: JsonObject) => {
    const drawing = opened();
    drawing.add("a1", "a", "vote", seal(drawing, "a", 1, "vote", '{"choice":"x"}'));
    return drawing.add("b0", "b", "vote", body, { sees: "a1" }).showVerdict({ domain });
  };
  const good = seal(opened(), "b", 0, "vote", '{"choice":"x"}');
  test("X5: as a control, the good one", () => expect(bodyOf(good)).toEqual(BOTH));
  test.each<[string, Json]>([
    ["a body that is not sealed", { choice: "x" }],
    ["another member besides", { ...good, note: 1 }],
    ["no text", { sealed: 1 }],
    ["padding", { sealed: `${good.sealed}=` }],
    ["other last bits", { sealed: `${good.sealed.slice(0, -1)}${good.sealed.endsWith("A") ? "B" : "A"}` }],
    ["a changed character", { sealed: `${good.sealed.startsWith("A") ? "B" : "A"}${good.sealed.slice(1)}` }],
    ["too short", { sealed: "AAAA" }],
  ])("X5: %s", (_what, body) => expect(bodyOf(body as JsonObject)).toEqual(UNOPENED));
  test("X5: a late one is not flagged", () => {
    const drawing = new Drawing().genesis("g", "a", "a", {
      game: "vote",
      rules: { options: ["x", "y"] },
      deadline: 2,
      body: { domain: DOMAIN },
    });
    drawing.add("a1", "a", "vote", seal(drawing, "a", 1, "vote", canonicalize({ choice: "x" })));
    drawing.tick("a2", "a");
    expect(drawing.show({ domain })).toMatchObject({ late: "a2", basis: "a1" });
    expect(drawing.showVerdict({ domain })["flags"]).toBeUndefined();
  });
});
