// What each node says, over the sessions that come as examples: by author and type, in the order of the columns.

import { describe, expect, test } from "vitest";
import { buildView } from "../../../core/build-view.ts";
import { readBundle } from "../../../core/bundle.ts";
import { fromHex } from "../../../core/bytes.ts";
import { domainKey } from "../../../core/seal.ts";
import { describeFlag } from "../../../games/describe.ts";
import { judge } from "../../../games/judge.ts";
import { checkOnce } from "../../../testing/build.ts";
import { makeSamples, type Sample } from "../../../testing/samples.ts";
import { buildGraph } from "../model/build-graph.ts";
import { buildFaces, type Face } from "./faces.ts";

const samples = makeSamples().filter(({ entry }) => !entry.file.startsWith("long"));

function facesOf({ entry, bundle }: Sample): { lines: string[]; faces: Map<string, Face> } {
  const read = readBundle(bundle);
  if (!read.ok) throw new Error(read.expected);
  const domain = entry.key === undefined ? undefined : domainKey(fromHex(`0x${entry.key}`));
  const view = buildView(read.records, entry.session, { check: checkOnce, domain });
  if (!view.ok) throw new Error(view.code);
  const graph = buildGraph(view);
  const faces = buildFaces(view, judge(view));
  const map = new Map<string, Face>();
  const lines = Array.from(graph.byColumn, (n) => {
    const face = faces.of(graph, n);
    map.set(graph.keys[n]!, face);
    const lane = graph.lanes[graph.lane[n]!]!.wallet === null ? "-" : "abcdefgh"[graph.lane[n]!];
    const said = `${face.sealed ? "sealed " : ""}${face.text}`.trim();
    return [
      `${lane} ${graph.types[n]}: ${said}`,
      face.standing === "neutral" ? "" : face.standing,
      face.wins ? "wins" : "",
      face.why,
      faces.rounds && face.round !== null ? `round ${face.round}` : "",
    ]
      .filter(Boolean)
      .join(", ");
  });
  return { lines, faces: map };
}

const EXPECTED: { readonly [file: string]: readonly string[] } = {
  "rps-best-of-three": [
    "a invite: Invite",
    "b accept: Accept",
    "a genesis: Start",
    "a commit: sealed Rock, counts, round 1",
    "b commit: sealed Scissors, counts, round 1",
    "a reveal: Rock, counts, wins, round 1",
    "b reveal: Scissors, counts, round 1",
    "a commit: sealed Paper, counts, round 2",
    "b commit: sealed Scissors, counts, round 2",
    "a reveal: Paper, counts, round 2",
    "b reveal: Scissors, counts, wins, round 2",
    "a commit: sealed Scissors, counts, round 3",
    "b commit: sealed Paper, counts, round 3",
    "a reveal: Scissors, counts, wins, round 3",
    "b reveal: Paper, counts, round 3",
  ],
  "vote-open": [
    "a genesis: Start",
    "b vote: library, counts, wins",
    "a vote: harbour, counts",
    "c vote: library, counts, wins",
    "a vote: library, ignored, its author had already voted",
    "d vote: station, counts",
  ],
  "auction-second-price": [
    "a genesis: Start",
    "a commit: sealed 9007199254740993, counts",
    "b commit: sealed 9007199254740992, counts",
    "c commit: sealed 1000, counts",
    "a reveal: 9007199254740993, counts, wins",
    "b reveal: 9007199254740992, counts",
    "c reveal: 1000, counts",
  ],
  "compare-closest": [
    "a genesis: Start",
    "a commit: sealed 480, counts",
    "b commit: sealed 530, counts",
    "c commit: sealed 612, counts",
    "a reveal: 480, counts",
    "b reveal: 530, counts, wins",
    "c reveal: 612, counts",
  ],
  "silent-void": [
    "a genesis: Start",
    "a commit: sealed Rock, counts",
    "b commit: sealed, waiting, never opened",
    "a reveal: Rock, counts",
    "a tick: Tick",
    "a tick: Tick",
  ],
  fork: [
    "a genesis: Start",
    "a commit: sealed, waiting, never opened",
    "b commit: sealed, ignored, its author signed two versions of one entry: a fork",
    "b commit: sealed, ignored, its author signed two versions of one entry: a fork",
    "a evidence: Proof",
  ],
  "copied-commitment": [
    "a genesis: Start",
    "a commit: sealed Scissors, counts",
    "b commit: sealed, waiting",
    "a reveal: Scissors, counts",
    "b reveal: Scissors, ignored, it does not open the author's commitment, or is no value of this game",
  ],
  "late-entry": [
    "a genesis: Start",
    "a tick: Tick",
    "a tick: Tick",
    "b vote: south, counts, wins",
    "a vote: north, ignored, its author had used up its share of 2 entries",
  ],
  "withheld-entry": [
    "a genesis: Start",
    "b missing: ?, waiting, others refer to it, but it is not among the records",
    "a commit: sealed, waiting",
    "a reveal: Rock, waiting, it rests on an entry that is missing",
    "b reveal: Paper, waiting, it rests on an entry that is missing",
  ],
  "tampered-byte": [
    "a genesis: Start",
    "a commit: sealed Rock, counts",
    "b commit: sealed, waiting",
    "a reveal: Rock, counts",
    "b reveal: Paper, ignored, its bytes are not what its author signed: the signature does not fit",
  ],
  "sealed-session": [
    "a genesis: Start",
    "a vote: accept, counts, wins",
    "b vote: decline, counts",
    "c vote: accept, counts, wins",
  ],
};

describe("what the nodes of the examples say", () => {
  test.each(Object.entries(EXPECTED))("%s", (file, lines) => {
    const sample = samples.find(({ entry }) => entry.file.startsWith(`${file}.`))!;
    expect(facesOf(sample).lines).toEqual(lines);
  });

  test("an ignored entry says why, in the words of the game's rules", () => {
    const sample = (name: string) => samples.find(({ entry }) => entry.file.startsWith(name))!;
    for (const [name, code] of [
      ["early-reveal", "early-reveal"],
      ["auction-english", "low-bid"],
    ] as const) {
      const ignored = [...facesOf(sample(name)).faces.values()].filter(
        ({ standing }) => standing === "ignored",
      );
      expect(ignored.map(({ why }) => why)).toEqual([describeFlag(code)]);
    }
  });

  test("without its key a sealed session shows locks and no values", () => {
    const sample = samples.find(({ entry }) => entry.key !== undefined)!;
    const { key: _, ...entry } = sample.entry;
    const { faces } = facesOf({ ...sample, entry });
    const moves = [...faces.values()].filter(({ sealed }) => sealed);
    expect(moves.map(({ text }) => text)).toEqual(["Vote", "Vote", "Vote"]);
  });
});
