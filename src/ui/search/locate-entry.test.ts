import { expect, test } from "vitest";
import { parseCandidate, type Candidate } from "../../core/entry.ts";
import type { Ref } from "../../core/values.ts";
import { Drawing } from "../../testing/build.ts";
import { placeOfEntry } from "./locate-entry.ts";

function drawn() {
  const drawing = new Drawing()
    .add("i", "a", "invite", { game: "rps" }, { outside: true })
    .add("y", "b", "accept", {}, { outside: true, sees: "i" })
    .genesis("g", "a", "a b", { game: "rps" })
    .commit("a1", "a", "rock");
  const entries = new Map<Ref, Candidate>();
  for (const { wire } of drawing.nodes.values()) {
    const parsed = parseCandidate(wire);
    if (parsed.ok) entries.set(parsed.value.ref, parsed.value);
  }
  return { drawing, read: async (ref: Ref) => entries.get(ref) };
}

test("a genesis opens its session, an invite its offer, a move its session with the entry chosen", async () => {
  const { drawing, read } = drawn();
  const ref = (name: string) => drawing.node(name).ref;
  expect(await placeOfEntry(ref("g"), read)).toBe(`#/s/${ref("g")}`);
  expect(await placeOfEntry(ref("i"), read)).toBe(`#/join/${ref("i")}`);
  expect(await placeOfEntry(ref("a1"), read)).toBe(`#/s/${ref("g")}?entry=${ref("a1")}`);
  expect(await placeOfEntry(ref("y"), read)).toBe(`#/w/${drawing.node("y").wallet}?entry=${ref("y")}`);
});

test("what cannot be found is taken for a session id: its page says what is missing", async () => {
  const { drawing } = drawn();
  const { ref } = drawing.node("a1");
  expect(await placeOfEntry(ref, async () => undefined)).toBe(`#/s/${ref}`);
});
