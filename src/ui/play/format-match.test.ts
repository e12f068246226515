import { expect, test } from "vitest";
import { addressOf } from "../../testing/build.ts";
import { groupSamples } from "../home/group-samples.ts";
import { isComposing, quietWhileComposing } from "../app/composing.ts";
import { formatHeadline, moodOf } from "./board/result.tsx";
import { formatMatch } from "./format-match.ts";
import { revealTogether, settledRounds, type RoundRow } from "./rps/rounds.ts";

const [a, b] = [addressOf("a"), addressOf("b")];
const cell = (value: string | null) => ({ value, committed: true, ref: null });
const round = (number: number, values: readonly (string | null)[], result: RoundRow["result"]): RoundRow => ({
  round: number,
  cells: values.map(cell),
  result,
});

test.each([
  ["rps", {}, /^One round\. .*Equal choices are a draw\.$/],
  ["rps", { best_of: 3 }, /^Best of 3; a draw counts as a round\./],
  ["vote", { ballot: "secret" }, /sealed until all are in/],
  ["vote", { ballot: "open" }, /sees each vote at once/],
  ["auction", { kind: "second-price" }, /pays the second highest\.$/],
  ["compare", { by: "closest" }, /closest to the target is ahead\.$/],
  ["chess", {}, /^$/],
])("the rules of %s with %o are a sentence", (game, rules, sentence) => {
  expect(formatMatch(game, rules)).toMatch(sentence);
});

test("the other's opening stays sealed until the round is settled; one's own choice shows", () => {
  const rounds = [round(1, ["rock", "paper"], b), round(2, ["rock", "paper"], null)];
  const shown = revealTogether(rounds, [a, b], a, 1);
  expect(shown[0]).toEqual(rounds[0]);
  expect(shown[1]!.cells.map(({ value }) => value)).toEqual(["rock", null]);
  const watched = revealTogether(rounds, [a, b], null, 0);
  expect(watched.flatMap(({ cells }) => cells.map(({ value }) => value))).toEqual([null, null, null, null]);
  expect(watched[0]!.result).toBeNull();
});

test("the end of a session reveals every round, a forfeited one too", () => {
  const rounds = [round(1, ["rock", null], null)];
  expect(settledRounds(rounds, false)).toBe(0);
  expect(revealTogether(rounds, [a, b], b, settledRounds(rounds, true))).toEqual(rounds);
});

test.each([
  [{ kind: "win", winner: a, by: "play" }, a, "You win"],
  [{ kind: "win", winner: b, by: "forfeit" }, a, "You lose"],
  [{ kind: "draw" }, a, "Draw"],
  [{ kind: "win", winner: b, by: "play" }, null, undefined],
  [{ kind: "void" }, a, undefined],
])("of %o the seat of %s reads %o", (outcome, me, headline) => {
  expect(formatHeadline(outcome, moodOf(outcome, me), me)).toBe(headline);
});

test("every sample stands in one group, those of no known kind last", () => {
  const files = ["fork.coop.jsonl", "rps-a.jsonl", "new.jsonl", "silent-void.jsonl"];
  const samples = files.map((file) => ({
    file,
    title: file,
    says: "",
    session: `${a}:0:0x${"1".repeat(64)}` as const,
  }));
  const groups = groupSamples(samples).map(({ title, samples: found }) => [
    title,
    found.map(({ file }) => file),
  ]);
  expect(groups).toEqual([
    ["Played to the end", ["rps-a.jsonl"]],
    ["Somebody stopped", ["silent-void.jsonl"]],
    ["Somebody cheated", ["fork.coop.jsonl"]],
    ["More", ["new.jsonl"]],
  ]);
});

test("keys of an input method reach no other listener, all others do", () => {
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  const page = new EventTarget();
  const heard: string[] = [];
  const stop = quietWhileComposing(page);
  page.addEventListener("keydown", (event) => heard.push(String(Reflect.get(event, "name"))));
  const press = (name: string, composing: boolean) =>
    page.dispatchEvent(Object.assign(new Event("keydown"), { name, isComposing: composing, keyCode: 13 }));
  press("candidate", true);
  press("Enter", false);
  stop();
  press("after", true);
  expect(heard).toEqual(["Enter", "after"]);
});
