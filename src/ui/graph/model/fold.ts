// Folds runs of entries between which nothing happened: each rests on the one before it alone, and nothing else rests on
// it. A run never crosses a fork, a ref, or a change of state, so that what is folded hides no event.

import type { Entry } from "../../../core/entry.ts";
import { adjacency, byColumn } from "./place-nodes.ts";
import { EDGE_KINDS, NODE_STATES, type SessionGraph } from "./session-graph.ts";

/** Shorter runs stay as they are. */
export const LEAST_RUN = 4;

const CHAIN = EDGE_KINDS.indexOf("chain");
const FOLDABLE = new Set(
  NODE_STATES.flatMap((name, i) => (["passed", "late", "outside"].includes(name) ? [i] : [])),
);

/** For every node the first of its run, or itself; runs whose first node's key is in `open` stay unfolded. */
export function findRuns(graph: SessionGraph, open: ReadonlySet<string>): Uint32Array {
  const head = Uint32Array.from({ length: graph.count }, (_, n) => n);
  const length = new Uint32Array(graph.count).fill(1);
  for (const n of graph.byColumn) {
    const prev = onlyParent(graph, n);
    if (prev < 0 || !isInner(graph, prev) || !isInner(graph, n)) continue;
    if (graph.state[n] !== graph.state[prev] || graph.row[n] !== graph.row[prev]) continue;
    head[n] = head[prev]!;
    length[head[n]]!++;
  }
  for (let n = 0; n < graph.count; n++) {
    const first = head[n]!;
    if (length[first]! < LEAST_RUN || open.has(graph.keys[first]!)) head[n] = n;
  }
  return head;
}

/** One parent, by the chain; at most one child, by the chain. */
function isInner(graph: SessionGraph, node: number): boolean {
  const { children, edges } = graph;
  const kids = children.start[node + 1]! - children.start[node]!;
  if (kids > 1 || !FOLDABLE.has(graph.state[node]!) || onlyParent(graph, node) < 0) return false;
  return kids === 0 || edges.kind[children.list[children.start[node]!]!] === CHAIN;
}

function onlyParent({ parents, edges }: SessionGraph, node: number): number {
  const first = parents.start[node]!;
  if (parents.start[node + 1]! - first !== 1 || edges.kind[parents.list[first]!] !== CHAIN) return -1;
  return edges.to[parents.list[first]!]!;
}

/** The same graph with each run drawn as one node of the run's size, and the columns closed up that this leaves empty. */
export function foldRuns(graph: SessionGraph, open: ReadonlySet<string>): SessionGraph {
  const head = findRuns(graph, open);
  const kept: number[] = [];
  const at = new Uint32Array(graph.count);
  const size: number[] = [];
  for (let n = 0; n < graph.count; n++) {
    if (head[n] !== n) continue;
    at[n] = kept.length;
    kept.push(n);
    size.push(0);
  }
  if (kept.length === graph.count) return graph;
  for (let n = 0; n < graph.count; n++) {
    at[n] = at[head[n]!]!;
    const run = at[n]!;
    size[run] = size[run]! + graph.size[n]!;
  }
  return contract(graph, { kept, at, size: Uint32Array.from(size) });
}

interface Contraction {
  readonly kept: readonly number[];
  readonly at: Uint32Array;
  readonly size: Uint32Array;
}

function contract(graph: SessionGraph, { kept, at, size }: Contraction): SessionGraph {
  const { edges } = graph;
  const keptEdges: number[] = [];
  for (let e = 0; e < edges.count; e++) if (at[edges.from[e]!] !== at[edges.to[e]!]) keptEdges.push(e);
  const from = Uint32Array.from(keptEdges, (e) => at[edges.from[e]!]!);
  const to = Uint32Array.from(keptEdges, (e) => at[edges.to[e]!]!);
  const index = new Map<string, number>();
  for (const [key, n] of graph.index) index.set(key, at[n]!);
  const pick = (list: Uint32Array) => Uint32Array.from(kept, (n) => list[n]!);
  const row = pick(graph.row);
  const column = closeUp(pick(graph.column), graph.columns);
  return {
    ...graph,
    count: kept.length,
    index,
    keys: kept.map((n) => graph.keys[n]!),
    types: kept.map((n) => graph.types[n]!),
    wires: kept.map((n) => graph.wires[n]!),
    entries: kept.map((n): Entry | null => graph.entries[n]!),
    seq: Float64Array.from(kept, (n) => graph.seq[n]!),
    lane: Uint16Array.from(kept, (n) => graph.lane[n]!),
    row,
    column,
    state: Uint8Array.from(kept, (n) => graph.state[n]!),
    tainted: Uint8Array.from(kept, (n) => graph.tainted[n]!),
    size,
    appears: pick(graph.appears),
    edges: { count: keptEdges.length, from, to, kind: Uint8Array.from(keptEdges, (e) => edges.kind[e]!) },
    parents: adjacency(kept.length, from),
    children: adjacency(kept.length, to),
    ...byColumn(column, row),
  };
}

function closeUp(column: Uint32Array, columns: number): Uint32Array {
  const used = new Uint8Array(columns);
  for (const c of column) used[c] = 1;
  const closed = new Uint32Array(columns);
  for (let c = 1; c < columns; c++) closed[c] = closed[c - 1]! + used[c - 1]!;
  return column.map((c) => closed[c]!);
}
