// Graphs made without entries, for tests and benchmarks: drawn by hand in one line a node, or large and seeded.

import type { DraftNode, Drafts } from "./collect-nodes.ts";
import type { Links } from "./link-nodes.ts";
import { placeNodes } from "./place-nodes.ts";
import { EDGE_KINDS, NODE_STATES, type NodeState, type SessionGraph } from "./session-graph.ts";

export interface SampleNode {
  readonly name: string;
  readonly lane: number;
  readonly seq: number;
  readonly prev?: string;
  readonly refs?: readonly string[];
  readonly type?: string;
  readonly state?: NodeState;
}

const CHAIN = EDGE_KINDS.indexOf("chain");
const REF = EDGE_KINDS.indexOf("ref");

/** A graph with the nodes given, parents first; the keys are their names. */
export function sampleGraph(lanes: number, nodes: readonly SampleNode[]): SessionGraph {
  const index = new Map(nodes.map(({ name }, n) => [name, n]));
  const links: Links = { from: [], to: [], kind: [], omitted: 0 };
  const link = (from: number, to: string, kind: number) => {
    links.from.push(from);
    links.to.push(index.get(to)!);
    links.kind.push(kind);
  };
  nodes.forEach(({ prev, refs = [] }, n) => {
    if (prev !== undefined) link(n, prev, CHAIN);
    for (const ref of refs) link(n, ref, REF);
  });
  const drafts: Drafts = {
    nodes: nodes.map(draft),
    index,
    wallets: Array.from({ length: lanes }, (_, i) => `0x${String(i).padStart(40, "0")}` as const),
    participants: lanes,
    unplaced: 0,
  };
  return placeNodes(drafts, links);
}

function draft({ name, lane, seq, type = "tick", state = "passed" }: SampleNode, order: number): DraftNode {
  return {
    key: name,
    lane,
    seq,
    type,
    state: NODE_STATES.indexOf(state),
    wire: null,
    entry: null,
    prev: null,
    refs: [],
    order,
  };
}

const TYPES = ["commit", "reveal", "vote", "bid", "tick"];

/** `count` entries in `lanes` lanes, each referring to the last entry of about two other lanes. */
export function largeGraph(count: number, lanes: number, random: () => number): SessionGraph {
  const last: (string | undefined)[] = [];
  const nodes: SampleNode[] = [];
  for (let n = 0; n < count; n++) {
    const lane = n < lanes ? n : Math.floor(random() * lanes);
    const refs = new Set<string>();
    for (let k = 0; k < 2; k++) {
      const other = last[Math.floor(random() * lanes)];
      if (other !== undefined && other !== last[lane]) refs.add(other);
    }
    const name = `n${n}`;
    const prev = last[lane];
    const type = TYPES[Math.floor(random() * TYPES.length)]!;
    const state: NodeState = n % 997 === 996 ? "failed" : n % 499 === 498 ? "late" : "passed";
    nodes.push({ name, lane, seq: n, type, state, refs: [...refs], ...(prev !== undefined && { prev }) });
    last[lane] = name;
  }
  return sampleGraph(lanes, nodes);
}
