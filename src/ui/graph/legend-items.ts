// What the legend explains: only what occurs in this graph. Pure.

import { STATE_WORDS } from "./draw/glyphs.ts";
import type { Faces } from "./faces/faces.ts";
import type { NodeDrawing } from "./faces/node-drawing.ts";
import {
  EDGE_KINDS,
  NODE_STATES,
  type EdgeKind,
  type NodeState,
  type SessionGraph,
} from "./model/session-graph.ts";

export interface LegendItem {
  readonly says: string;
  readonly drawing: NodeDrawing;
}

export interface LegendLine {
  readonly says: string;
  readonly kind: EdgeKind;
}

export interface LegendContent {
  readonly nodes: readonly LegendItem[];
  readonly lines: readonly LegendLine[];
  readonly tainted: boolean;
}

export function legendOf(graph: SessionGraph, faces: Faces): LegendContent {
  const states = new Set<NodeState>();
  for (let n = 0; n < graph.count; n++) states.add(NODE_STATES[graph.state[n]!]!);
  const kinds = new Set<EdgeKind>();
  for (let e = 0; e < graph.edges.count; e++) kinds.add(EDGE_KINDS[graph.edges.kind[e]!]!);
  const nodes: LegendItem[] = [];
  const { occurs } = faces;
  if (occurs.counts) nodes.push({ says: "counts", drawing: sample({ solid: true }) });
  if (occurs.wins) nodes.push({ says: "won", drawing: sample({ solid: true, star: true, text: "★" }) });
  if (occurs.sealed) nodes.push({ says: "sealed move", drawing: sample({ shape: "card", lock: true }) });
  if (occurs.waiting) nodes.push({ says: "does not count, or not yet", drawing: sample({}) });
  if (occurs.ignored)
    nodes.push({ says: "ignored: point at it for the reason", drawing: sample({ struck: true }) });
  for (const state of NODE_STATES)
    if (states.has(state) && STATE_SAMPLES[state] !== undefined)
      nodes.push({ says: STATE_WORDS[state], drawing: sample(STATE_SAMPLES[state]) });
  const lines = (Object.keys(LINES) as (keyof typeof LINES)[]).flatMap((kind) =>
    kinds.has(kind) ? [{ kind, says: LINES[kind] }] : [],
  );
  return { nodes, lines, tainted: graph.tainted.includes(1) };
}

const STATE_SAMPLES: { readonly [state in NodeState]?: Partial<NodeDrawing> } = {
  failed: { shape: "octagon", tone: "fail", text: "✕" },
  missing: { shape: "hole", border: "dashed", tone: "quiet", text: "?" },
  unchecked: { border: "dotted" },
  void: { border: "dashed", tone: "fail", struck: true },
  pending: { border: "dashed" },
  late: { border: "double", struck: true },
};

const LINES = {
  ref: "seen by",
  chain: "same log, in order",
  genesis: "entered the session",
  gap: "gap in a log",
} as const;

function sample(parts: Partial<NodeDrawing>): NodeDrawing {
  return {
    shape: "pill",
    text: "",
    lock: false,
    solid: false,
    struck: false,
    star: false,
    border: "solid",
    tone: "lane",
    width: 40,
    ...parts,
  };
}
