// The lines of a story that are no moves: how the session came about, and what has no place in its order (forked, rejected
// and withheld entries, entries of other sessions, entries that wait), each where it happened as far as that can be known.

import { own, parseJson, isObject } from "../core/canonical.ts";
import type { Entry } from "../core/entry.ts";
import { isAddress, parseRef, type Address, type Ref } from "../core/values.ts";
import type { RejectedRecord, View } from "../core/view.ts";
import { missingOf } from "./gap-impact.ts";
import { actOf, type StoryLine } from "./story-line.ts";

/** Records of one kind that have a line of their own. */
const SHOWN = 20;

/** The invite and the accepts that the genesis names, and the genesis. */
export function startLines(view: View): StoryLine[] {
  const { genesis, terms, participants, entries } = view;
  const before = genesis.refs.flatMap((ref) => entries.get(ref) ?? []);
  const of = (type: string) => before.filter((entry) => entry.type === type);
  return [
    ...of("invite").map(({ ref, wallet }) => ({
      entries: [ref],
      at: 0,
      fact: { kind: "invited", wallet } as const,
    })),
    ...of("accept").map(({ ref, wallet }) => ({
      entries: [ref],
      at: 0,
      fact: { kind: "accepted", wallet } as const,
    })),
    {
      entries: [view.session],
      at: 0,
      fact: {
        kind: "started",
        wallet: genesis.wallet,
        game: terms.game,
        rules: terms.rules,
        players: participants,
      },
    },
  ];
}

/** What has no place in the order, by the number of moves that were there before. */
export function asideLines(view: View): readonly StoryLine[] {
  const lines = [...forkLines(view), ...elsewhereLines(view), ...rejectedLines(view), ...gapLines(view)];
  return lines.sort((a, b) => a.at - b.at);
}

function forkLines(view: View): StoryLine[] {
  return view.members.flatMap(({ wallet, fault }) => {
    if (fault === null) return [];
    const { seq, versions } = fault;
    const entries = versions.map(({ ref }) => ref);
    const at = Math.max(...versions.map(({ refs }) => placeAfter(view, wallet, seq, refs)));
    return [{ entries, at, fact: { kind: "forked", wallet, seq, count: versions.length } as const }];
  });
}

/** Entries of the participants that name other sessions. */
function elsewhereLines(view: View): StoryLine[] {
  const placed = new Set<Ref>([view.session, ...view.order.map(({ ref }) => ref)]);
  for (const { entry } of view.pending) placed.add(entry.ref);
  const members = new Map(view.members.map((member) => [member.wallet, member]));
  const others = new Map<Address, Entry[]>();
  for (const entry of view.entries.values()) {
    const member = members.get(entry.wallet);
    if (member === undefined || member.fault !== null || entry.seq < member.anchor.seq) continue;
    if (placed.has(entry.ref) || entry.refs.includes(view.session) || NO_MOVES.has(entry.type)) continue;
    const known = others.get(entry.wallet);
    if (known === undefined) others.set(entry.wallet, [entry]);
    else known.push(entry);
  }
  return [...others].map(([wallet, entries]) => {
    const last = entries.reduce((most, { seq }) => Math.max(most, seq), 0);
    const at = placeAfter(view, wallet, last, []) || view.order.length;
    const refs = entries.slice(0, SHOWN).map(({ ref }) => ref);
    return { entries: refs, at, fact: { kind: "elsewhere", wallet, count: entries.length } };
  });
}

const NO_MOVES: ReadonlySet<string> = new Set(["genesis", "invite", "accept"]);

function rejectedLines(view: View): StoryLine[] {
  const shown = view.rejected.slice(0, SHOWN).map((record): StoryLine => {
    const claim = claimOf(record);
    const wallet = view.participants.find((one) => one === claim.wallet) ?? null;
    const at = wallet === null ? view.order.length : placeAfter(view, wallet, claim.seq, claim.refs);
    const { code } = record.rejection;
    return {
      entries: [`record:${record.hash}`],
      at,
      fact: { kind: "rejected", wallet, code, type: claim.type },
    };
  });
  const more = view.rejected.length - shown.length;
  if (more > 0)
    shown.push({ entries: [], at: view.order.length, fact: { kind: "more-rejected", count: more } });
  return shown;
}

interface Claim {
  readonly wallet: string | null;
  readonly seq: number;
  readonly refs: readonly Ref[];
  readonly type: string | null;
}

/** What a record that is no entry says of itself. */
function claimOf({ wire }: RejectedRecord): Claim {
  const value = parseJson(wire, Infinity);
  if (!isObject(value)) return { wallet: null, seq: Infinity, refs: [], type: null };
  const [wallet, seq, refs, type] = ["wallet", "seq", "refs", "type"].map((name) => own(value, name));
  return {
    wallet: isAddress(wallet) ? wallet : null,
    seq: typeof seq === "number" ? seq : Infinity,
    refs: Array.isArray(refs) ? refs.filter((ref): ref is Ref => parseRef(ref) !== undefined) : [],
    type: typeof type === "string" ? type : null,
  };
}

function gapLines(view: View): StoryLine[] {
  const at = view.order.length;
  return view.members.flatMap((member): StoryLine[] => {
    const missing = missingOf(view, member);
    if (missing === null) return [];
    const { wallet } = member;
    if (missing.kind === "link") return [{ entries: [], at, fact: { kind: "broken", wallet } }];
    const count = missing.kind !== "places" ? 1 : missing.to === null ? null : missing.to - missing.from + 1;
    return [
      { entries: missing.kind === "ref" ? [missing.ref] : [], at, fact: { kind: "withheld", wallet, count } },
    ];
  });
}

/** What can't be placed yet. */
export function pendingLines(view: View): StoryLine[] {
  const at = view.order.length;
  const shown = view.pending.slice(0, SHOWN).map(({ entry }): StoryLine => {
    const acts = actOf(view, entry.type, view.terms.domain === undefined ? entry.body : {});
    const { wallet, type, ref } = entry;
    const { share } = view;
    const rest = { copyOf: null, ignored: null, late: null, share, closes: false, waits: true, round: null };
    return { entries: [ref], at, fact: { kind: "move", wallet, type, ...acts, ...rest } };
  });
  const more = view.pending.length - shown.length;
  return more > 0 ? [...shown, { entries: [], at, fact: { kind: "more-waiting", count: more } }] : shown;
}

/** Moves of the order that were there before an entry at that seq of a wallet, which names these refs. */
function placeAfter(view: View, wallet: Address, seq: number, refs: readonly Ref[]): number {
  const named = new Set(refs);
  for (let i = view.order.length; i > 0; i--) {
    const { entry, ref } = view.order[i - 1]!;
    if (named.has(ref) || (entry.wallet === wallet && entry.seq < seq)) return i;
  }
  return 0;
}
