// N peers over a bad network, all four games, with forks that really occur. A failure names the seed; a seed that
// failed becomes a test of its own.

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import { checkPlain } from "../core/signature.ts";
import type { View } from "../core/view.ts";
import { addressOf } from "../testing/build.ts";
import { faultsOf, runPeers, type FuzzRun } from "../testing/fuzz-peers.ts";
import { seededRandom } from "../testing/random.ts";
import { judge } from "./judge.ts";

const GAMES: readonly [string, string, JsonObject, number][] = [
  ["rps", "rps", { best_of: 3 }, 2],
  ["open vote", "vote", { options: ["x", "y"], quorum: 2 }, 3],
  ["secret vote", "vote", { options: ["x", "y"], ballot: "secret" }, 5],
  ["English auction", "auction", { kind: "english" }, 3],
  ["second-price auction", "auction", { kind: "second-price" }, 4],
  ["compare", "compare", { by: "closest", target: "20" }, 3],
];
const SEEDS = Array.from({ length: 8 }, (_, i) => 1000 + i);

/** All that was ever written, as one observer's view. */
function wholeView({ drawing }: FuzzRun, records = drawing.records()): View {
  const view = drawing.view({ records });
  if (!view.ok) throw new Error(view.code);
  return view;
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [mixed[i], mixed[k]] = [mixed[k]!, mixed[i]!];
  }
  return mixed;
}

/** What must hold of every run, whoever forked. */
function checkRun(run: FuzzRun, seed: number): View {
  const view = wholeView(run);
  const verdict = judge(view);
  const random = seededRandom(seed + 1);
  for (const name of run.players) {
    const records = shuffled(run.held.get(name)!, random).map((node) => run.drawing.wire(node));
    expect(wholeView(run, [...records, ...records.slice(0, 5)])).toEqual(view);
  }
  expect(view.rejected).toEqual([]);
  const forkers = new Set([...run.forkers].map(addressOf));
  for (const { wallet, fault } of view.members) {
    if (fault === null) continue;
    expect(forkers.has(wallet)).toBe(true);
    expect(fault.versions.length).toBeGreaterThan(1);
    for (const version of fault.versions) expect(checkPlain(version)).toEqual({ ok: true, by: "signature" });
  }
  if (!verdict.ok) throw new Error(verdict.code);
  for (const { by, verdict: before, faults } of run.reached)
    if (before.finality === "final" && faults === faultsOf(view))
      expect([by, before.digest]).toEqual([by, verdict.digest]);
  return view;
}

describe.each(GAMES)("%s", (_name, game, rules, players) => {
  test.each(SEEDS)("honest peers all reach the one final verdict (seed %i)", (seed) => {
    const run = runPeers({ seed, game, rules, players, forkers: 0 });
    const view = checkRun(run, seed);
    expect([view.complete, faultsOf(view)]).toEqual([true, ""]);
    const verdict = judge(view);
    expect(verdict).toMatchObject({ ok: true, status: "decided", finality: "final" });
    expect(verdict.ok && verdict.flags).toEqual([]);
  });

  test.each(SEEDS)("with a wallet that forks (seed %i)", (seed) => {
    const run = runPeers({ seed, game, rules, players, forkers: 1 });
    forks += checkRun(run, seed).members.filter(({ fault }) => fault !== null).length;
    changed += run.reached.some(({ verdict, faults }) => verdict.finality === "final" && faults === "")
      ? 1
      : 0;
  });
});

let forks = 0;
let changed = 0;

test("forks really occurred, and some came after a verdict that was final without them", () => {
  expect(forks).toBeGreaterThan((GAMES.length * SEEDS.length) / 2);
  expect(changed).toBeGreaterThan(0);
});
