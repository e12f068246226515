// Rows and columns of the causal graph. A row is a line of a lane (a fork opens another); a column is one more than that
// of whatever the entry rests on, so every edge points to the left. Forged records can't loop it.

import { finish } from "../../core/steps.ts";
import { assignRows } from "./assign-rows.ts";
import type { Drafts } from "./collect-nodes.ts";
import type { Links } from "./link-nodes.ts";
import { NODE_STATES, type Adjacency, type Lane, type SessionGraph } from "./session-graph.ts";

const MISSING = NODE_STATES.indexOf("missing");
const VOID = NODE_STATES.indexOf("void");

export function placeNodes(drafts: Drafts, links: Links): SessionGraph {
  return finish(placeSteps(drafts, links));
}

/** One step a pass over all nodes or edges. */
export function* placeSteps(drafts: Drafts, links: Links): Generator<void, SessionGraph> {
  const { nodes, wallets, index } = drafts;
  const count = nodes.length;
  const edges = {
    count: links.from.length,
    from: Uint32Array.from(links.from),
    to: Uint32Array.from(links.to),
    kind: Uint8Array.from(links.kind),
  };
  const lanesOf = Uint16Array.from(nodes, (node) => node.lane);
  yield;
  const { row, before, rowsOf } = assignRows(drafts, links);
  yield;
  const lanes: Lane[] = [];
  let top = 0;
  for (let lane = 0; lane < wallets.length; lane++) {
    const role = wallets[lane] === null ? "others" : lane < drafts.participants ? "participant" : "creator";
    lanes.push({ wallet: wallets[lane]!, role, rows: rowsOf[lane]!, top });
    top += rowsOf[lane]!;
  }
  for (let n = 0; n < count; n++) row[n] = row[n]! + lanes[lanesOf[n]!]!.top;
  const parents = adjacency(count, edges.from);
  const children = adjacency(count, edges.to);
  yield;
  const state = Uint8Array.from(nodes, (node) => node.state);
  // Only a ghost can be waited for in vain, by a forged ref to what should come later: ghosts are let go first.
  const patience = nodes.map((_, n) => n).sort((a, b) => +(state[b] === MISSING) - +(state[a] === MISSING));
  const { column, sequence, forced } = assignColumns(edges, children, before, patience);
  if (forced) spread(row, column);
  yield;
  const past = { edges, parents, sequence, state };
  const tainted = findTainted(count, past);
  const appears = findAppearance(drafts, past, children);
  yield;
  const columns = byColumn(column, row);
  yield;
  return {
    lanes,
    rows: Math.max(1, top),
    count,
    keys: nodes.map((node) => node.key),
    index,
    types: nodes.map((node) => node.type),
    wires: nodes.map((node) => node.wire),
    entries: nodes.map((node) => node.entry),
    seq: Float64Array.from(nodes, (node) => node.seq),
    lane: lanesOf,
    row,
    column,
    state,
    tainted,
    size: new Uint32Array(count).fill(1),
    appears,
    edges,
    parents,
    children,
    ...columns,
    unplaced: drafts.unplaced,
    omitted: links.omitted,
  };
}

/** Edges by one of their ends. */
export function adjacency(count: number, ends: Uint32Array): Adjacency {
  const start = new Uint32Array(count + 1);
  for (let e = 0; e < ends.length; e++) start[ends[e]! + 1]!++;
  for (let n = 0; n < count; n++) start[n + 1]! += start[n]!;
  const list = new Uint32Array(ends.length);
  const next = start.slice(0, count);
  for (let e = 0; e < ends.length; e++) list[next[ends[e]!]!++] = e;
  return { start, list };
}

/** Nodes by column, each column from top to bottom. */
export function byColumn(
  column: Uint32Array,
  row: Uint32Array,
): Pick<SessionGraph, "byColumn" | "columnStart" | "columns"> {
  let columns = 1;
  for (const c of column) if (c >= columns) columns = c + 1;
  const { start, list } = adjacency(columns, column);
  for (let c = 0; c < columns; c++)
    if (start[c + 1]! - start[c]! > 1)
      list.subarray(start[c], start[c + 1]).sort((a, b) => row[a]! - row[b]! || a - b);
  return { byColumn: list, columnStart: start, columns };
}

/**
 * Longest path from the left, over edges and over the order in each row. Nodes that (by forgery) wait for one another
 * are let go one by one, in the order of `patience`.
 */
function assignColumns(
  edges: { from: Uint32Array; to: Uint32Array },
  children: Adjacency,
  before: Int32Array,
  patience: readonly number[],
): { column: Uint32Array; sequence: Uint32Array; forced: boolean } {
  const count = before.length;
  const after = adjacency(
    count + 1,
    Uint32Array.from(before, (b) => (b < 0 ? count : b)),
  );
  const waits = new Uint32Array(count);
  for (const n of edges.from) waits[n]!++;
  for (let n = 0; n < count; n++) if (before[n]! >= 0) waits[n]!++;
  const column = new Uint32Array(count);
  const sequence = new Uint32Array(count);
  const done = new Uint8Array(count);
  let queued = 0;
  const queue = (n: number) => {
    if (done[n] === 1) return;
    done[n] = 1;
    sequence[queued++] = n;
  };
  const settle = (child: number, parent: number) => {
    if (done[child] === 1) return;
    if (column[child]! <= column[parent]!) column[child] = column[parent]! + 1;
    if (--waits[child]! === 0) queue(child);
  };
  for (let n = 0; n < count; n++) if (waits[n] === 0) queue(n);
  let stuck = 0;
  for (let at = 0; at < count; at++) {
    while (at === queued) queue(patience[stuck++]!);
    const n = sequence[at]!;
    for (let i = children.start[n]!; i < children.start[n + 1]!; i++)
      settle(edges.from[children.list[i]!]!, n);
    for (let i = after.start[n]!; i < after.start[n + 1]!; i++) settle(after.list[i]!, n);
  }
  return { column, sequence, forced: stuck > 0 };
}

/** No two nodes at one place: the later one moves to the right. */
function spread(row: Uint32Array, column: Uint32Array): void {
  const taken = new Set<string>();
  for (let n = 0; n < row.length; n++) {
    while (taken.has(`${row[n]}:${column[n]}`)) column[n]!++;
    taken.add(`${row[n]}:${column[n]}`);
  }
}

interface Past {
  readonly edges: { readonly from: Uint32Array; readonly to: Uint32Array };
  readonly parents: Adjacency;
  readonly sequence: Uint32Array;
  readonly state: Uint8Array;
}

function findTainted(count: number, { edges, parents, sequence, state }: Past): Uint8Array {
  const tainted = new Uint8Array(count);
  for (const n of sequence)
    for (let i = parents.start[n]!; i < parents.start[n + 1]!; i++) {
      const parent = edges.to[parents.list[i]!]!;
      if (state[parent] === VOID || tainted[parent] === 1) tainted[n] = 1;
    }
  return tainted;
}

/** Moves appear one by one in their order; anything else as soon as all that it rests on is there. */
function findAppearance(drafts: Drafts, past: Past, children: Adjacency): Uint32Array {
  const { edges, parents, sequence, state } = past;
  const appears = new Uint32Array(drafts.nodes.length);
  for (const n of sequence) {
    const { order } = drafts.nodes[n]!;
    if (order >= 0) appears[n] = order + 1;
    else
      for (let i = parents.start[n]!; i < parents.start[n + 1]!; i++) {
        const parent = edges.to[parents.list[i]!]!;
        if (state[parent] !== MISSING && appears[parent]! > appears[n]!) appears[n] = appears[parent]!;
      }
  }
  for (let n = 0; n < appears.length; n++) {
    if (state[n] !== MISSING) continue;
    let first = 0xffffffff;
    for (let i = children.start[n]!; i < children.start[n + 1]!; i++)
      first = Math.min(first, appears[edges.from[children.list[i]!]!]!);
    appears[n] = first;
  }
  return appears;
}
