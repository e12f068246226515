// What lights up when an entry is pointed at: its past, and what saw it. Pure.

import { futureOf, pastOf } from "./causality.ts";
import type { SessionGraph } from "./session-graph.ts";

export interface Light {
  /** 1 for the entry, its past and what saw it. */
  readonly lit: Uint8Array;
  /** How many it had seen, and how many saw it, without itself. */
  readonly past: number;
  readonly future: number;
}

export function lightOf(graph: SessionGraph, node: number): Light {
  const past = pastOf(graph, [node]);
  const future = futureOf(graph, [node]);
  const lit = past.map((seen, n) => (seen === 1 || future[n] === 1 ? 1 : 0));
  return { lit, past: count(graph, past) - 1, future: count(graph, future) - 1 };
}

function count({ size }: SessionGraph, marked: Uint8Array): number {
  let sum = 0;
  for (let n = 0; n < marked.length; n++) if (marked[n] === 1) sum += size[n]!;
  return sum;
}
