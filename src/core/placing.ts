// Session entries in causal order: parents, vector clocks, depth, and what stays pending. One pass without
// recursion, O(entries × participants).

import type { Entry } from "./entry.ts";
import type { Track } from "./members.ts";
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

/** All session entries that rest on nothing missing, in the protocol's order, and the others with what they lack. */
export function placeEntries(
  tracks: readonly Track[],
  session: Ref,
): { order: Placed[]; pending: PendingEntry[] } {
  const nodes = nodesOf(tracks, session);
  const { released, depth, clocks } = release(nodes, tracks.length);
  const order = [...released].sort(
    (a, b) =>
      depth[a]! - depth[b]! ||
      nodes[a]!.author - nodes[b]!.author ||
      nodes[a]!.entry.seq - nodes[b]!.entry.seq,
  );
  const position = new Uint32Array(nodes.length);
  order.forEach((id, i) => (position[id] = i));
  const placed = new Set(released);
  const pending: PendingEntry[] = [];
  nodes.forEach(({ entry, missing }, id) => {
    if (!placed.has(id)) pending.push({ entry, missing });
  });
  pending.sort((a, b) => (a.entry.ref < b.entry.ref ? -1 : 1));
  return {
    order: order.map((id) => {
      const { entry, author, place, parents } = nodes[id]!;
      return {
        entry,
        author,
        place,
        depth: depth[id]!,
        clock: clocks[id]!,
        parents: parents.map((p) => position[p]!),
      };
    }),
    pending,
  };
}

function nodesOf(tracks: readonly Track[], session: Ref): Node[] {
  const nodes: Node[] = [];
  const ids = new Map<Ref, number>();
  const authors = new Map<Address, number>();
  tracks.forEach(({ member, moves }, author) => {
    authors.set(member.wallet, author);
    moves.forEach((entry, i) => {
      ids.set(entry.ref, nodes.length);
      nodes.push({ entry, author, place: i + 1, parents: i === 0 ? [] : [nodes.length - 1], missing: [] });
    });
  });
  for (const node of nodes) {
    for (const ref of node.entry.refs) {
      if (ref === session) continue;
      const parent = ids.get(ref);
      // A session entry stands before its wallet's first fork, so it is never void: only others need the look.
      if (parent === undefined) {
        if (!isVoided(ref, tracks, authors)) node.missing.push(ref);
      } else if (!node.parents.includes(parent)) node.parents.push(parent);
    }
  }
  return nodes;
}

/** A ref to a place at or after its wallet's first fork is resolved, and adds nothing. */
function isVoided(ref: Ref, tracks: readonly Track[], authors: ReadonlyMap<Address, number>): boolean {
  const { wallet, seq } = parseRef(ref)!;
  const author = authors.get(wallet);
  return author !== undefined && seq >= tracks[author]!.firstFork;
}

function release(nodes: readonly Node[], width: number) {
  const children: number[][] = nodes.map(() => []);
  const open = new Uint32Array(nodes.length);
  nodes.forEach(({ parents, missing }, id) => {
    open[id] = parents.length + missing.length;
    for (const parent of parents) children[parent]!.push(id);
  });
  const clocks: Uint32Array[] = [];
  const depth = new Uint32Array(nodes.length);
  const released: number[] = [];
  nodes.forEach((_, id) => {
    if (open[id] === 0) released.push(id);
  });
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
  }
  return { released, depth, clocks };
}
