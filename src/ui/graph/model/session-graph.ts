// The causal graph of a session as arrays: what the picture, its table and its keyboard walk all read. Positions are
// counted (lane, row, column), not searched for by a layout engine.

import type { Entry } from "../../../core/entry.ts";
import type { Address, Ref } from "../../../core/values.ts";

/** What is known of an entry, the worst first. `outside`: valid, in a lane, but no entry of the session. */
export const NODE_STATES = [
  "failed",
  "missing",
  "unchecked",
  "void",
  "pending",
  "late",
  "outside",
  "passed",
] as const;
export type NodeState = (typeof NODE_STATES)[number];

/** `gap`: an edge into the place of something missing in the author's own log. */
export const EDGE_KINDS = ["chain", "ref", "genesis", "gap"] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

export interface Lane {
  /** null: the shared lane of wallets that write into the session without being part of it. */
  readonly wallet: Address | null;
  readonly role: "participant" | "creator" | "others";
  /** Rows of the lane: 1, and one more for each branch of a fork. */
  readonly rows: number;
  /** Number of rows above it. */
  readonly top: number;
}

/** A node's parents or children: `list.subarray(start[n], start[n + 1])` are indices of edges. */
export interface Adjacency {
  readonly start: Uint32Array;
  readonly list: Uint32Array;
}

export interface GraphEdges {
  readonly count: number;
  /** The entry that refers. */
  readonly from: Uint32Array;
  /** What it refers to, further left. */
  readonly to: Uint32Array;
  readonly kind: Uint8Array;
}

export interface SessionGraph {
  readonly lanes: readonly Lane[];
  readonly rows: number;
  readonly columns: number;
  readonly count: number;
  /** The entry's ref (also of one that is missing), or `record:<hash of its bytes>` of a record that is no entry. */
  readonly keys: readonly string[];
  readonly index: ReadonlyMap<string, number>;
  readonly types: readonly string[];
  readonly wires: readonly (string | null)[];
  readonly entries: readonly (Entry | null)[];
  readonly seq: Float64Array;
  readonly lane: Uint16Array;
  /** Counted from the top of the picture. */
  readonly row: Uint32Array;
  readonly column: Uint32Array;
  readonly state: Uint8Array;
  /** 1: something void by a fault is in its causal past. */
  readonly tainted: Uint8Array;
  /** Entries that the node stands for: 1, or more in a folded run. */
  readonly size: Uint32Array;
  /** How many moves of the session's order must be shown before it can have been there. */
  readonly appears: Uint32Array;
  readonly edges: GraphEdges;
  readonly parents: Adjacency;
  readonly children: Adjacency;
  /** Nodes by column, then row: `byColumn.subarray(columnStart[c], columnStart[c + 1])`. */
  readonly byColumn: Uint32Array;
  readonly columnStart: Uint32Array;
  /** Records that have no place in the picture: their author or place can't be read. */
  readonly unplaced: number;
  /** Missing entries beyond the first MAX_GHOSTS, which are not drawn. */
  readonly omitted: number;
}

export function stateOf(graph: SessionGraph, node: number): NodeState {
  return NODE_STATES[graph.state[node]!]!;
}

export function edgeKindOf(graph: SessionGraph, edge: number): EdgeKind {
  return EDGE_KINDS[graph.edges.kind[edge]!]!;
}

/** The wallet of a node, as far as it can be known. */
export function walletOf(graph: SessionGraph, node: number): Address | null {
  return graph.entries[node]?.wallet ?? graph.lanes[graph.lane[node]!]!.wallet;
}

export function isRefKey(key: string): key is Ref {
  return key.startsWith("0x");
}
