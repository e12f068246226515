import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { ALICE, refOf } from "./channel.contract.ts";
import {
  decodeClientFrame,
  decodeServerFrame,
  encodeError,
  encodePub,
  encodeRef,
  encodeTopics,
  isTopic,
  MAX_FRAME,
} from "./frames.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const padded = (size: number): string =>
  JSON.stringify({ op: "sub", topics: ["lobby"], pad: "" }).replace('""', `"${"x".repeat(size)}"`);
const overhead = padded(0).length;

/** What a hostile or broken end may send, and what is said of it: by a relay and by a client alike. */
const MALFORMED: readonly (readonly [string, string])[] = [
  ["]", "not-json"],
  ["", "not-json"],
  ['{"op":"pub","topic":"lob', "not-json"],
  ["null", "not-an-object"],
  ["[]", "not-an-object"],
  ['"x"', "not-an-object"],
  ["42", "not-an-object"],
  ["{}", "unknown-op"],
  ['{"refs":null}', "unknown-op"],
  ['{"op":"constructor"}', "unknown-op"],
  ['{"op":"bad","code":"not-json"}', "unknown-op"],
  ['{"__proto__":{"op":"pub"}}', "unknown-op"],
  ['{"op":["sub"],"topics":["lobby"]}', "unknown-op"],
];

describe("8 frames", () => {
  it.each(MALFORMED)("%s is refused as %s, by both ends", (text, code) => {
    expect(decodeClientFrame(text)).toMatchObject({ op: "bad", code });
    expect(decodeClientFrame(bytes(text))).toMatchObject({ op: "bad", code });
    expect(decodeServerFrame(text)).toMatchObject({ op: "bad", code });
  });

  it.each([
    ['{"op":"sub"}', "bad-topics", "topics"],
    ['{"op":"sub","topics":null}', "bad-topics", "topics"],
    ['{"op":"sub","topics":"lobby"}', "bad-topics", "topics"],
    ['{"op":"sub","topics":{"0":"lobby","length":1}}', "bad-topics", "topics"],
    ['{"op":"unsub","topics":[]}', "bad-topics", "topics"],
    ['{"op":"sub","topics":["lobby",null]}', "bad-topic", "topics[1]"],
    ['{"op":"sub","topics":["Lobby"]}', "bad-topic", "topics[0]"],
    ['{"op":"pub","ref":"x"}', "bad-topic", "topic"],
    ['{"op":"pub","topic":"lobby"}', "bad-ref", "ref"],
    ['{"op":"pub","topic":"lobby","ref":null}', "bad-ref", "ref"],
    [`{"op":"pub","topic":"lobby","ref":"${ALICE}"}`, "bad-ref", "ref"],
  ])("client's %s is refused as %s at %s", (text, code, at) => {
    expect(decodeClientFrame(text)).toEqual({ op: "bad", code, at });
  });

  it.each([
    ['{"op":"ref","topic":"x","ref":"y"}', "bad-topic", "topic"],
    ['{"op":"ref","topic":"lobby","ref":"y"}', "bad-ref", "ref"],
    ['{"op":"error"}', "bad-error", "code"],
    ['{"op":"error","code":7}', "bad-error", "code"],
    ['{"op":"pub","topic":"lobby","ref":"y"}', "unknown-op", "op"],
  ])("server's %s is refused as %s at %s", (text, code, at) => {
    expect(decodeServerFrame(text)).toEqual({ op: "bad", code, at });
  });

  it("invalid UTF-8 and binary frames are refused", () => {
    expect(decodeClientFrame(Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({ code: "not-utf8" });
    expect(decodeClientFrame(bytes(encodePub("lobby", refOf(1))), true)).toMatchObject({ code: "not-text" });
    for (const data of [new ArrayBuffer(2), new Uint8Array(2), null, undefined, 42, {}])
      expect(decodeServerFrame(data)).toMatchObject({ op: "bad", code: "not-text" });
  });

  it("a frame has at most 4,096 bytes, counted in UTF-8", () => {
    expect(decodeClientFrame(padded(MAX_FRAME - overhead)).op).toBe("sub");
    expect(decodeClientFrame(padded(MAX_FRAME - overhead + 1))).toMatchObject({ code: "too-large" });
    const wide = padded(0).replace('""', `"${"é".repeat(2100)}"`);
    expect(wide.length).toBeLessThan(MAX_FRAME);
    expect(decodeClientFrame(wide)).toMatchObject({ code: "too-large" });
    expect(decodeClientFrame(bytes(wide))).toMatchObject({ code: "too-large" });
  });

  it("a topic is a ref, an address or lobby, in the one spelling of each", () => {
    for (const topic of ["lobby", ALICE, refOf(0), refOf(2 ** 53 - 1)]) expect(isTopic(topic)).toBe(true);
    const wrong = [
      "",
      "lobby ",
      ALICE.toUpperCase(),
      `${ALICE}0`,
      refOf(1).replace(":1:", ":01:"),
      "__proto__",
    ];
    for (const topic of [...wrong, null, 1, ["lobby"]]) expect(isTopic(topic)).toBe(false);
  });

  it("what is encoded decodes to itself, and further members are ignored", () => {
    expect(decodeClientFrame(encodePub(ALICE, refOf(3)))).toEqual({ op: "pub", topic: ALICE, ref: refOf(3) });
    expect(decodeServerFrame(encodeRef(ALICE, refOf(3)))).toEqual({ op: "ref", topic: ALICE, ref: refOf(3) });
    expect(decodeServerFrame(encodeError("bad-topic", "topics[3]"))).toMatchObject({
      code: "bad-topic",
      message: expect.stringContaining("topics[3]") as string,
    });
    expect(decodeServerFrame('{"op":"error","code":"of-another-make","n":1}')).toMatchObject({
      code: "of-another-make",
    });
  });

  it("any number of topics is subscribed to in frames of at most 4 KiB", () => {
    const topics = Array.from({ length: 1024 }, (_, n) => refOf(n));
    const frames = encodeTopics("sub", topics);
    expect(Math.max(...frames.map((frame) => frame.length))).toBeLessThanOrEqual(MAX_FRAME);
    expect(frames.map(decodeBack).flat()).toEqual(topics);
    expect(encodeTopics("unsub", [])).toEqual([]);
  });

  it("no text whatever makes decoding throw", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
        const server = decodeServerFrame(text).op;
        return ["sub", "unsub", "pub", "bad"].includes(decodeClientFrame(text).op) && server.length > 0;
      }),
    );
    fc.assert(fc.property(fc.uint8Array(), (data) => decodeClientFrame(data).op === "bad"));
  });
});

function decodeBack(frame: string): readonly string[] {
  const decoded = decodeClientFrame(frame);
  return decoded.op === "sub" ? decoded.topics : [];
}
