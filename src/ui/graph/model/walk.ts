// Going through the graph by keyboard: along a row, between lanes, to parents, children and concurrent entries.

import { childrenOf, futureOf, parentsOf, pastOf } from "./causality.ts";
import type { SessionGraph } from "./session-graph.ts";

export type Step = "next" | "previous" | "up" | "down" | "parent" | "child" | "concurrent" | "first" | "last";

/** Keys of the graph, as KeyboardEvent.key has them; `back` and opening are the component's own. */
export const STEP_KEYS: { readonly [key: string]: Step } = {
  ArrowRight: "next",
  ArrowLeft: "previous",
  ArrowUp: "up",
  ArrowDown: "down",
  p: "parent",
  c: "child",
  x: "concurrent",
  Home: "first",
  End: "last",
};

/** Where a step leads, or undefined where there is nothing that way. */
export function walk(graph: SessionGraph, node: number, step: Step): number | undefined {
  switch (step) {
    case "next":
      return alongRow(graph, node, 1);
    case "previous":
      return alongRow(graph, node, -1) ?? parentsOf(graph, node)[0];
    case "up":
      return nearestInRow(graph, node, -1);
    case "down":
      return nearestInRow(graph, node, 1);
    case "parent":
      return fromOthers(graph, node, parentsOf(graph, node));
    case "child":
      return fromOthers(graph, node, childrenOf(graph, node));
    case "concurrent":
      return nextConcurrent(graph, node);
    case "first":
      return graph.byColumn[0];
    case "last":
      return graph.byColumn[graph.count - 1];
  }
}

function alongRow(graph: SessionGraph, node: number, by: 1 | -1): number | undefined {
  for (let c = graph.column[node]! + by; c >= 0 && c < graph.columns; c += by)
    for (let i = graph.columnStart[c]!; i < graph.columnStart[c + 1]!; i++)
      if (graph.row[graph.byColumn[i]!] === graph.row[node]) return graph.byColumn[i];
  return undefined;
}

/** The entry nearest in time in the next row, up or down, that has any. */
function nearestInRow(graph: SessionGraph, node: number, by: 1 | -1): number | undefined {
  let best: number | undefined;
  for (let n = 0; n < graph.count; n++) {
    const away = (graph.row[n]! - graph.row[node]!) * by;
    if (away <= 0) continue;
    if (best === undefined) best = n;
    else {
      const bestAway = (graph.row[best]! - graph.row[node]!) * by;
      const far = Math.abs(graph.column[n]! - graph.column[node]!);
      const bestFar = Math.abs(graph.column[best]! - graph.column[node]!);
      if (away < bestAway || (away === bestAway && far < bestFar)) best = n;
    }
  }
  return best;
}

/** Prefers another wallet's entry: along the own lane the arrows lead already. */
function fromOthers(graph: SessionGraph, node: number, list: readonly number[]): number | undefined {
  return list.find((n) => graph.lane[n] !== graph.lane[node]) ?? list[0];
}

/** The next entry, lane after lane, that neither had seen this one nor was seen by it. */
function nextConcurrent(graph: SessionGraph, node: number): number | undefined {
  const past = pastOf(graph, [node]);
  const future = futureOf(graph, [node]);
  let best: number | undefined;
  let bestKey = Infinity;
  for (let n = 0; n < graph.count; n++) {
    if (past[n] === 1 || future[n] === 1) continue;
    const rows = (graph.row[n]! - graph.row[node]! + graph.rows) % graph.rows;
    const key = rows * graph.columns * 2 + Math.abs(graph.column[n]! - graph.column[node]!);
    if (key < bestKey) {
      best = n;
      bestKey = key;
    }
  }
  return best;
}
