// Rows of each lane: an entry goes on in the row of its predecessor; where that row has gone on already (a fork, or a
// record that claims a taken place), it opens another.

import { sortSteps, type Steps } from "../../../core/steps.ts";
import type { Drafts } from "./collect-nodes.ts";
import type { Links } from "./link-nodes.ts";
import { EDGE_KINDS, NODE_STATES } from "./session-graph.ts";

/** More branches than this share the last row of their lane. */
export const MAX_ROWS = 24;

export interface Rows {
  /** Row within the lane. */
  readonly row: Uint32Array;
  /** The entry that stands before it in its row, or from which its row branches off; -1 for none. */
  readonly before: Int32Array;
  /** Number of rows, by lane. */
  readonly rowsOf: readonly number[];
}

const REF = EDGE_KINDS.indexOf("ref");
const GENESIS = EDGE_KINDS.indexOf("genesis");
/** At one place in a log, what is sound keeps the row, then what is missing, and what failed branches off. */
const RANK = NODE_STATES.map((name) => (name === "failed" ? 2 : name === "missing" ? 1 : 0));

/** Nodes placed in one step. */
const STEP = 2048;

export function* rowSteps(drafts: Drafts, links: Links): Steps<Rows> {
  const { nodes, wallets } = drafts;
  const chain = new Int32Array(nodes.length).fill(-1);
  for (let e = 0; e < links.from.length; e++)
    if (links.kind[e] !== REF && links.kind[e] !== GENESIS) chain[links.from[e]!] = links.to[e]!;
  const lanes: number[][] = wallets.map(() => []);
  nodes.forEach((node, n) => lanes[node.lane]!.push(n));
  yield;
  const row = new Uint32Array(nodes.length);
  const before = new Int32Array(nodes.length).fill(-1);
  const inLog = (a: number, b: number) => {
    const x = nodes[a]!;
    const y = nodes[b]!;
    return x.seq - y.seq || RANK[x.state]! - RANK[y.state]! || (x.key < y.key ? -1 : 1);
  };
  const rowsOf: number[] = [];
  for (const lane of lanes) {
    const tails: number[] = [];
    for (const [i, n] of (yield* sortSteps(lane, inLog)).entries()) {
      placeInLane(n, tails);
      if (i % STEP === 0) yield;
    }
    rowsOf.push(Math.max(1, tails.length));
  }

  function placeInLane(n: number, tails: number[]): void {
    const { seq } = nodes[n]!;
    const prev = chain[n]!;
    let at = prev >= 0 && tails[row[prev]!] === prev ? row[prev]! : -1;
    if (at < 0) at = tails.findIndex((tail) => nodes[tail]!.seq < (prev < 0 ? seq : nodes[prev]!.seq));
    if (at < 0) at = Math.min(tails.length, MAX_ROWS - 1);
    const tail = tails[at];
    before[n] = prev >= 0 && tails[at] !== prev ? later(prev, tail) : (tail ?? -1);
    row[n] = at;
    tails[at] = n;
  }

  /** Of the fork's foot and the row's last entry, the one that binds: the row's last one, unless it is further left. */
  function later(prev: number, tail: number | undefined): number {
    return tail !== undefined && nodes[tail]!.seq > nodes[prev]!.seq ? tail : prev;
  }

  return { row, before, rowsOf };
}
