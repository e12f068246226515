import { expect, test } from "vitest";
import { main } from "./04-protocol.ts";

test("both players and the auditor reach one verdict, and the story is told", async () => {
  const story: string[] = [];
  const { alice, bob, auditor } = await main((text) => story.push(text));
  expect(alice).toMatch(/^0x[0-9a-f]{64}$/);
  expect([bob, auditor]).toEqual([alice, alice]);
  expect(story.filter((line) => line.includes("resolves"))).toHaveLength(2);
  expect(story.every((line) => !line.includes("resolves") || line.includes("Alice wins"))).toBe(true);
  expect(story.at(-1)).toContain("true");
});

test("the private form: the same, and the auditor reads nothing without the key", async () => {
  const story: string[] = [];
  const { alice, bob, auditor } = await main((text) => story.push(text), true);
  expect([bob, auditor]).toEqual([alice, alice]);
  expect(story.find((line) => line.startsWith("Without the key"))).toMatch(/sealed|private|key/i);
  expect(story.filter((line) => line.includes("Alice wins"))).toHaveLength(3);
});
