// The causal graph in text, as it is drawn.

import { expect, test } from "vitest";
import type { View } from "../core/view.ts";
import { Drawing as Session, type Name } from "../testing/build.ts";
import { drawLanes } from "./draw-lanes.ts";

function viewOf(session: Session): View {
  const view = session.view();
  if (!view.ok) throw new Error(view.code);
  return view;
}

function draw(view: View, options: Partial<Parameters<typeof drawLanes>[1]> = {}): string {
  const nameOf = (wallet: string) => `Player ${view.participants.findIndex((one) => one === wallet) + 1}`;
  const lines = drawLanes(view, { nameOf, ignored: new Set(), width: 60, rows: 100, ...options });
  return `\n${lines.join("\n")}\n`;
}

const rps = () =>
  new Session()
    .genesis("g", "a", "a b")
    .commit("ca", "a", "rock")
    .commit("cb", "b", "paper", { sees: "ca" })
    .reveal("ra", "a", "rock", { sees: "cb" })
    .reveal("rb", "b", "paper", { sees: "ca" });

test("a lane for each player, a row for each move, and what it rests on", () => {
  expect(draw(viewOf(rps()))).toBe(`
     Player 1           Player 2
  1  ● #1 commit
  2  │                  ● #0 commit        sees 1
  3  ● #2 reveal rock   │                  sees 2
  4  │                  ● #1 reveal paper  sees 1
`);
});

test("what does not count has a mark of its own", () => {
  const view = viewOf(rps());
  const picture = draw(view, { ignored: new Set([view.order[3]!.ref]) });
  expect(picture).toContain("  4  │                  ○ #1 reveal paper");
});

test("a long session begins with how much is not drawn", () => {
  expect(draw(viewOf(rps()), { rows: 1 })).toBe(`
     Player 1           Player 2
     … 3 earlier moves are not drawn (--all draws them)
  4  │                  ● #1 reveal paper  sees 1
`);
});

test("lanes that do not fit are named, and their moves stand in words", () => {
  const names: Name[] = ["a", "b", "c"];
  const session = new Session().genesis("g", "a", names.join(" "), {
    body: { game: "vote", rules: { options: ["tea", "x\u001b[2J"] }, deadline: 31 },
  });
  session.add("va", "a", "vote", { choice: "tea" });
  session.add("vc", "c", "vote", { choice: "x\u001b[2J" }, { sees: "va" });
  expect(draw(viewOf(session), { width: 40 })).toBe(`
     Player 1
  1  ● #1 vote tea
  2  │                  player 3: ● #0 vote x[U+001B][2J  sees 1
… 2 players do not fit: widen the terminal, or use --json
`);
});
