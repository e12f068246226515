import { expect, test } from "vitest";
import { Drawing, addressOf } from "../../testing/build.ts";
import { createInlineVerifier } from "../../verify/verifier.inline.ts";
import { arrangeLog, findSessions } from "./wallet-log.ts";

//  a: g ── ca ── h ── ha      two sessions; b's genesis h2 is named by a4
const drawing = new Drawing()
  .genesis("g", "a", "a b", { body: { title: "first" } })
  .commit("ca", "a", "rock")
  .genesis("h", "a", "a b")
  .tick("ha", "a", { session: "h" })
  .genesis("k", "b", "a b", { body: { title: "b's" } })
  .tick("ka", "a", { session: "k" });

async function logOf(names: string) {
  const wires = names.split(" ").map((name) => drawing.wire(name));
  const report = await createInlineVerifier().verify(wires, { level: "verified" });
  const entries = report.states.flatMap((state) =>
    "candidate" in state && state.candidate !== undefined ? [state.candidate] : [],
  );
  const geneses = await findSessions(entries, async (ref) => {
    const node = [...drawing.nodes.values()].find((each) => each.ref === ref);
    return node?.wire;
  });
  return arrangeLog(wires, report.states, geneses);
}

test("a log in order, its sessions as segments, one of them of another wallet's genesis", async () => {
  const log = await logOf("ka ha g h ca");
  expect(log.rows.map(({ candidate }) => candidate?.seq)).toEqual([0, 1, 2, 3, 4]);
  expect(log.rows.map(({ chain }) => chain)).toEqual(["start", "linked", "linked", "linked", "linked"]);
  expect(log.sessions.map(({ title, first, last, entries }) => [title, first, last, entries])).toEqual([
    ["b's", 4, 4, 1],
    ["", 2, 3, 2],
    ["first", 0, 1, 2],
  ]);
  expect(log.rows.every(({ candidate }) => candidate?.wallet === addressOf("a"))).toBe(true);
});

test("a hole is a gap at the entry behind it, and nothing is said of what was there", async () => {
  const log = await logOf("g h ha");
  expect(log.rows.map(({ chain }) => chain)).toEqual(["start", "gap", "linked"]);
  expect(log.gaps).toBe(1);
});

test("two entries at one place are a fork", async () => {
  drawing.tick("fork", "a", { after: "g" });
  const log = await logOf("g ca fork");
  expect(log.rows.map(({ chain }) => chain)).toEqual(["start", "fork", "fork"]);
  expect(log.forks).toBe(1);
});
