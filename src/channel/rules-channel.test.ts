// The Channel's part of the protocol, rule by rule (docs/protocol.md, On the Channel). The relay's own behaviour
// under its limits is tested beside the server.

import { expect, test } from "vitest";
import { Drawing } from "../testing/build.ts";
import { formatRef, sha256, type Ref } from "../core/values.ts";
import {
  decodeClientFrame,
  decodeServerFrame,
  encodeError,
  isTopic,
  MAX_FRAME,
  MAX_TOPICS,
} from "./frames.ts";
import { MemoryBroker } from "./channel.memory.ts";

const node = new Drawing().genesis("g", "a", "a b").node("g");
const { ref, wallet } = node;
const refAt = (seq: number): Ref => formatRef(wallet, seq, sha256(`entry ${seq}`));

test("T1: topics are refs, addresses and lobby", () => {
  for (const topic of [ref, wallet, "lobby"]) expect([topic, isTopic(topic)]).toEqual([topic, true]);
  for (const topic of ["Lobby", "", wallet.toUpperCase(), "x", null])
    expect([topic, isTopic(topic)]).toEqual([topic, false]);
});

test("T2: what a Channel carries is a ref and nothing more", async () => {
  const broker = new MemoryBroker();
  const heard: unknown[] = [];
  const [one, other] = [broker.connect(), broker.connect()];
  other.subscribe(ref, (arrived) => heard.push(arrived));
  one.publish(ref, refAt(1));
  await Promise.resolve();
  expect(heard).toEqual([refAt(1)]);
  one.close();
  other.close();
});

test("T3: the frames", () => {
  expect(decodeClientFrame(`{"op":"sub","topics":["lobby","${ref}"]}`)).toEqual({
    op: "sub",
    topics: ["lobby", ref],
  });
  expect(decodeClientFrame(`{"op":"unsub","topics":["lobby"]}`)).toEqual({ op: "unsub", topics: ["lobby"] });
  expect(decodeClientFrame(`{"op":"pub","topic":"lobby","ref":"${ref}"}`)).toEqual({
    op: "pub",
    topic: "lobby",
    ref,
  });
  expect(decodeServerFrame(`{"op":"ref","topic":"lobby","ref":"${ref}"}`)).toEqual({
    op: "ref",
    topic: "lobby",
    ref,
  });
  expect(decodeServerFrame('{"op":"error","code":"x","message":"y"}')).toEqual({
    op: "error",
    code: "x",
    message: "y",
  });
});

test("T4: a new subscriber is told the last 64 refs", async () => {
  const broker = new MemoryBroker();
  const channel = broker.connect();
  for (let seq = 0; seq < 100; seq++) channel.publish("lobby", refAt(seq));
  await Promise.resolve(); // what was announced has arrived where it was heard
  const heard: Ref[] = [];
  channel.subscribe("lobby", (arrived) => heard.push(arrived));
  await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))));
  expect(heard).toEqual(Array.from({ length: 64 }, (_, i) => refAt(36 + i)));
  channel.close();
});

test("T5: the limits", () => {
  expect([MAX_FRAME, MAX_TOPICS]).toEqual([4096, 1024]);
  expect(decodeClientFrame(`{"op":"sub","topics":["${"x".repeat(MAX_FRAME)}"]}`)).toMatchObject({
    op: "bad",
    code: "too-large",
  });
});

test.each([
  ["]", "not-json"],
  ["null", "not-an-object"],
  ["[]", "not-an-object"],
  ['"x"', "not-an-object"],
  ["{}", "unknown-op"],
  ['{"op":"ping"}', "unknown-op"],
  ['{"op":"sub"}', "bad-topics"],
  ['{"op":"sub","topics":["x"]}', "bad-topic"],
  ['{"op":"pub","topic":"lobby","ref":"x"}', "bad-ref"],
] as const)("T6: %s is answered with %s", (text, code) => {
  expect(decodeClientFrame(text)).toMatchObject({ op: "bad", code });
  expect(decodeServerFrame(encodeError(code))).toMatchObject({ op: "error", code });
});
