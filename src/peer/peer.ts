// One session as it is followed live, by a participant (a seat) or by a watcher without a wallet: the interfaces.
// watcher.ts and seat.ts make them; a seat appends by the one log writer of its wallet (log/log-writer.ts).

import type { JsonObject } from "../core/canonical.ts";
import type { Address, Ref } from "../core/values.ts";
import type { NoView, View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import type { KeyProblem } from "./domain-keys.ts";
import type { FollowNote, FollowState } from "../session/session-follower.ts";

/**
 * `signing`: with the wallet. `stored`: signed and kept on this machine, not yet known to be on the Hub.
 * `read-back`: the Hub has given the same bytes back. `seen`: some other participant's entry has it in its past.
 */
export type MoveStage = "signing" | "stored" | "read-back" | "seen";

export interface SentMove {
  /** Distinguishes moves within this peer, also while they have no ref. */
  readonly id: number;
  readonly type: string;
  readonly stage: MoveStage;
  /** null while signing. */
  readonly ref: Ref | null;
  /** Other participants whose entries have it in their past, in the order of participants. */
  readonly seenBy: readonly Address[];
  /** What went wrong, for people; the move is retried where that can help. */
  readonly problem: string | null;
  /** No further attempt will be made: the wallet refused, or the log moved. */
  readonly failed: boolean;
}

export interface Owed {
  readonly what: "commit" | "reveal" | "vote" | "bid";
  /** 1 in games without rounds. */
  readonly round: number;
}

/** What the board shows of this wallet's seat. */
export interface Turn {
  /** What this wallet owes now; empty for a watcher, and when it is another's move. */
  readonly owes: readonly Owed[];
  /** Who else is waited for, in the order of participants. */
  readonly waitingFor: readonly Address[];
  /** Entries left of this wallet's share (0 for a watcher). */
  readonly left: number;
  /** A move is on its way and not yet read back: wait before making another. */
  readonly busy: boolean;
  /** Own commits that can no longer be opened here: their salt is not in this store. */
  readonly lostSalts: readonly Ref[];
  /** Participants that have forked within the session with no evidence of it in the session yet: see `reportFork`. */
  readonly unreportedForks: readonly Address[];
}

/** Immutable; a new object whenever anything changed, the same one otherwise. */
export type PeerSnapshot = SnapshotParts & ShownStage;

/** What there is to see: nothing yet, no session, or a view and its verdict. */
export type ShownStage =
  | { readonly view: null; readonly verdict: null }
  | { readonly view: NoView; readonly verdict: null }
  | { readonly view: View; readonly verdict: Verdict };

interface SnapshotParts {
  readonly session: Ref;
  /** The wallet that acts here, or null for a watcher. */
  readonly wallet: Address | null;
  /** Whether `wallet` is a participant (false until the genesis is known). */
  readonly seated: boolean;
  readonly state: FollowState;
  /** All records held, as they came: what a bundle or the inspector takes. */
  readonly records: readonly string[];
  readonly turn: Turn;
  /** Own moves made through this peer, or found unfinished on opening; oldest first. */
  readonly moves: readonly SentMove[];
  readonly notes: readonly FollowNote[];
  /** Why the moves of a private session cannot be read here; null where they can. */
  readonly keyProblem: KeyProblem | null;
  /** One writer per wallet holds across tabs only if true; the board says so otherwise. */
  readonly guardedAcrossTabs: boolean;
  /** `memory`: what is kept here is gone with the page. */
  readonly durability: "disk" | "memory";
}

export type Peer = Watcher | Seat;

/** Looks on: it has no wallet, and makes no moves. */
export interface Watcher extends Following {
  readonly kind: "watcher";
}

interface Following {
  readonly session: Ref;
  subscribe(listener: () => void): () => void;
  getSnapshot(): PeerSnapshot;
  /** Reads the Hub now. Resolves when done, however it ended. */
  refresh(): Promise<void>;
  close(): void;
}

/** A participant's seat: it makes moves by its wallet's log. */
export interface Seat extends Following {
  readonly kind: "seat";
  /**
   * Signs and publishes a session entry with refs as section 4 of the protocol asks; resolves with its ref once
   * the Hub has given it back. A move that the game would flag is refused before it is signed.
   * @throws MoveError, WalletError
   */
  append(type: string, body: JsonObject): Promise<Ref>;
  /** Draws a salt, stores it, reads it back, and appends the commit. @throws MoveError `no-storage` without a store */
  commit(value: string): Promise<Ref>;
  /** Opens this wallet's commit, if the game allows it now. With `autoReveal` it happens by itself. */
  reveal(): Promise<Ref>;
  /**
   * Says what an own commit holds whose salt is lost: true if the wallet's key derives the salt again for that
   * value, and then it can be opened. For values that are too many to be tried.
   */
  recall(value: string): Promise<boolean>;
  /** Uses up one entry of the own share, deliberately. */
  tick(): Promise<Ref>;
  /**
   * Puts the proof of a participant's fork (`turn.unreportedForks`) into an own entry, so that nobody can hide it; uses up
   * one entry of the share. With a key held here it happens by itself where the entry can be spared.
   * @throws MoveError `nothing-to-prove`
   */
  reportFork(): Promise<Ref>;
  /** Tries again now what is stored and not yet read back. */
  retry(): Promise<void>;
}

export interface SeatSettings {
  readonly session: Ref;
  /** Opens own commits as soon as the game allows; default true. */
  readonly autoReveal?: boolean;
  /**
   * Commits although the store keeps salts only as long as the page or process lives: for a throw-away key that
   * lives no longer itself, or a person who has been told. Default false: no storage, no commit.
   */
  readonly acceptVolatile?: boolean;
}
