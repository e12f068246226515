import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildView } from "../core/build-view.ts";
import { fromHex } from "../core/bytes.ts";
import { domainKey } from "../core/seal.ts";
import { finish } from "../core/steps.ts";
import { judge } from "../games/judge.ts";
import type { SessionVector } from "../games/vectors.ts";
import { checkOnce } from "../testing/build.ts";
import { bySeat, readSample, sampleIndex, type SampleView } from "../testing/sample-stages.ts";
import { describeStoryLine } from "./describe-story.ts";
import { storySteps } from "./story.ts";

const sample = (name: string): SampleView =>
  readSample(sampleIndex.find(({ file }) => file === `${name}.coop.jsonl`)!);
const storyOf = ({ view, verdict }: Pick<SampleView, "view" | "verdict">) =>
  finish(storySteps(view, verdict));
const told = (one: SampleView): string[] =>
  storyOf(one).map(({ fact }) => describeStoryLine(fact, one.view, bySeat(one.view)));

describe("what a stranger reads of the samples", () => {
  test("an honest game: each round with what beat what, and the score", () => {
    expect(told(sample("rps-best-of-three"))).toEqual([
      "Player 1 invited to a game.",
      "Player 2 accepted.",
      "Player 1 started rock, paper, scissors, best of 3, with Player 2.",
      "Player 1 sealed a move.",
      "Player 2 sealed a move.",
      "Player 1 opened: Rock.",
      "Player 2 opened: Scissors. Rock beats scissors. Player 1 wins round 1 (1–0).",
      "Player 1 sealed a move.",
      "Player 2 sealed a move.",
      "Player 1 opened: Paper.",
      "Player 2 opened: Scissors. Scissors beats paper. Player 2 wins round 2 (1–1).",
      "Player 1 sealed a move.",
      "Player 2 sealed a move.",
      "Player 1 opened: Scissors.",
      "Player 2 opened: Paper. Scissors beats paper. Player 1 wins round 3 (2–1).",
      "Player 1 wins 2–1 against Player 2.",
      "This rests on 12 signed entries. Final. Nothing the players still write can change it.",
    ]);
  });

  test.each([
    ["vote-open", "Player 1 voted “library”. Ignored: only the first vote counts."],
    ["vote-open", "“library” is elected with 2 of 4 votes."],
    ["vote-secret", "“yes” is elected with 3 of 5 votes."],
    ["auction-second-price", "Sold to Player 1 for 9007199254740992 wei, the second-highest bid."],
    ["auction-english", "Player 3 bid 62. Ignored: 62 is less than 65, the least that beats 60."],
    ["auction-english", "Sold to Player 2 for 80 EUR."],
    ["compare-closest", "Player 2 is closest to 512, with 530."],
    ["silent-void", "Player 2 never opened the sealed move."],
    ["silent-void", "Decided, but Player 2 can still change it by opening their sealed move."],
    ["silent-forfeit", "Player 1 wins by forfeit: Player 2 did not finish."],
    ["silent-award", "Awarded to Player 2, as agreed beforehand: Player 2 did not finish."],
    ["never-joined", "Nobody wins: Player 2 never joined."],
    [
      "fork",
      "Player 2 forked their log: 2 different entries are signed for one position. That breaks the rules, so nothing of Player 2’s counts.",
    ],
    ["copied-commitment", "Player 2 repeated a seal that was not their own."],
    ["copied-commitment", "Player 2 opened: Scissors. Ignored: it does not fit what was sealed."],
    ["early-reveal", "Player 1 opened: Rock. Ignored: it was too early, as not everybody had sealed yet."],
    ["foreign-genesis", "Player 2 wrote 2 entries for another session: real, but not counted here."],
    ["late-entry", "Player 1 voted “north”. Too late: it is entry 3 of a share of 2, so it does not count."],
    [
      "withheld-entry",
      "An entry of Player 2’s is withheld: a later one proves that it exists, and no source gave it.",
    ],
    [
      "withheld-entry",
      "Player 1 opened: Rock. It waits for something that is missing, so it does not count yet.",
    ],
    [
      "tampered-byte",
      "A record of type “reveal” under Player 2’s name is not what Player 2 signed: it counts for nothing.",
    ],
    ["look-alikes", "A tie between “Alice” and “\u0410lice”."],
    ["sealed-session", "“accept” is elected with 2 of 3 votes."],
  ])("%s says: %s", (name, sentence) => {
    expect(told(sample(name))).toContain(sentence);
  });

  test("the reader’s own moves read as You", () => {
    const one = sample("early-reveal");
    const nameOf = (wallet: string) => (wallet === one.view.participants[0] ? "You" : "Mira");
    expect(storyOf(one).map(({ fact }) => describeStoryLine(fact, one.view, nameOf))).toEqual([
      "You started rock, paper, scissors, with Mira.",
      "You sealed your move.",
      "You opened: Rock. Ignored: it was too early, as not everybody had sealed yet.",
      "Mira sealed a move.",
      "You opened: Rock.",
      "Mira opened: Scissors. Rock beats scissors.",
      "You win against Mira: rock beats scissors.",
      "This rests on 4 signed entries. Final. Nothing the players still write can change it.",
    ]);
  });
});

/** What must hold of every story, whatever its session. */
function expectWhole(one: Pick<SampleView, "view" | "verdict">): void {
  const lines = storyOf(one);
  const moves = lines.filter(({ fact }) => fact.kind === "move" && !fact.waits);
  expect(moves.map(({ entries }) => entries[0])).toEqual(one.view.order.map(({ ref }) => ref));
  expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort((a, b) => a - b));
  const flagged = one.verdict.ok ? [...new Set(one.verdict.flags.map(({ ref }) => ref))] : [];
  const ignored = moves.flatMap(({ entries, fact }) =>
    fact.kind === "move" && fact.ignored !== null ? entries : [],
  );
  expect([...ignored].sort()).toEqual([...flagged].sort());
  expect(lines.filter(({ fact }) => fact.kind === "result")).toHaveLength(1);
  for (const { fact } of lines) {
    const sentence = describeStoryLine(fact, one.view, bySeat(one.view));
    expect(sentence).toMatch(/[.)]$/);
    expect(sentence).not.toMatch(/undefined|null|\[object/);
  }
}

test.each(sampleIndex.map((entry) => [entry.title, entry] as const))(
  "the story of “%s” is whole",
  (_, entry) => {
    expectWhole(readSample(entry));
  },
);

const vectors = JSON.parse(readFileSync("public/vectors/sessions.json", "utf8")) as SessionVector[];

test("of every session among the vectors, the story is whole, with and without its key", () => {
  let stories = 0;
  for (const { records, session, key } of vectors)
    for (const domain of [undefined, key === undefined ? undefined : domainKey(fromHex(`0x${key}`))]) {
      const view = buildView(records, session, { check: checkOnce, domain });
      if (!view.ok) continue;
      expectWhole({ view, verdict: judge(view) });
      stories++;
    }
  expect(stories).toBeGreaterThan(100);
});
