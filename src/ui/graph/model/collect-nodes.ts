// Which records have a node in the causal graph, in which lane, and in what state. Nothing of the session's wallets is
// left out: entries behind a gap, both branches of a fork, and records that failed have nodes too.

import { isObject, parseJson } from "../../../core/canonical.ts";
import { parseCandidate, type Entry } from "../../../core/entry.ts";
import type { Steps } from "../../../core/steps.ts";
import { formatRef, isAddress, isHash, isRef, type Address, type Ref } from "../../../core/values.ts";
import type { Member, View } from "../../../core/view.ts";
import { NODE_STATES, type NodeState } from "./session-graph.ts";

export interface DraftNode {
  readonly key: string;
  readonly lane: number;
  readonly seq: number;
  readonly type: string;
  readonly state: number;
  readonly wire: string | null;
  readonly entry: Entry | null;
  /** Ref of its predecessor in the author's log, by its own word. */
  readonly prev: Ref | null;
  readonly refs: readonly Ref[];
  /** Its place in `view.order`, or -1. */
  readonly order: number;
}

export interface Drafts {
  readonly nodes: DraftNode[];
  readonly index: Map<string, number>;
  readonly wallets: readonly (Address | null)[];
  /** The first so many wallets are the participants. */
  readonly participants: number;
  unplaced: number;
}

/** Beyond so many, records without a signature are not matched to the refs that may mean them. */
const MAX_ALIASES = 2_000;

const STATE = Object.fromEntries(NODE_STATES.map((name, i) => [name, i])) as Record<NodeState, number>;

/** Entries looked at in one step. */
const STEP = 512;
/** Records parsed in one step: of those that failed nothing is known but their text. */
const PARSED = 16;

export function* collectSteps(view: View): Steps<Drafts> {
  const wallets: (Address | null)[] = [...view.participants];
  if (!wallets.includes(view.genesis.wallet)) wallets.push(view.genesis.wallet);
  const lanes = new Map(wallets.map((wallet, lane) => [wallet, lane]));
  const drafts: Drafts = {
    nodes: [],
    index: new Map(),
    wallets,
    participants: view.participants.length,
    unplaced: 0,
  };
  const context: Context = {
    view,
    lanes,
    drafts,
    members: new Map(),
    pending: new Set(),
    forks: yield* forkSteps(view),
  };
  for (const member of view.members) context.members.set(member.wallet, member);
  for (const { entry } of view.pending) context.pending.add(entry.ref);
  addEntry(context, view.genesis, STATE.passed, -1);
  yield;
  for (const [i, move] of view.order.entries()) {
    addEntry(context, move.entry, move.inTime ? STATE.passed : STATE.late, i);
    if (i % STEP === 0) yield;
  }
  for (const member of view.members) yield* logSteps(context, member);
  yield* straySteps(context);
  yield* unacceptedSteps(context);
  return drafts;
}

interface Context {
  readonly view: View;
  readonly lanes: ReadonlyMap<Address | null, number>;
  readonly drafts: Drafts;
  readonly members: Map<Address, Member>;
  readonly pending: Set<Ref>;
  /** The first fork of each log from its anchor on: a fault, unless it came after the share. */
  readonly forks: ReadonlyMap<Address, number>;
}

function addEntry(context: Context, entry: Entry, state: number, order: number): void {
  const { drafts, lanes } = context;
  if (drafts.index.has(entry.ref)) return;
  const lane = lanes.get(entry.wallet) ?? othersLane(context);
  drafts.index.set(entry.ref, drafts.nodes.length);
  const prev = entry.prev_hash === null ? null : formatRef(entry.wallet, entry.seq - 1, entry.prev_hash);
  drafts.nodes.push({
    key: entry.ref,
    lane,
    seq: entry.seq,
    type: entry.type,
    state,
    wire: entry.wire,
    entry,
    prev,
    refs: entry.refs,
    order,
  });
}

function* forkSteps(view: View): Steps<Map<Address, number>> {
  const anchors = new Map(view.members.map(({ wallet, anchor }) => [wallet, anchor.seq]));
  const forks = new Map<Address, number>();
  const taken = new Map([...anchors.keys()].map((wallet) => [wallet, new Set<number>()]));
  let looked = 0;
  for (const { wallet, seq } of view.entries.values()) {
    if (++looked % STEP === 0) yield;
    if (seq < (anchors.get(wallet) ?? Infinity) || seq >= (forks.get(wallet) ?? Infinity)) continue;
    const seqs = taken.get(wallet)!;
    if (seqs.has(seq)) forks.set(wallet, seq);
    seqs.add(seq);
  }
  return forks;
}

function othersLane({ drafts }: Context): number {
  const wallets = drafts.wallets as (Address | null)[];
  if (wallets[wallets.length - 1] !== null) wallets.push(null);
  return wallets.length - 1;
}

function* logSteps(context: Context, member: Member): Steps<void> {
  for (const [i, entry] of member.segment.entries()) {
    addEntry(context, entry, context.pending.has(entry.ref) ? STATE.pending : STATE.outside, -1);
    if (i % STEP === 0) yield;
  }
  for (const entry of member.fault?.versions ?? []) addEntry(context, entry, STATE.void, -1);
}

/** Valid entries that name the genesis but stand in no segment, and what links them to what is shown already. */
function* straySteps(context: Context): Steps<void> {
  const { view, drafts } = context;
  let looked = 0;
  for (const entry of view.entries.values()) {
    if (++looked % STEP === 0) yield;
    if (drafts.index.has(entry.ref) || !entry.refs.includes(view.session)) continue;
    for (
      let at: Entry | undefined = entry;
      at !== undefined && !drafts.index.has(at.ref);
      at = before(context, at)
    )
      addEntry(context, at, strayState(context, at), -1);
  }
  for (const ref of view.genesis.refs) {
    const entry = view.entries.get(ref);
    if (entry !== undefined) addEntry(context, entry, STATE.outside, -1);
  }
}

/** The predecessor in the log, if it is no older than the wallet's anchor. */
function before({ view, members }: Context, entry: Entry): Entry | undefined {
  if (entry.prev_hash === null) return undefined;
  const member = members.get(entry.wallet);
  if (member === undefined || entry.seq <= member.anchor.seq) return undefined;
  return view.entries.get(formatRef(entry.wallet, entry.seq - 1, entry.prev_hash));
}

function strayState({ view, members, pending, forks }: Context, entry: Entry): number {
  const member = members.get(entry.wallet);
  if (member === undefined || entry.seq < member.anchor.seq) return STATE.outside;
  if (entry.seq >= (forks.get(entry.wallet) ?? Infinity)) return STATE.void;
  if (pending.has(entry.ref) || entry.refs.includes(view.session)) return STATE.pending;
  return STATE.outside;
}

/** Records that are no entries: placed by what they claim, if that can be read and concerns the session. */
function* unacceptedSteps(context: Context): Steps<void> {
  const { view, drafts } = context;
  let looked = 0;
  for (const [records, state] of [
    [view.rejected, STATE.failed],
    [view.unchecked, STATE.unchecked],
  ] as const)
    for (const { wire, hash } of records) {
      if (!addClaim(context, wire, hash, state)) drafts.unplaced++;
      if (++looked % PARSED === 0) yield;
    }
}

function addClaim(context: Context, wire: string, hash: string, state: number): boolean {
  const value = parseJson(wire);
  if (!isObject(value)) return false;
  const { wallet, seq, prev_hash, refs, type } = value;
  if (!isAddress(wallet) || typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 0) return false;
  const lane = context.lanes.get(wallet);
  const list = Array.isArray(refs) ? (refs as readonly unknown[]).filter(isRef).slice(0, 256) : [];
  if (lane === undefined && !list.includes(context.view.session)) return false;
  const { drafts } = context;
  const key = `record:${hash}`;
  if (drafts.index.has(key)) return true;
  drafts.index.set(key, drafts.nodes.length);
  drafts.nodes.push({
    key,
    lane: lane ?? othersLane(context),
    seq,
    type: typeof type === "string" ? type.slice(0, 32) : "?",
    state,
    wire,
    entry: null,
    prev: isHash(prev_hash) && seq > 0 ? formatRef(wallet, seq - 1, prev_hash) : null,
    refs: list,
    order: -1,
  });
  if (drafts.nodes.length < MAX_ALIASES || state === STATE.failed) addAlias(drafts, wire);
  return true;
}

/** A hash covers all but the signature: a ref may well mean an entry of which only the signature is damaged. */
function addAlias(drafts: Drafts, wire: string): void {
  const parsed = parseCandidate(wire);
  if (!parsed.ok || drafts.index.has(parsed.value.ref)) return;
  drafts.index.set(parsed.value.ref, drafts.nodes.length - 1);
}
