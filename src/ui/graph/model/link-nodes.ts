// The edges of the causal graph, and the ghosts at which edges to missing entries end.

import type { Steps } from "../../../core/steps.ts";
import { parseRef, type Ref } from "../../../core/values.ts";
import type { View } from "../../../core/view.ts";
import type { DraftNode, Drafts } from "./collect-nodes.ts";
import { EDGE_KINDS, NODE_STATES, type EdgeKind, type NodeState } from "./session-graph.ts";

export interface Links {
  readonly from: number[];
  readonly to: number[];
  readonly kind: number[];
  omitted: number;
}

/** So many missing entries are drawn; anyone can refer to any number of entries that never were. */
export const MAX_GHOSTS = 5_000;

const KIND = Object.fromEntries(EDGE_KINDS.map((name, i) => [name, i])) as Record<EdgeKind, number>;
const STATE = Object.fromEntries(NODE_STATES.map((name, i) => [name, i])) as Record<NodeState, number>;

/** Refs followed in one step. */
const STEP = 1024;

export function* linkSteps(view: View, drafts: Drafts): Steps<Links> {
  const links: Links = { from: [], to: [], kind: [], omitted: 0 };
  const anchors = new Map(view.members.map((member) => [member.wallet as string, member.anchor.seq]));
  const lanes = new Map(drafts.wallets.map((wallet, lane) => [wallet as string | null, lane]));
  const maker: Maker = { view, drafts, lanes, ghosts: 0, links };
  const count = drafts.nodes.length; // nodes that are added on the way lead no further
  let followed = 0;
  for (let n = 0; n < count; n++) {
    const node = drafts.nodes[n]!;
    const anchored = linkChain(maker, node, n, anchors);
    const before = links.from.length;
    if (!linkRefs(maker, node, n) && links.from.length === before && !anchored && n !== 0)
      addEdge(links, n, 0, KIND.genesis);
    followed += 1 + node.refs.length;
    if (followed < STEP) continue;
    followed = 0;
    yield;
  }
  return links;
}

interface Maker {
  readonly view: View;
  readonly drafts: Drafts;
  readonly lanes: ReadonlyMap<string | null, number>;
  readonly links: Links;
  ghosts: number;
}

/** Whether the entry hangs on an entry of the session in its own log. */
function linkChain(maker: Maker, node: DraftNode, n: number, anchors: ReadonlyMap<string, number>): boolean {
  if (node.prev === null) return false;
  const { drafts, links } = maker;
  const prev = drafts.index.get(node.prev);
  if (prev !== undefined) {
    addEdge(links, n, prev, drafts.nodes[prev]!.state === STATE.missing ? KIND.gap : KIND.chain);
    return drafts.nodes[prev]!.state !== STATE.outside;
  }
  const anchor = anchors.get(node.prev.slice(0, 42));
  if (!expectsItsPast(node) || anchor === undefined || node.seq <= anchor) return false;
  const ghost = addGhost(maker, node.prev);
  if (ghost !== undefined) addEdge(links, n, ghost, KIND.gap);
  return ghost !== undefined;
}

/** Whether the entry is tied to the session by something else than the genesis; `false` asks for that edge. */
function linkRefs(maker: Maker, node: DraftNode, n: number): boolean {
  const { view, drafts, links } = maker;
  let namesGenesis = false;
  for (const ref of node.refs) {
    if (ref === view.session) {
      namesGenesis = true;
      continue;
    }
    const to = drafts.index.get(ref) ?? addLinked(maker, node, ref);
    if (to !== undefined && to !== n) addEdge(links, n, to, KIND.ref);
  }
  return !namesGenesis;
}

/** What a ref leads to that has no node yet: an entry of another session, or a ghost. */
function addLinked(maker: Maker, node: DraftNode, ref: Ref): number | undefined {
  if (node.state === STATE.outside || !expectsItsPast(node)) return undefined;
  return addGhost(maker, ref);
}

/** A record that nobody signed says nothing of what is missing. */
function expectsItsPast(node: DraftNode): boolean {
  return node.state !== STATE.failed && node.state !== STATE.outside;
}

function addGhost(maker: Maker, ref: Ref): number | undefined {
  const { drafts, lanes, view, links } = maker;
  const entry = view.entries.get(ref);
  if (entry === undefined && ++maker.ghosts > MAX_GHOSTS) {
    links.omitted++;
    return undefined;
  }
  const { wallet, seq } = parseRef(ref)!;
  const at = drafts.nodes.length;
  drafts.index.set(ref, at);
  drafts.nodes.push({
    key: ref,
    lane: lanes.get(wallet) ?? othersLane(maker),
    seq,
    type: entry?.type ?? "missing",
    state: entry === undefined ? STATE.missing : STATE.outside,
    wire: entry?.wire ?? null,
    entry: entry ?? null,
    prev: null,
    refs: [],
    order: -1,
  });
  return at;
}

function othersLane({ drafts }: Maker): number {
  const wallets = drafts.wallets as (string | null)[];
  if (wallets[wallets.length - 1] !== null) wallets.push(null);
  return wallets.length - 1;
}

function addEdge(links: Links, from: number, to: number, kind: number): void {
  links.from.push(from);
  links.to.push(to);
  links.kind.push(kind);
}
