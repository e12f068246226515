// Which nodes a filter shows. Pure; one pass, and two more walks for what is before, after or concurrent.

import type { View } from "../../core/view.ts";
import { futureOf, pastOf } from "../graph/model/causality.ts";
import { stateOf, walletOf, type SessionGraph } from "../graph/model/session-graph.ts";
import { isFiltered, type Filters } from "./inspector-params.ts";

/** 1 for every node that passes; null where nothing is filtered. `selected`: the node that relations are about, or -1. */
export function filterNodes(graph: SessionGraph, filters: Filters, selected: number): Uint8Array | null {
  if (!isFiltered(filters)) return null;
  const types = new Set(filters.types);
  const wallets = new Set(filters.wallets);
  const states = new Set(filters.states);
  const related = relatedTo(graph, filters.relation, selected);
  const shown = new Uint8Array(graph.count);
  for (let n = 0; n < graph.count; n++) {
    const wallet = walletOf(graph, n);
    const passes =
      (types.size === 0 || types.has(graph.types[n]!)) &&
      (wallets.size === 0 || (wallet !== null && wallets.has(wallet))) &&
      (states.size === 0 || states.has(stateOf(graph, n))) &&
      (related === null || related[n] === 1);
    shown[n] = passes ? 1 : 0;
  }
  return shown;
}

function relatedTo(graph: SessionGraph, relation: Filters["relation"], selected: number): Uint8Array | null {
  if (relation === null || selected < 0) return null;
  if (relation === "before") return pastOf(graph, [selected]);
  if (relation === "after") return futureOf(graph, [selected]);
  const past = pastOf(graph, [selected]);
  const future = futureOf(graph, [selected]);
  return past.map((p, n) => (n === selected || (p === 0 && future[n] === 0) ? 1 : 0));
}

/** What is not shown is drawn faintly: 1 for faint, null where nothing is. */
export function dimOf(there: Uint8Array | null, shown: Uint8Array | null): Uint8Array | null {
  if (there === null && shown === null) return null;
  const some = (there ?? shown)!;
  const dim = some.map((_, n) => ((there?.[n] ?? 1) === 1 && (shown?.[n] ?? 1) === 1 ? 0 : 1));
  return dim.includes(1) ? dim : null;
}

export interface Choice {
  readonly value: string;
  readonly count: number;
}

/** Types that occur, with how often. */
export const typesOf = oncePerGraph((graph): readonly Choice[] =>
  count(graph.types.filter((_, n) => stateOf(graph, n) !== "missing")),
);

/** States that occur, with how often. */
export const statesOf = oncePerGraph((graph): readonly Choice[] =>
  count(graph.keys.map((_, n) => stateOf(graph, n))),
);

/** A graph never changes, and the tabs that need such an answer are opened again and again. */
export function oncePerGraph<T>(compute: (graph: SessionGraph) => T): (graph: SessionGraph) => T {
  const known = new WeakMap<SessionGraph, T>();
  return (graph) => {
    let value = known.get(graph);
    if (value === undefined) known.set(graph, (value = compute(graph)));
    return value;
  };
}

function count(values: readonly string[]): readonly Choice[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, n]) => ({ value, count: n }));
}

/** Patterns worth a look, each as the nodes that show it. */
export interface Motif {
  readonly id: "commit-without-reveal" | "early-reveal" | "refs-to-missing" | "concurrent";
  readonly title: string;
  readonly keys: readonly string[];
}

/** Ready motifs of a view; only those that occur. */
export function motifsOf(graph: SessionGraph, view: View): readonly Motif[] {
  const revealed = view.order.filter(({ entry }) => entry.type === "reveal");
  const committed = view.order.filter(({ entry }) => entry.type === "commit");
  const opened = new Set(revealed.map(({ author, body }) => roundKey(author, body)));
  const unopened = committed.filter(({ author, body }) => !opened.has(roundKey(author, body)));
  const missing = view.pending.map(({ entry }) => entry.ref);
  const first = new Map(committed.map((move) => [move.author, move] as const).reverse());
  const early = revealed.filter(
    ({ clock }) =>
      first.size < view.participants.length ||
      [...first].some(([author, move]) => clock[author]! < move.place),
  );
  const motifs: Motif[] = [
    { id: "commit-without-reveal", title: "Commit never opened", keys: unopened.map(({ ref }) => ref) },
    { id: "early-reveal", title: "Opened before all had committed", keys: early.map(({ ref }) => ref) },
    { id: "refs-to-missing", title: "Rests on something missing", keys: missing },
  ];
  return motifs.filter(({ keys }) => keys.some((key) => graph.index.has(key)));
}

function roundKey(author: number, body: { readonly [key: string]: unknown }): string {
  return `${author}:${typeof body["round"] === "number" ? body["round"] : 1}`;
}
