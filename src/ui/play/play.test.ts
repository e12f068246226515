import { expect, test } from "vitest";
import { buildView } from "../../core/build-view.ts";
import type { JsonObject } from "../../core/canonical.ts";
import { HubError } from "../../hub/hub-error.ts";
import { judge } from "../../games/judge.ts";
import { addressOf, checkOnce, Drawing } from "../../testing/build.ts";
import { closingOf } from "./board/closing.ts";
import { sessionNames } from "../../names/session-names.ts";
import { formatName, formatNameInside } from "./names.ts";
import { roundsOf, scoreOf } from "./rps/rounds.ts";
import { seatsHere } from "./invite/seats-here.ts";
import { stageIndex } from "./board/stages.ts";
import { formatFailure } from "./use-attempt.ts";

const a = addressOf("a");
const b = addressOf("b");

function game(more: { rules?: JsonObject; deadline?: number; default_outcome?: JsonObject } = {}): Drawing {
  return new Drawing().genesis("g", "a", "a b", { game: "rps", deadline: 21, ...more });
}

function shown(drawing: Drawing) {
  const view = buildView(
    [...drawing.nodes.values()].map(({ wire }) => wire),
    drawing.node("g").ref,
    { check: checkOnce },
  );
  if (!view.ok) throw new Error(view.code);
  return { view, verdict: judge(view) };
}

test("before anybody has moved there is one empty round", () => {
  const { view, verdict } = shown(game());
  expect(roundsOf(view, verdict)).toEqual([
    {
      round: 1,
      result: null,
      cells: [
        { value: null, committed: false, ref: null },
        { value: null, committed: false, ref: null },
      ],
    },
  ]);
});

test("a commit shows as sealed, never its value; an opening shows its value", () => {
  const drawing = game().commit("a1", "a", "rock").commit("b1", "b", "paper", { sees: "a1" });
  drawing.reveal("a2", "a", "rock", { sees: "b1" });
  const { view, verdict } = shown(drawing);
  expect(roundsOf(view, verdict)[0]!.cells).toMatchObject([
    { value: "rock", committed: true, ref: drawing.node("a2").ref },
    { value: null, committed: true, ref: drawing.node("b1").ref },
  ]);
});

test("rounds, results and score are the resolver's own", () => {
  const drawing = game({ rules: { best_of: 3 } })
    .commit("a1", "a", "rock")
    .commit("b1", "b", "rock");
  drawing.reveal("a2", "a", "rock", { sees: "b1" }).reveal("b2", "b", "rock", { sees: "a2" });
  drawing
    .commit("a3", "a", "paper", { sees: "b2", round: 2 })
    .commit("b3", "b", "rock", { sees: "a2", round: 2 });
  drawing
    .reveal("a4", "a", "paper", { sees: "b3", round: 2 })
    .reveal("b4", "b", "rock", { sees: "a4", round: 2 });
  const { view, verdict } = shown(drawing);
  const rounds = roundsOf(view, verdict);
  expect(rounds.map(({ result }) => result)).toEqual(["draw", a, null]);
  expect(scoreOf(view, rounds)).toEqual([1, 0]);
});

test("what closing by one's own ticks would do is said beforehand", () => {
  const waiting = shown(game({ default_outcome: { kind: "forfeit" } }).commit("a1", "a", "rock"));
  expect(closingOf(waiting.view, waiting.verdict, a)).toEqual({
    ticks: 9,
    owing: [b],
    strangers: [b],
    outcome: { kind: "void" },
  });
  const drawing = game({ default_outcome: { kind: "forfeit" } })
    .commit("a1", "a", "rock")
    .commit("b1", "b", "paper");
  drawing.reveal("a2", "a", "rock", { sees: "b1" });
  const silent = shown(drawing);
  expect(closingOf(silent.view, silent.verdict, a)).toMatchObject({
    ticks: 8,
    owing: [b],
    outcome: { kind: "win", winner: a, by: "forfeit" },
  });
  expect(closingOf(silent.view, silent.verdict, b)).toMatchObject({ outcome: { winner: a } });
  expect(closingOf(silent.view, silent.verdict, addressOf("c"))).toBeUndefined();
  drawing.reveal("b2", "b", "paper", { sees: "a2" });
  const decided = shown(drawing);
  expect(closingOf(decided.view, decided.verdict, a)).toBeUndefined();
});

test("names: You at the beginning of a sentence, you within it", () => {
  const names = sessionNames({ participants: [a, b], me: a, bot: b });
  const known = { names, keys: [], bot: b, me: a };
  expect([formatName(known, a), formatName(known, b)]).toEqual(["You", "Bot"]);
  expect([formatNameInside(known, a), formatNameInside(known, b)]).toEqual(["you", "Bot"]);
});

test("seats of this browser: each wallet once, none before the keys are loaded", () => {
  const wallet = {
    uuid: "w",
    name: "W",
    rdns: "w",
    icon: null,
    provider: { request: () => Promise.resolve(null) },
  };
  const account = (address: typeof a, usable = true) => ({ address, wallet, usable });
  const c = addressOf("c");
  const keys = [{ address: b, name: "Birch" }];
  const accounts = [account(c), account(a), account(b)];
  expect(seatsHere([a, b], keys, accounts)).toEqual([
    { address: a, name: null },
    { address: b, name: "Birch" },
  ]);
  expect(seatsHere([a, b], undefined, accounts)).toEqual([]);
  expect(seatsHere([a], keys, [account(a, false)])).toEqual([]);
});

test("stages come in their order", () => {
  expect((["signing", "stored", "read-back", "seen"] as const).map(stageIndex)).toEqual([0, 1, 2, 3]);
});

test("a failure is a sentence; of the Hub's, that nothing was signed", () => {
  expect(formatFailure(new Error("all 6 entries of the share are used"))).toBe(
    "All 6 entries of the share are used",
  );
  expect(formatFailure(new HubError("server", "the Hub failed (status 503)"))).toBe(
    "The Hub failed (status 503). Nothing was signed; try again when the Hub answers.",
  );
});
