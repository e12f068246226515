// Two views side by side: two Hubs, files or observers of one session, aligned by wallet and seq; or two sessions,
// aligned by participant and place. Every difference is named once; the first is where the two stories part.
// Linear in the number of entries.

import { canonicalize, type Json } from "../core/canonical.ts";
import { parseCandidate, type Entry } from "../core/entry.ts";
import type { Terms } from "../core/session.ts";
import type { Address, Ref } from "../core/values.ts";
import type { Move, RejectedRecord, View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { judge } from "../games/judge.ts";

export type SideName = "a" | "b";

/** How an entry stands in a view. */
export type Standing = "counted" | "late" | "pending" | "outside";

export type Difference =
  /** An entry that this side lacks. `instead`: what this side has for that place and refuses. */
  | {
      readonly kind: "missing";
      readonly side: SideName;
      readonly ref: Ref;
      readonly instead?: RejectedRecord;
    }
  /** One place of one log, different entries. */
  | {
      readonly kind: "other-entry";
      readonly wallet: Address;
      readonly seq: number;
      readonly a: Ref;
      readonly b: Ref;
    }
  /** One entry under two signatures: the same hash, other bytes. */
  | { readonly kind: "other-bytes"; readonly ref: Ref }
  /** Both count both entries: `a` has `ref` before `other`, `b` has it after. */
  | { readonly kind: "other-order"; readonly ref: Ref; readonly other: Ref }
  /** Both have the entry; one view counts it and the other doesn't (something it rests on is missing, or a fork). */
  | { readonly kind: "other-standing"; readonly ref: Ref; readonly a: Standing; readonly b: Standing }
  /** A record that this side has and refuses, and the other does not have. */
  | { readonly kind: "rejected"; readonly side: SideName; readonly record: RejectedRecord }
  /** Two sessions: a term of the genesis. */
  | {
      readonly kind: "other-term";
      readonly member: keyof Terms;
      readonly a: Json | undefined;
      readonly b: Json | undefined;
    }
  /** Two sessions: the same participant's move at the same place says something else. */
  | {
      readonly kind: "other-move";
      readonly author: number;
      readonly place: number;
      readonly what: "type" | "body";
      readonly a: Ref;
      readonly b: Ref;
    }
  | { readonly kind: "other-verdict"; readonly a: Verdict; readonly b: Verdict };

export interface Comparison {
  /** The two are views of one session. */
  readonly sameSession: boolean;
  /** In the order of the session as far as both agree on one; the verdict's last. Empty: the same. */
  readonly differences: readonly Difference[];
  /** Entries that both have, in the same bytes, order and standing. */
  readonly same: number;
}

/** Compares two views. Pure; no difference is left out. */
export function compareViews(a: View, b: View): Comparison {
  const sameSession = a.session === b.session;
  const { differences, same } = sameSession ? compareEntries(a, b) : compareSessions(a, b);
  const [verdictA, verdictB] = [judge(a), judge(b)];
  if (verdictText(verdictA, sameSession) !== verdictText(verdictB, sameSession))
    differences.push({ kind: "other-verdict", a: verdictA, b: verdictB });
  return { sameSession, differences, same };
}

/** What a verdict says; the digest names the session, so that it tells nothing between two of them. */
function verdictText(verdict: Verdict, sameSession: boolean): string {
  if (!verdict.ok) return verdict.code;
  const { status, outcome, finality, waiting, digest } = verdict;
  return canonicalize({ status, outcome, finality, waiting, digest: sameSession ? digest : "" });
}

interface Line {
  readonly side: SideName;
  readonly entries: readonly Entry[];
  /** So many of them are the genesis and the order. */
  readonly ordered: number;
  readonly byPlace: ReadonlyMap<string, readonly Entry[]>;
  readonly byRef: ReadonlyMap<Ref, Entry>;
  readonly standing: ReadonlyMap<Ref, Standing>;
  /** Refused records that claim a place in a log. */
  readonly refused: ReadonlyMap<string, RejectedRecord>;
  readonly view: View;
}

function compareEntries(viewA: View, viewB: View): { differences: Difference[]; same: number } {
  const [a, b] = [lineOf("a", viewA), lineOf("b", viewB)];
  const walk = new Walk(a, b);
  let i = 0;
  let j = 0;
  while (i < a.entries.length || j < b.entries.length) {
    const x = a.entries[i];
    const y = b.entries[j];
    if (x !== undefined && walk.done.has(x.ref)) i++;
    else if (y !== undefined && walk.done.has(y.ref)) j++;
    else if (x !== undefined && !b.byRef.has(x.ref) && (i < a.ordered || j >= b.ordered)) walk.alone(x, a, b);
    else if (y !== undefined && !a.byRef.has(y.ref) && (j < b.ordered || i >= a.ordered)) walk.alone(y, b, a);
    // What one side has in its order comes before what the other has outside of its own.
    else if (x !== undefined && i < a.ordered && j >= b.ordered) walk.both(x, x);
    else if (y !== undefined && j < b.ordered && i >= a.ordered) walk.both(y, y);
    // Both lines hold what the other points at, so neither is at its end here.
    else walk.both(x!, y!);
  }
  walk.refused(a, b);
  walk.refused(b, a);
  return { differences: walk.differences, same: walk.same };
}

class Walk {
  readonly differences: Difference[] = [];
  /** Entries of either side that are dealt with. */
  readonly done = new Set<Ref>();
  same = 0;
  readonly #named = new Set<RejectedRecord>();
  readonly #a: Line;
  readonly #b: Line;

  constructor(a: Line, b: Line) {
    this.#a = a;
    this.#b = b;
  }

  /** Two entries that both lines have, at the point where each line stands. */
  both(x: Entry, y: Entry): void {
    if (x.ref !== y.ref && this.#standsOtherwise(y)) this.#settle(y);
    else if (x.ref === y.ref || this.#standsOtherwise(x)) this.#settle(x);
    else this.#settle(x, y.ref);
  }

  #standsOtherwise({ ref }: Entry): boolean {
    return this.#a.standing.get(ref) !== this.#b.standing.get(ref);
  }

  #settle({ ref }: Entry, after?: Ref): void {
    this.done.add(ref);
    const before = this.differences.length;
    const [a, b] = [this.#a.standing.get(ref)!, this.#b.standing.get(ref)!];
    if (this.#a.byRef.get(ref)!.wire !== this.#b.byRef.get(ref)!.wire)
      this.differences.push({ kind: "other-bytes", ref });
    if (a !== b) this.differences.push({ kind: "other-standing", ref, a, b });
    if (after !== undefined) this.differences.push({ kind: "other-order", ref, other: after });
    if (this.differences.length === before) this.same++;
  }

  /** An entry that only `mine` has. */
  alone(entry: Entry, mine: Line, others: Line): void {
    this.done.add(entry.ref);
    const place = placeOf(entry);
    const other = others.byPlace.get(place)?.find(({ ref }) => !mine.byRef.has(ref) && !this.done.has(ref));
    if (other !== undefined) {
      this.done.add(other.ref);
      const [a, b] = mine.side === "a" ? [entry.ref, other.ref] : [other.ref, entry.ref];
      this.differences.push({ kind: "other-entry", wallet: entry.wallet, seq: entry.seq, a, b });
      return;
    }
    const instead = others.refused.get(place);
    if (instead !== undefined) this.#named.add(instead);
    this.differences.push({
      kind: "missing",
      side: others.side,
      ref: entry.ref,
      ...(instead !== undefined && { instead }),
    });
  }

  /** What `mine` refuses, the other does not have, and no difference has named yet. */
  refused(mine: Line, others: Line): void {
    const known = new Set(others.view.rejected.map(({ hash }) => hash));
    for (const record of mine.view.rejected)
      if (!known.has(record.hash) && !this.#named.has(record))
        this.differences.push({ kind: "rejected", side: mine.side, record });
  }
}

/** All valid entries of a view in one line: the genesis, the order, then the rest by wallet and seq. */
function lineOf(side: SideName, view: View): Line {
  const standing = new Map<Ref, Standing>();
  for (const { ref, inTime } of view.order) standing.set(ref, inTime ? "counted" : "late");
  for (const { entry } of view.pending) standing.set(entry.ref, "pending");
  const placed = new Set([view.session, ...view.order.map(({ ref }) => ref)]);
  const rest = [...view.entries.values()].filter(({ ref }) => !placed.has(ref)).sort(byPlaceThenHash);
  const entries = [view.genesis, ...view.order.map(({ entry }) => entry), ...rest];
  const byPlace = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (!standing.has(entry.ref)) standing.set(entry.ref, "outside");
    const place = placeOf(entry);
    const there = byPlace.get(place);
    if (there === undefined) byPlace.set(place, [entry]);
    else there.push(entry);
  }
  const ordered = view.order.length + 1;
  return { side, entries, ordered, byPlace, byRef: view.entries, standing, refused: refusedOf(view), view };
}

function refusedOf(view: View): Map<string, RejectedRecord> {
  const refused = new Map<string, RejectedRecord>();
  for (const record of view.rejected) {
    const claim = parseCandidate(record.wire);
    if (claim.ok) refused.set(placeOf(claim.value), record);
  }
  return refused;
}

function placeOf({ wallet, seq }: { readonly wallet: Address; readonly seq: number }): string {
  return `${wallet}:${seq}`;
}

function byPlaceThenHash(x: Entry, y: Entry): number {
  if (x.wallet !== y.wallet) return x.wallet < y.wallet ? -1 : 1;
  return x.seq !== y.seq ? x.seq - y.seq : x.hash < y.hash ? -1 : 1;
}

const TERMS = ["game", "rules", "participants", "deadline", "default_outcome", "title", "domain"] as const;

function compareSessions(a: View, b: View): { differences: Difference[]; same: number } {
  const differences: Difference[] = [];
  for (const member of TERMS) {
    const [x, y] = [a.terms[member], b.terms[member]] as [Json | undefined, Json | undefined];
    if (textOf(x) !== textOf(y)) differences.push({ kind: "other-term", member, a: x, b: y });
  }
  let same = 0;
  const find = movesByPlace(b.order);
  const seen = new Set<string>();
  for (const x of a.order) {
    const place = `${x.author}:${x.place}`;
    seen.add(place);
    const y = find.get(place);
    const what = y === undefined ? undefined : otherIn(x, y);
    if (y === undefined) differences.push({ kind: "missing", side: "b", ref: x.ref });
    else if (what === undefined) same++;
    else differences.push({ kind: "other-move", author: x.author, place: x.place, what, a: x.ref, b: y.ref });
  }
  for (const y of b.order)
    if (!seen.has(`${y.author}:${y.place}`)) differences.push({ kind: "missing", side: "a", ref: y.ref });
  return { differences, same };
}

function movesByPlace(order: readonly Move[]): Map<string, Move> {
  return new Map(order.map((move) => [`${move.author}:${move.place}`, move]));
}

function otherIn(x: Move, y: Move): "type" | "body" | undefined {
  if (x.entry.type !== y.entry.type) return "type";
  return textOf(x.body) === textOf(y.body) ? undefined : "body";
}

function textOf(value: Json | undefined): string {
  return value === undefined ? "" : canonicalize(value);
}
