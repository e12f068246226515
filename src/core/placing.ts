// Session entries in causal order: parents, vector clocks, depth, and what stays pending. One pass without
// recursion, O(entries × participants), in steps.

import type { Entry } from "./entry.ts";
import type { Track } from "./members.ts";
import { sortSteps, type Steps } from "./steps.ts";
import { parseRef, type Address, type Ref } from "./values.ts";
import type { PendingEntry } from "./view.ts";

export interface Placed {
  readonly entry: Entry;
  readonly author: number;
  readonly place: number;
  readonly depth: number;
  readonly clock: Uint32Array;
  readonly parents: readonly number[];
}

interface Node {
  readonly entry: Entry;
  readonly author: number;
  readonly place: number;
  readonly parents: number[];
  readonly missing: Ref[];
}

/** Entries looked at in one step. */
const STEP = 512;

/** All session entries that rest on nothing missing, in the protocol's order, and the others with what they lack. */
export function* placeSteps(
  tracks: readonly Track[],
  session: Ref,
): Steps<{ order: Placed[]; pending: PendingEntry[] }> {
  const nodes = yield* nodeSteps(tracks, session);
  const { released, depth, clocks } = yield* releaseSteps(nodes, tracks.length);
  const order = yield* orderSteps(released, depth);
  const position = new Int32Array(nodes.length).fill(-1);
  order.forEach((id, i) => (position[id] = i));
  yield;
  const waiting: PendingEntry[] = [];
  nodes.forEach(({ entry, missing }, id) => {
    if (position[id] === -1) waiting.push({ entry, missing });
  });
  const pending = yield* sortSteps(waiting, (a, b) => (a.entry.ref < b.entry.ref ? -1 : 1));
  const placed: Placed[] = [];
  for (const id of order) {
    const { entry, author, place, parents } = nodes[id]!;
    placed.push({
      entry,
      author,
      place,
      depth: depth[id]!,
      clock: clocks[id]!,
      parents: parents.map((p) => position[p]!),
    });
    if (placed.length % STEP === 0) yield;
  }
  return { order: placed, pending };
}

/** Nodes by author, those of one author by seq: their numbers are in the protocol's order but for the depth. */
function* nodeSteps(tracks: readonly Track[], session: Ref): Steps<Node[]> {
  const nodes: Node[] = [];
  const ids = new Map<Ref, number>();
  const authors = new Map<Address, number>();
  for (const [author, { member, moves }] of tracks.entries()) {
    authors.set(member.wallet, author);
    for (const [i, entry] of moves.entries()) {
      ids.set(entry.ref, nodes.length);
      nodes.push({ entry, author, place: i + 1, parents: i === 0 ? [] : [nodes.length - 1], missing: [] });
      if (nodes.length % STEP === 0) yield;
    }
  }
  let looked = 0;
  for (const node of nodes) {
    for (const ref of node.entry.refs) {
      if (ref === session) continue;
      const parent = ids.get(ref);
      // A session entry stands before its wallet's first fork, so it is never void: only others need the look.
      if (parent === undefined) {
        if (!isVoided(ref, tracks, authors)) node.missing.push(ref);
      } else if (!node.parents.includes(parent)) node.parents.push(parent);
    }
    looked += node.entry.refs.length;
    if (looked < 4 * STEP) continue;
    looked = 0;
    yield;
  }
  return nodes;
}

/** A ref to a place at or after its wallet's first fork is resolved, and adds nothing. */
function isVoided(ref: Ref, tracks: readonly Track[], authors: ReadonlyMap<Address, number>): boolean {
  const { wallet, seq } = parseRef(ref)!;
  const author = authors.get(wallet);
  return author !== undefined && seq >= tracks[author]!.firstFork;
}

interface Released {
  /** Nodes that rest on nothing missing, parents first. */
  readonly released: readonly number[];
  readonly depth: Uint32Array;
  readonly clocks: readonly Uint32Array[];
}

function* releaseSteps(nodes: readonly Node[], width: number): Steps<Released> {
  const children: number[][] = nodes.map(() => []);
  const open = new Uint32Array(nodes.length);
  const released: number[] = [];
  for (const [id, { parents, missing }] of nodes.entries()) {
    open[id] = parents.length + missing.length;
    for (const parent of parents) children[parent]!.push(id);
    if (open[id] === 0) released.push(id);
    if (id % STEP === 0) yield;
  }
  const clocks: Uint32Array[] = [];
  const depth = new Uint32Array(nodes.length);
  let compared = 0;
  for (let i = 0; i < released.length; i++) {
    const id = released[i]!;
    const { author, place, parents } = nodes[id]!;
    const clock = new Uint32Array(width);
    for (const parent of parents) {
      const past = clocks[parent]!;
      for (let k = 0; k < width; k++) if (past[k]! > clock[k]!) clock[k] = past[k]!;
      if (depth[parent]! + 1 > depth[id]!) depth[id] = depth[parent]! + 1;
    }
    clock[author] = place;
    clocks[id] = clock;
    for (const child of children[id]!) {
      open[child]!--;
      if (open[child] === 0) released.push(child);
    }
    compared += 8 + parents.length * width;
    if (compared < 32 * STEP) continue;
    compared = 0;
    yield;
  }
  return { released, depth, clocks };
}

/** By depth, then by number, which is by author and seq: counted out, not compared. */
function* orderSteps(released: readonly number[], depth: Uint32Array): Steps<Uint32Array> {
  const isReleased = new Uint8Array(depth.length);
  let deepest = 0;
  for (const id of released) {
    isReleased[id] = 1;
    deepest = Math.max(deepest, depth[id]!);
  }
  const next = new Uint32Array(deepest + 2);
  for (const id of released) next[depth[id]! + 1]!++;
  for (let d = 1; d < next.length; d++) next[d]! += next[d - 1]!;
  yield;
  const order = new Uint32Array(released.length);
  for (let id = 0; id < depth.length; id++) if (isReleased[id] === 1) order[next[depth[id]!]!++] = id;
  return order;
}
