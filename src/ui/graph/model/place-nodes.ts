// Rows and columns of the causal graph. A row is a line of a lane (a fork opens another); a column is one more than that
// of whatever the entry rests on, so every edge points to the left. Forged records can't loop it.

import { finish, type Steps } from "../../../core/steps.ts";
import { rowSteps } from "./assign-rows.ts";
import type { DraftNode, Drafts } from "./collect-nodes.ts";
import type { Links } from "./link-nodes.ts";
import { NODE_STATES, type Adjacency, type Lane, type SessionGraph } from "./session-graph.ts";

const MISSING = NODE_STATES.indexOf("missing");
const VOID = NODE_STATES.indexOf("void");

export function placeNodes(drafts: Drafts, links: Links): SessionGraph {
  return finish(placeSteps(drafts, links));
}

/** Nodes or columns looked at in one step; what is a plain pass over numbers is one step whole. */
const STEP = 4096;

export function* placeSteps(drafts: Drafts, links: Links): Steps<SessionGraph> {
  const { nodes, wallets, index } = drafts;
  const count = nodes.length;
  const edges = {
    count: links.from.length,
    from: Uint32Array.from(links.from),
    to: Uint32Array.from(links.to),
    kind: Uint8Array.from(links.kind),
  };
  yield;
  const { row, before, rowsOf } = yield* rowSteps(drafts, links);
  const lanesOf = new Uint16Array(count);
  const seq = new Float64Array(count);
  const state = new Uint8Array(count);
  const columns = { keys: [] as string[], types: [] as string[], wires: [] as DraftNode["wire"][] };
  const entries: DraftNode["entry"][] = [];
  for (const [n, node] of nodes.entries()) {
    lanesOf[n] = node.lane;
    seq[n] = node.seq;
    state[n] = node.state;
    columns.keys.push(node.key);
    columns.types.push(node.type);
    columns.wires.push(node.wire);
    entries.push(node.entry);
    if (n % STEP === 0) yield;
  }
  const lanes: Lane[] = [];
  let top = 0;
  for (let lane = 0; lane < wallets.length; lane++) {
    const role = wallets[lane] === null ? "others" : lane < drafts.participants ? "participant" : "creator";
    lanes.push({ wallet: wallets[lane]!, role, rows: rowsOf[lane]!, top });
    top += rowsOf[lane]!;
  }
  for (let n = 0; n < count; n++) row[n] = row[n]! + lanes[lanesOf[n]!]!.top;
  yield;
  const parents = adjacency(count, edges.from);
  yield;
  const children = adjacency(count, edges.to);
  yield;
  const { column, sequence, forced } = yield* columnSteps({ edges, children, before, state });
  if (forced) spread(row, column);
  yield;
  const past = { edges, parents, sequence, state };
  const tainted = findTainted(count, past);
  yield;
  const appears = findAppearance(drafts, past, children);
  yield;
  const byColumn = yield* byColumnSteps(column, row);
  return {
    lanes,
    rows: Math.max(1, top),
    count,
    index,
    ...columns,
    entries,
    seq,
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
    ...byColumn,
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

type Columns = Pick<SessionGraph, "byColumn" | "columnStart" | "columns">;

/** Nodes by column, each column from top to bottom. */
export function byColumn(column: Uint32Array, row: Uint32Array): Columns {
  return finish(byColumnSteps(column, row));
}

function* byColumnSteps(column: Uint32Array, row: Uint32Array): Steps<Columns> {
  let columns = 1;
  for (const c of column) if (c >= columns) columns = c + 1;
  const { start, list } = adjacency(columns, column);
  yield;
  for (let c = 0; c < columns; c++) {
    if (start[c + 1]! - start[c]! > 1)
      list.subarray(start[c], start[c + 1]).sort((a, b) => row[a]! - row[b]! || a - b);
    if (c % STEP === 0) yield;
  }
  return { byColumn: list, columnStart: start, columns };
}

interface Waiting {
  readonly edges: { readonly from: Uint32Array; readonly to: Uint32Array };
  readonly children: Adjacency;
  readonly before: Int32Array;
  readonly state: Uint8Array;
}

/**
 * Longest path from the left, over edges and over the order in each row. Nodes that (by forgery) wait for one another
 * are let go one by one, ghosts first: only a ghost can be waited for in vain, by a forged ref to what should come later.
 */
function* columnSteps({ edges, children, before, state }: Waiting) {
  const count = before.length;
  const after = adjacency(
    count + 1,
    Uint32Array.from(before, (b) => (b < 0 ? count : b)),
  );
  yield;
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
  yield;
  const patience = ghostsFirst(state);
  let stuck = 0;
  for (let at = 0; at < count; at++) {
    while (at === queued) queue(patience[stuck++]!);
    const n = sequence[at]!;
    for (let i = children.start[n]!; i < children.start[n + 1]!; i++)
      settle(edges.from[children.list[i]!]!, n);
    for (let i = after.start[n]!; i < after.start[n + 1]!; i++) settle(after.list[i]!, n);
    if (at % STEP === 0) yield;
  }
  return { column, sequence, forced: stuck > 0 };
}

function ghostsFirst(state: Uint8Array): Uint32Array {
  const list = new Uint32Array(state.length);
  let at = 0;
  for (let n = 0; n < state.length; n++) if (state[n] === MISSING) list[at++] = n;
  for (let n = 0; n < state.length; n++) if (state[n] !== MISSING) list[at++] = n;
  return list;
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
