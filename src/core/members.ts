// Participants of a session as their logs show them: anchor, moves, share, fault, segment (docs/protocol.md, View).

import type { Candidate, Entry } from "./entry.ts";
import { sameOffer, type Terms } from "./session.ts";
import type { Steps } from "./steps.ts";
import { formatRef, parseRef, type Address, type Hash, type Ref } from "./values.ts";
import type { Fault, Gap, Member } from "./view.ts";

/** Types that never are moves, whatever they refer to. */
const OUTSIDE = ["genesis", "invite", "accept"];

/** A member, and what placing entries needs besides. */
export interface Track {
  readonly member: Member;
  /** Its session entries: the segment's entries that are moves. */
  readonly moves: readonly Entry[];
  /** Lowest seq from the anchor on with two valid entries, within the session or after it. */
  readonly firstFork: number;
}

/** Whether an entry is a move of the session. */
export function isMove(entry: Entry, session: Ref): boolean {
  return !OUTSIDE.includes(entry.type) && entry.refs.includes(session);
}

/** Entries looked at in one step. */
const STEP = 512;

/** Everything known of each participant, in the order of participants. */
export function* trackSteps(
  genesis: Entry,
  terms: Terms,
  share: number,
  entries: ReadonlyMap<Ref, Entry>,
): Steps<Track[]> {
  const logs = new Map<Address, Entry[]>();
  for (const wallet of terms.participants) logs.set(wallet, []);
  let looked = 0;
  const taken = new Set<Ref>();
  for (const entry of entries.values()) {
    logs.get(entry.wallet)?.push(entry);
    if (isEarlierGenesis(entry, genesis)) for (const ref of entry.refs) taken.add(ref);
    if (++looked % STEP === 0) yield;
  }
  const anchors = anchorsOf(genesis);
  const tracks: Track[] = [];
  for (const wallet of terms.participants) {
    const anchor: Seat["anchor"] = anchors.get(wallet) ?? { seq: 0, hash: null };
    const pinned = anchor.hash === null ? undefined : entries.get(formatRef(wallet, anchor.seq, anchor.hash));
    const hasAccepted = isJoiningAccept(pinned, genesis, entries, taken);
    const hasJoined = (used: number) => wallet === genesis.wallet || used > 0 || hasAccepted;
    tracks.push(
      yield* memberSteps({ session: genesis.ref, anchor, share, wallet, hasJoined }, logs.get(wallet)!),
    );
  }
  return tracks;
}

function anchorsOf(genesis: Entry): Map<Address, { seq: number; hash: Hash }> {
  const anchors = new Map<Address, { seq: number; hash: Hash }>();
  for (const ref of genesis.refs) {
    const { wallet, seq, hash } = parseRef(ref)!;
    if (seq >= (anchors.get(wallet)?.seq ?? -1)) anchors.set(wallet, { seq, hash });
  }
  return anchors.set(genesis.wallet, { seq: genesis.seq, hash: genesis.hash });
}

/** Whether an entry is a genesis by the same creator that stands before this one in its log. */
export function isEarlierGenesis(entry: Candidate, genesis: Candidate): boolean {
  return entry.type === "genesis" && entry.wallet === genesis.wallet && entry.seq < genesis.seq;
}

/**
 * V20. Whether the anchor is an accept by which its author joined: of an invite that the genesis pins too and that
 * offered the same terms and seats, and not spent on an earlier genesis (`taken`: what those pin).
 */
function isJoiningAccept(
  anchor: Entry | undefined,
  genesis: Entry,
  entries: ReadonlyMap<Ref, Entry>,
  taken: ReadonlySet<Ref>,
): boolean {
  if (anchor?.type !== "accept" || taken.has(anchor.ref)) return false;
  return anchor.refs.some((named) => {
    const invite = genesis.refs.includes(named) ? entries.get(named) : undefined;
    return invite?.type === "invite" && sameOffer(invite.body, genesis.body);
  });
}

interface Seat {
  readonly session: Ref;
  readonly anchor: { readonly seq: number; readonly hash: Hash | null };
  readonly share: number;
  readonly wallet: Address;
  readonly hasJoined: (used: number) => boolean;
}

function* memberSteps(seat: Seat, log: readonly Entry[]): Steps<Track> {
  const { session, anchor, share, wallet, hasJoined } = seat;
  const versions = new Map<number, Entry[]>();
  const moves = new Set<Entry>();
  const moveSeqs = new Set<number>();
  let firstFork = Infinity;
  for (const [i, entry] of log.entries()) {
    if (i % STEP === 0) yield;
    const { seq } = entry;
    if (seq < anchor.seq) continue;
    const there = versions.get(seq);
    if (there === undefined) versions.set(seq, [entry]);
    else {
      there.push(entry);
      if (seq < firstFork) firstFork = seq;
    }
    if (!isMove(entry, session)) continue;
    moves.add(entry);
    moveSeqs.add(seq);
  }
  const seqs = Float64Array.from(moveSeqs).sort();
  const used = seqs.length;
  const end = seqs[used - 1] ?? null;
  const fault = faultOf(versions, firstFork, seqs[Math.min(share, used) - 1]);
  const { segment, gap } = yield* walkSteps(versions, anchor, end);
  const named = gap?.code !== "bad-anchor" || log.some((entry) => entry.refs.includes(session));
  const member: Member = {
    wallet,
    anchor,
    used,
    spent: used >= share,
    end,
    fault,
    gap: named && !(gap?.code === "bad-anchor" && fault?.seq === anchor.seq) ? gap : null,
    joined: hasJoined(used),
    segment,
  };
  return { member, moves: segment.filter((entry) => moves.has(entry)), firstFork };
}

function faultOf(versions: Map<number, Entry[]>, firstFork: number, last: number | undefined): Fault | null {
  if (last === undefined || firstFork > last) return null;
  const forked = [...versions.get(firstFork)!].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return { seq: firstFork, versions: forked };
}

/** The segment from the anchor to the end, and the code at which it breaks off; a fork ends it without a code. */
function* walkSteps(
  versions: Map<number, Entry[]>,
  anchor: Seat["anchor"],
  end: number | null,
): Steps<{ segment: Entry[]; gap: Gap | null }> {
  const segment: Entry[] = [];
  if (anchor.hash !== null) {
    const pinned = versions.get(anchor.seq)?.some((entry) => entry.hash === anchor.hash) ?? false;
    if (!pinned) return { segment, gap: { seq: anchor.seq, code: "bad-anchor" } };
  }
  if (end === null) return { segment, gap: null };
  for (let seq = anchor.seq; seq <= end; seq++) {
    const there = versions.get(seq);
    if (there === undefined) return { segment, gap: { seq, code: "gap" } };
    if (there.length > 1) return { segment, gap: null };
    const entry = there[0]!;
    const previous = segment[segment.length - 1];
    if (previous !== undefined && entry.prev_hash !== previous.hash)
      return { segment, gap: { seq, code: "bad-prev" } };
    segment.push(entry);
    if (segment.length % STEP === 0) yield;
  }
  return { segment, gap: null };
}
