// Time travel: the session as it stood after some of its moves, for everybody or for one observer. The resolver runs
// again over what was there; with everything there it is the live view itself. Pure.

import { keepSteps } from "../../core/build-view.ts";
import type { DomainKey } from "../../core/sealed.ts";
import type { Steps } from "../../core/steps.ts";
import type { Address, Ref } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import type { Verdict } from "../../games/game.ts";
import { judgeSteps } from "../../games/judge.ts";
import { pastOf } from "../graph/model/causality.ts";
import { isRefKey, type SessionGraph } from "../graph/model/session-graph.ts";
import type { ShownCut } from "./session-model.ts";

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
  let at = Math.min(view.order.length, most) - 1;
  while (at >= 0 && view.order[at]!.author !== author) at--;
  const last = view.order[at]?.ref;
  const from = last === undefined ? 0 : (graph.index.get(last) ?? 0);
  const seen = pastOf(graph, [from, 0]);
  return there.map((n, i) => n & seen[i]!);
}

/** Nodes looked at in one step. */
const STEP = 4096;

/** The view of those who have the nodes marked 1. Where all are there, the view itself. */
export function* viewSteps(
  graph: SessionGraph,
  view: View,
  there: Uint8Array,
  domain?: DomainKey,
): Steps<View> {
  if (!there.includes(0)) return view;
  const kept = new Set<Ref>();
  for (const [n, key] of graph.keys.entries()) {
    if (there[n] === 1 && isRefKey(key)) kept.add(key);
    if (n % STEP === 0) yield;
  }
  return yield* keepSteps(view, kept, domain);
}

/** What a cut is made of. */
export interface CutOf {
  readonly graph: SessionGraph;
  readonly view: View;
  readonly verdict: Verdict;
  /** Moves that are there; null: all. */
  readonly position: number | null;
  readonly observer: Address | null;
  readonly domain: DomainKey | undefined;
}

/** Whether it is all there is, for everybody: nothing to compute. */
export function isLive({ view, position, observer }: CutOf): boolean {
  return (position === null || position >= view.order.length) && observer === null;
}

/** The session as it stood at the cut, judged anew. */
export function* cutSteps(cut: CutOf): Steps<ShownCut> {
  const { graph, view, verdict, domain } = cut;
  const there = nodesAt(graph, view, cut.position, cut.observer);
  yield;
  const then = yield* viewSteps(graph, view, there, domain);
  return {
    graph,
    there,
    view: then,
    verdict: then === view ? verdict : yield* judgeSteps(then),
    live: isLive(cut),
  };
}
