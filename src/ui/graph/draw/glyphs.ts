// How a type of entry looks: a shape and a letter, so that colour (the wallet) is never needed to tell them apart.

import type { NodeState } from "../model/session-graph.ts";

/** Shapes that both cytoscape and the legend can draw. */
export type Shape =
  | "ellipse"
  | "round-rectangle"
  | "diamond"
  | "hexagon"
  | "pentagon"
  | "triangle"
  | "octagon"
  | "barrel"
  | "tag";

export interface Glyph {
  readonly shape: Shape;
  readonly letter: string;
}

const GLYPHS = new Map<string, Glyph>([
  ["genesis", { shape: "hexagon", letter: "G" }],
  ["invite", { shape: "tag", letter: "I" }],
  ["accept", { shape: "tag", letter: "A" }],
  ["commit", { shape: "round-rectangle", letter: "C" }],
  ["reveal", { shape: "diamond", letter: "R" }],
  ["vote", { shape: "pentagon", letter: "V" }],
  ["bid", { shape: "barrel", letter: "B" }],
  ["pass", { shape: "barrel", letter: "P" }],
  ["tick", { shape: "ellipse", letter: "·" }],
  ["evidence", { shape: "triangle", letter: "!" }],
]);

/** The glyph of an entry; a state in which nothing of it counts shows before its type. */
export function glyphOf(type: string, state: NodeState, size = 1): Glyph {
  if (state === "failed") return { shape: "octagon", letter: "✕" };
  if (state === "missing") return { shape: "ellipse", letter: "?" };
  if (size > 1) return { shape: "round-rectangle", letter: `+${size}` };
  return GLYPHS.get(type) ?? { shape: "ellipse", letter: letterOf(type) };
}

function letterOf(type: string): string {
  const first = type.codePointAt(0) ?? 0;
  return first >= 97 && first <= 122 ? String.fromCodePoint(first - 32) : "?";
}

export const STATE_WORDS: { readonly [state in NodeState]: string } = {
  passed: "passed",
  failed: "failed a check",
  late: "late: after its author's share",
  pending: "pending: rests on something missing",
  unchecked: "signature not checked",
  void: "void: at or after a fork",
  outside: "not of this session",
  missing: "missing: referred to, not here",
};

/** One word for tables and badges. */
export const STATE_NAMES: { readonly [state in NodeState]: string } = {
  passed: "passed",
  failed: "failed",
  late: "late",
  pending: "pending",
  unchecked: "not checked",
  void: "void",
  outside: "outside",
  missing: "missing",
};
