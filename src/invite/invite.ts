// From an offer to a session (protocol section 4): invite, accept, genesis. Both sides as state machines that
// survive a restart and work with the channel down: the host's log is polled by its guests, a known guest's log by
// the host, and an unknown guest sends its accept's ref by a reply link.

import type { JsonObject } from "../core/canonical.ts";
import type { DefaultOutcome } from "../core/session.ts";
import type { Address, Ref } from "../core/values.ts";

/** What an invite offers: the body of an `invite` entry. */
export interface Offer {
  readonly game: string;
  readonly rules: JsonObject;
  readonly deadline: number;
  readonly default_outcome: DefaultOutcome;
  readonly title?: string;
  /** Number of participants, as an invite says it. A host writes the number that it waits for. */
  readonly seats?: number;
  /** The session is to be sealed. */
  readonly private?: true;
}

/** A guest that has accepted: its entry, checked. */
export interface Guest {
  readonly wallet: Address;
  readonly accept: Ref;
}

/** `signing` → `open` (waits for guests) → `starting` (genesis on its way) → `started`. */
export interface HostSnapshot {
  readonly stage: "signing" | "open" | "starting" | "started" | "failed";
  /** The invite's ref: what the join link carries. null while signing. */
  readonly invite: Ref | null;
  readonly guests: readonly Guest[];
  /** How many participants start the session by themselves, and whether the host is one of them. */
  readonly players: number;
  readonly hostPlays: boolean;
  /** Certain wallets are asked, and not whoever has the link. */
  readonly expects: boolean;
  readonly session: Ref | null;
  /**
   * An invite on the same terms by one of those asked, which all come to where several have asked at once: join that
   * one and close this host. null while this invite is the one.
   */
  readonly instead: Ref | null;
  readonly problem: string | null;
}

export interface Host {
  subscribe(listener: () => void): () => void;
  getSnapshot(): HostSnapshot;
  /** Takes an accept's ref that came by a reply link or any other way; false where it is no accept of this invite. */
  offerAccept(ref: Ref): Promise<boolean>;
  /** Writes the genesis now, with the guests there are (for games of more than two, or a host that does not play). */
  start(): Promise<Ref>;
  /** Looks now, because the person wants it: a genesis that they have declined to sign is asked for again. */
  refresh(): Promise<void>;
  close(): void;
}

/** `reading` (the invite is being fetched) → `offered` → `accepting` → `waiting` (for the genesis) → `started`. */
export interface GuestSnapshot {
  readonly stage: "reading" | "offered" | "accepting" | "waiting" | "started" | "failed";
  readonly invite: Ref;
  readonly host: Address;
  /** null until read and checked. */
  readonly offer: Offer | null;
  /** This wallet's accept: what a reply link carries. */
  readonly accept: Ref | null;
  readonly session: Ref | null;
  /** The host has begun a session of this invite without this wallet, or on other terms than it offered. */
  readonly elsewhere: boolean;
  /** The host has given up its invite since: it has accepted this one instead, of another on the same terms. */
  readonly instead: Ref | null;
  readonly problem: string | null;
}

export interface Joining {
  subscribe(listener: () => void): () => void;
  getSnapshot(): GuestSnapshot;
  /** Signs the accept; resolves once it is on the Hub. The genesis may take until the host returns. */
  accept(): Promise<Ref>;
  refresh(): Promise<void>;
  close(): void;
}
