// What an entry had seen, what had seen it, and what is concurrent with it, over the drawn graph: walks with a list of
// their own, so that a chain of any length is no recursion. A ref to an entry that a fault made void adds nothing but
// that entry.

import { NODE_STATES, type Adjacency, type SessionGraph } from "./session-graph.ts";

const VOID = NODE_STATES.indexOf("void");

/** 1 for every node in the causal past of the given ones, themselves included. O(nodes + edges). */
export function pastOf(graph: SessionGraph, nodes: readonly number[]): Uint8Array {
  return reach(graph, nodes, "parents");
}

/** 1 for every node that has one of the given in its past, themselves included. */
export function futureOf(graph: SessionGraph, nodes: readonly number[]): Uint8Array {
  return reach(graph, nodes, "children");
}

function reach(graph: SessionGraph, nodes: readonly number[], way: "parents" | "children"): Uint8Array {
  const { start, list }: Adjacency = graph[way];
  const far = way === "parents" ? graph.edges.to : graph.edges.from;
  const { state } = graph;
  // 1: reached; 2: passed through as well. A void entry may be reached first from where nothing goes through it.
  const reached = new Uint8Array(graph.count);
  const open: number[] = [];
  for (const n of nodes) {
    reached[n] = 2;
    open.push(n);
  }
  const starts = new Set(nodes);
  for (let n = open.pop(); n !== undefined; n = open.pop())
    for (let i = start[n]!; i < start[n + 1]!; i++) {
      const next = far[list[i]!]!;
      if (way === "children" && state[n] === VOID && state[next] !== VOID && !starts.has(n)) continue;
      const through = way === "children" || state[next] !== VOID || state[n] === VOID;
      if (reached[next]! < (through ? 2 : 1)) {
        reached[next] = through ? 2 : 1;
        if (through) open.push(next);
      }
    }
  return reached.map((r) => (r > 0 ? 1 : 0));
}

/** Nodes that an entry refers to, its predecessor first. */
export function parentsOf(graph: SessionGraph, node: number): number[] {
  const { start, list } = graph.parents;
  return Array.from(list.subarray(start[node], start[node + 1]), (edge) => graph.edges.to[edge]!);
}

/** Nodes that refer to an entry. */
export function childrenOf(graph: SessionGraph, node: number): number[] {
  const { start, list } = graph.children;
  return Array.from(list.subarray(start[node], start[node + 1]), (edge) => graph.edges.from[edge]!);
}
