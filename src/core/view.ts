// What a view of a session is: the result of `buildView` (build-view.ts), a pure function of a bag of records and
// a session id. Every observer with the same records has the same view, whatever their order and repetition.

import type { JsonObject } from "./canonical.ts";
import type { Entry, Rejection } from "./entry.ts";
import type { BadGenesis, Terms } from "./session.ts";
import type { Address, Hash, Ref } from "./values.ts";

/** `verified`: every accepted entry's own signature was checked. `authenticated`: some are covered by their chain only. */
export type Level = "authenticated" | "verified";

/** A session entry in its place. */
export interface Move {
  readonly entry: Entry;
  readonly ref: Ref;
  /** Index of the author in `participants`. */
  readonly author: number;
  /** Number among its author's session entries, from 1. */
  readonly place: number;
  readonly depth: number;
  /** For each participant, how many of its session entries are in this one's causal past, itself included. */
  readonly clock: Uint32Array;
  /** Causal parents, as indices into `View.order`. */
  readonly parents: readonly number[];
  /** place <= share; what is late is not seen by a game. */
  readonly inTime: boolean;
  /** The body a game reads: the opened one in a sealed session, `{}` where it does not open. */
  readonly body: JsonObject;
  /** True in a sealed session where the body did not open (with the key in hand). */
  readonly unopened: boolean;
}

export type GapCode = "bad-anchor" | "gap" | "bad-prev";

/** Where a participant's segment ends before its log does. */
export interface Gap {
  readonly seq: number;
  readonly code: GapCode;
}

/** Two different valid entries of one wallet at one seq, within the session. The versions are sorted by hash. */
export interface Fault {
  readonly seq: number;
  readonly versions: readonly Entry[];
}

export interface Member {
  readonly wallet: Address;
  /** First place of its segment; hash null where the genesis pins nothing (the log's start). */
  readonly anchor: { readonly seq: number; readonly hash: Hash | null };
  /** Number of its moves, its fault and gaps regardless. */
  readonly used: number;
  readonly spent: boolean;
  /** Seq of its last move, or null without moves. */
  readonly end: number | null;
  readonly fault: Fault | null;
  readonly gap: Gap | null;
  readonly joined: boolean;
  /** Contiguous entries from the anchor to the end, its moves and others. */
  readonly segment: readonly Entry[];
}

/** A record that is no entry. `hash` is the SHA-256 of its bytes. */
export interface RejectedRecord {
  readonly hash: Hash;
  readonly wire: string;
  readonly rejection: Rejection;
}

/** A record whose signature could not be checked: it counts for nothing, and the view is incomplete. */
export interface UncheckedRecord {
  readonly hash: Hash;
  readonly wire: string;
  readonly why: string;
}

/** A session entry that waits for something it rests on. `missing`: the refs that are no session entry of this view. */
export interface PendingEntry {
  readonly entry: Entry;
  readonly missing: readonly Ref[];
}

export interface View {
  readonly ok: true;
  readonly session: Ref;
  readonly genesis: Entry;
  readonly terms: Terms;
  readonly participants: readonly Address[];
  /** Entries each participant may write: q = floor((N-1)/P). */
  readonly share: number;
  readonly level: Level;
  readonly members: readonly Member[];
  /** All placed session entries, late ones included, by depth, then place in `participants`, then seq. */
  readonly order: readonly Move[];
  /** Sorted by ref. */
  readonly pending: readonly PendingEntry[];
  readonly rejected: readonly RejectedRecord[];
  readonly unchecked: readonly UncheckedRecord[];
  /** Valid entries in the bag, by ref: of the session or not. */
  readonly entries: ReadonlyMap<Ref, Entry>;
  /** Some participant is spent. */
  readonly closed: boolean;
  /** No gap code, nothing pending, nothing unchecked. */
  readonly complete: boolean;
  /** A sealed session read without its key: moves are placed, bodies are not known. */
  readonly sealed: boolean;
}

export interface NoView {
  readonly ok: false;
  readonly code: "no-genesis" | "bad-genesis" | "bad-key";
  readonly why?: BadGenesis;
  readonly rejected: readonly RejectedRecord[];
  readonly unchecked: readonly UncheckedRecord[];
}

/** Whether `past` is in the causal past of `move` (or is it): an O(1) look at the vector clock. */
export function isInPast(past: Move, move: Move): boolean {
  return move.clock[past.author]! >= past.place;
}

/** Whether neither of two moves is in the other's causal past. */
export function areConcurrent(a: Move, b: Move): boolean {
  return !isInPast(a, b) && !isInPast(b, a);
}
