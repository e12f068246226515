// Time travel: the session as it stood after some of its moves, for everybody or for one observer. The resolver runs
// again over what was there; with everything there it is the live view itself. Pure.

import { keepMoves } from "../../core/build-view.ts";
import type { DomainKey } from "../../core/sealed.ts";
import type { Address, Ref } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import { pastOf } from "../graph/causality.ts";
import { isRefKey, type SessionGraph } from "../graph/session-graph.ts";

/** 1 for every node that is there after `cut` moves (null: all), as far as the observer had seen. */
export function nodesAt(
  graph: SessionGraph,
  view: View,
  cut: number | null,
  observer: Address | null,
): Uint8Array {
  const there = new Uint8Array(graph.count);
  const most = cut ?? Infinity;
  for (let n = 0; n < graph.count; n++) there[n] = graph.appears[n]! <= most ? 1 : 0;
  if (observer === null) return there;
  const author = view.participants.indexOf(observer);
  let last: Ref | undefined;
  for (const move of view.order.slice(0, Math.min(view.order.length, most)))
    if (move.author === author) last = move.ref;
  const from = last === undefined ? 0 : (graph.index.get(last) ?? 0);
  const seen = pastOf(graph, [from, 0]);
  return there.map((n, i) => n & seen[i]!);
}

/** The view of those who have the nodes marked 1. Where all are there, the view itself. */
export function viewAt(graph: SessionGraph, view: View, there: Uint8Array, domain?: DomainKey): View {
  if (!there.includes(0)) return view;
  const kept = new Set<Ref>();
  graph.keys.forEach((key, n) => {
    if (there[n] === 1 && isRefKey(key)) kept.add(key);
  });
  return keepMoves(view, kept, domain);
}
