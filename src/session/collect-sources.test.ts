import { expect, test } from "vitest";
import { utf8 } from "../core/bytes.ts";
import { addressOf, Drawing, walletOf } from "../testing/build.ts";
import { FaultyHub } from "../testing/hub-faults.ts";
import { collectSources, type SessionSource } from "./collect-sources.ts";
import { appendKey, mirrorKey } from "../hub/log-keys.ts";
import { MemoryHub } from "../hub/hub.memory.ts";

const drawing = new Drawing()
  .genesis("g", "a", "a b")
  .commit("ca", "a", "rock")
  .commit("cb", "b", "paper", { sees: "ca" })
  .reveal("ra", "a", "rock", { sees: "cb" });
const session = drawing.node("g").ref;
const options = { genesis: drawing.wire("g"), participants: [addressOf("a"), addressOf("b")] };

/** A Hub with these entries in their authors' logs, and those among a's and b's copies. */
async function hubWith(name: string, logs: string, copies: { readonly a?: string; readonly b?: string }) {
  const hub = new MemoryHub(name);
  const words = (text = "") => text.split(" ").filter((word) => word !== "");
  for (const node of words(logs).map((word) => drawing.node(word)))
    await hub.put(walletOf(node.wallet === addressOf("a") ? "a" : "b"), appendKey(node.seq), utf8(node.wire));
  for (const keeper of ["a", "b"] as const)
    for (const { wallet, seq, wire } of words(copies[keeper]).map((word) => drawing.node(word)))
      await hub.put(walletOf(keeper), mirrorKey(drawing.node("g").hash, wallet, seq), utf8(wire));
  return hub;
}

const inNames = (sources: readonly SessionSource[]) =>
  sources.map(({ hub, keeper, records }) => {
    const names = [...drawing.nodes.values()].filter(({ wire }) => records.includes(wire));
    return [
      hub,
      ...(keeper === undefined ? [] : [drawing.nameOf(keeper)]),
      ...names.map(({ name }) => name),
    ].join(" ");
  });

test("each Hub's logs and each participant's copies are read by themselves", async () => {
  const one = await hubWith("one", "g ca cb ra", { a: "cb", b: "g ca" });
  const two = await hubWith("two", "g ca cb", { b: "g ca ra" });
  const { sources, notes } = await collectSources([one, two], session, options);
  expect(inNames(sources)).toEqual([
    "one g ca cb ra",
    "one a cb",
    "one b g ca",
    "two g ca cb",
    "two a",
    "two b g ca ra",
  ]);
  expect(notes).toEqual([]);
});

test("a Hub without the genesis is still read; copies without a keeper are no source", async () => {
  const whole = await hubWith("whole", "g ca cb", {});
  const without = await hubWith("without", "ca cb", {});
  const { sources, notes } = await collectSources([whole, without], session, options);
  expect(inNames(sources)).toEqual(["whole g ca cb", "without ca cb"]);
  expect(notes.map(({ hub, kind }) => `${hub} ${kind}`)).toContain("without missing");
});

test("a Hub that does not answer serves nothing, and a note says so", async () => {
  const hub = new FaultyHub(await hubWith("down", "g ca", {}));
  hub.down = true;
  const { sources, notes } = await collectSources([hub], session, options);
  expect(inNames(sources)).toEqual(["down"]);
  expect(new Set(notes.map(({ kind }) => kind))).toEqual(new Set(["failed"]));
});
