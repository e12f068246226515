// Participants of a session as their logs show them: anchor, moves, share, fault, segment (docs/protocol.md, View).

import type { Entry } from "./entry.ts";
import { sameOffer, type Terms } from "./session.ts";
import { parseRef, type Address, type Hash, type Ref } from "./values.ts";
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

/** Everything known of each participant, in the order of participants. */
export function trackMembers(
  genesis: Entry,
  terms: Terms,
  share: number,
  entries: ReadonlyMap<Ref, Entry>,
): Track[] {
  const logs = new Map<Address, Entry[]>();
  for (const wallet of terms.participants) logs.set(wallet, []);
  for (const entry of entries.values()) logs.get(entry.wallet)?.push(entry);
  const anchors = anchorsOf(genesis);
  const accepted = acceptedBy(genesis, entries);
  return terms.participants.map((wallet) => {
    const anchor = anchors.get(wallet) ?? { seq: 0, hash: null };
    return trackMember(
      genesis.ref,
      anchor,
      share,
      wallet,
      logs.get(wallet)!,
      (used) => wallet === genesis.wallet || used > 0 || accepted.has(wallet),
    );
  });
}

function anchorsOf(genesis: Entry): Map<Address, { seq: number; hash: Hash }> {
  const anchors = new Map<Address, { seq: number; hash: Hash }>();
  for (const ref of genesis.refs) {
    const { wallet, seq, hash } = parseRef(ref)!;
    if (seq >= (anchors.get(wallet)?.seq ?? -1)) anchors.set(wallet, { seq, hash });
  }
  return anchors.set(genesis.wallet, { seq: genesis.seq, hash: genesis.hash });
}

/** Wallets whose accept the genesis pins, of an invite that it pins too and that offered the same. */
function acceptedBy(genesis: Entry, entries: ReadonlyMap<Ref, Entry>): Set<Address> {
  const pinned = new Set(genesis.refs);
  const wallets = new Set<Address>();
  for (const ref of pinned) {
    const accept = entries.get(ref);
    if (accept?.type !== "accept") continue;
    const agreed = accept.refs.some((named) => {
      const invite = pinned.has(named) ? entries.get(named) : undefined;
      return invite?.type === "invite" && sameOffer(invite.body, genesis.body);
    });
    if (agreed) wallets.add(accept.wallet);
  }
  return wallets;
}

function trackMember(
  session: Ref,
  anchor: { seq: number; hash: Hash | null },
  share: number,
  wallet: Address,
  log: readonly Entry[],
  hasJoined: (used: number) => boolean,
): Track {
  const versions = new Map<number, Entry[]>();
  for (const entry of log) {
    if (entry.seq < anchor.seq) continue;
    const there = versions.get(entry.seq);
    if (there === undefined) versions.set(entry.seq, [entry]);
    else there.push(entry);
  }
  const moveSeqs: number[] = [];
  let firstFork = Infinity;
  for (const [seq, there] of versions) {
    if (there.length > 1 && seq < firstFork) firstFork = seq;
    if (there.some((entry) => isMove(entry, session))) moveSeqs.push(seq);
  }
  moveSeqs.sort((a, b) => a - b);
  const used = moveSeqs.length;
  const end = moveSeqs[used - 1] ?? null;
  const fault = faultOf(versions, firstFork, moveSeqs[Math.min(share, used) - 1]);
  const { segment, gap } = walk(versions, anchor, end);
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
  return { member, moves: segment.filter((entry) => isMove(entry, session)), firstFork };
}

function faultOf(versions: Map<number, Entry[]>, firstFork: number, last: number | undefined): Fault | null {
  if (last === undefined || firstFork > last) return null;
  const forked = [...versions.get(firstFork)!].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return { seq: firstFork, versions: forked };
}

/** The segment from the anchor to the end, and the code at which it breaks off; a fork ends it without a code. */
function walk(
  versions: Map<number, Entry[]>,
  anchor: { seq: number; hash: Hash | null },
  end: number | null,
): { segment: Entry[]; gap: Gap | null } {
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
  }
  return { segment, gap: null };
}
