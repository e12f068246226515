// What is drawn for a face: each standing and state is told apart without colour.

import { expect, test } from "vitest";
import { NODE_STATES } from "../model/session-graph.ts";
import { sampleGraph } from "../model/sample-graph.ts";
import type { Face, Faces, Standing } from "./faces.ts";
import { PLAIN_FACES } from "./faces.ts";
import { drawNode, MOST_TEXT, shorten } from "./node-drawing.ts";
import { describeFacts, factsOf } from "./node-facts.ts";

const FACE: Face = { text: "Rock", sealed: false, standing: "counts", why: "", wins: false, round: null };
const facesWith = (part: Partial<Face>): Faces => ({ ...PLAIN_FACES, of: () => ({ ...FACE, ...part }) });
const graphOf = (state: (typeof NODE_STATES)[number]) =>
  sampleGraph(1, [{ name: "n", lane: 0, seq: 0, type: "reveal", state }]);
/** What is left of a drawing on grey paper. */
const grey = (state: (typeof NODE_STATES)[number], part: Partial<Face>) => {
  const { tone: _, width: __, ...rest } = drawNode(graphOf(state), 0, facesWith(part));
  return JSON.stringify(rest);
};

test("counted, ignored, waiting, winning and sealed differ without colour", () => {
  const standings: Standing[] = ["counts", "ignored", "waiting"];
  const drawn = [
    ...standings.map((standing) => grey("passed", { standing })),
    grey("passed", { wins: true }),
    grey("passed", { sealed: true, text: "" }),
  ];
  expect(new Set(drawn).size).toBe(drawn.length);
});

test("every state but outside is told apart without colour", () => {
  const standing = { failed: "ignored", void: "ignored", late: "ignored", passed: "counts" } as const;
  const states = NODE_STATES.filter((state) => state !== "outside");
  const drawn = states.map((state) =>
    grey(state, { standing: state in standing ? standing[state as keyof typeof standing] : "waiting" }),
  );
  expect(new Set(drawn).size).toBe(drawn.length);
});

test("long values are shortened in the middle, and what is invisible shows its code", () => {
  expect(shorten("9007199254740993")).toBe("9007…0993");
  expect(shorten("harbour")).toBe("harbour");
  expect([...shorten("x".repeat(300))].length).toBe(MOST_TEXT);
  expect(shorten("a\u202eb", 20)).toBe("a[U+202E]b");
});

test("the facts read as sentences, with the round where there are rounds", () => {
  const faces = { ...facesWith({ wins: true, round: 2 }), rounds: true };
  const text = describeFacts(factsOf(graphOf("passed"), 0, faces), () => "Mira");
  expect(text).toBe("Mira opened: Rock. Counts. Won round 2.");
  const ignored = facesWith({ standing: "ignored", why: "its author had already voted" });
  expect(describeFacts(factsOf(graphOf("passed"), 0, ignored), () => "Mira")).toBe(
    "Mira opened: Rock. Does not count: its author had already voted.",
  );
});
