// The open lobby: invites that their hosts announce to everybody. What arrives is a ref and proves nothing: each one
// is fetched and checked, one at a time, and what is listed is bounded, in all and for a single host.

import type { Address, Ref } from "../core/values.ts";
import { gameOf } from "../games/judge.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { fetchEntry, readOffer } from "./invite-entries.ts";
import { findSession } from "./invite-session.ts";
import type { Host, Offer } from "./invite.ts";
import { RefInbox } from "../session/ref-inbox.ts";

export const LOBBY_TOPIC = "lobby";

/** Most invites listed, and most of one host; the newest stay. */
export const MAX_LISTED = 24;
export const MAX_OF_A_HOST = 3;
const ANNOUNCE_MS = 60_000;
const REFRESH_MS = 30_000;

export type LobbyEnvironment = Pick<PeerEnvironment, "hub" | "channel" | "clock" | "random">;

export interface OpenInvite {
  readonly invite: Ref;
  readonly host: Address;
  readonly offer: Offer;
}

/** A list, newest first: immutable, and a new one whenever it changed. */
export interface Lobby {
  subscribe(listener: () => void): () => void;
  getSnapshot(): readonly OpenInvite[];
  /** Looks again at what is listed, and drops what has begun meanwhile. Happens by itself now and then. */
  refresh(): Promise<void>;
  close(): void;
}

/** A host's invite stays announced while it waits for guests; without a channel nobody hears it. Returns the end of it. */
export function keepAnnounced(
  environment: Pick<PeerEnvironment, "channel" | "clock">,
  host: Host,
): () => void {
  const { channel, clock } = environment;
  if (channel === null) return () => undefined;
  let cancel: (() => void) | undefined;
  let announced: Ref | null = null;
  const again = (): void => {
    if (announced === null) return;
    channel.publish(LOBBY_TOPIC, announced);
    // A relay keeps the newest of a topic only: what others announce pushes this one out.
    cancel = clock.after(ANNOUNCE_MS, again);
  };
  const look = (): void => {
    const { stage, invite } = host.getSnapshot();
    const now = stage === "open" ? invite : null;
    if (now === announced) return;
    cancel?.();
    announced = now;
    again();
  };
  const stop = host.subscribe(look);
  look();
  return () => {
    stop();
    cancel?.();
    announced = null;
  };
}

/** Listens until `close`. */
export function openLobby(environment: LobbyEnvironment): Lobby {
  return new OpenLobby(environment);
}

class OpenLobby implements Lobby {
  readonly #env: LobbyEnvironment;
  readonly #listeners = new Set<() => void>();
  readonly #inbox: RefInbox;
  readonly #stop: (() => void) | undefined;
  #listed: readonly OpenInvite[] = [];
  #cancel: (() => void) | undefined;
  #refreshing: Promise<void> | undefined;
  #closed = false;

  constructor(environment: LobbyEnvironment) {
    this.#env = environment;
    const { clock, random, channel } = environment;
    this.#inbox = new RefInbox({ clock, random, parallel: 6, take: (ref) => this.#take(ref) });
    this.#stop = channel?.subscribe(LOBBY_TOPIC, (ref) => this.#inbox.push(ref));
    this.#schedule();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  getSnapshot(): readonly OpenInvite[] {
    return this.#listed;
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  close(): void {
    this.#closed = true;
    this.#stop?.();
    this.#inbox.close();
    this.#cancel?.();
    this.#listeners.clear();
  }

  async #take(invite: Ref): Promise<"good" | "bad" | "later"> {
    const { hub } = this.#env;
    const entry = await fetchEntry(hub, invite);
    if (entry === undefined) return "later";
    const offer = readOffer(entry);
    if (offer === undefined || gameOf(offer.game) === undefined) return "bad";
    // What has begun needs nobody any more.
    if ((await findSession(hub, invite)) !== null) return "bad";
    this.#set(listWith(this.#listed, { invite, host: entry.wallet, offer }));
    return "good";
  }

  /** One at a time; what the Hub does not answer for stays listed. */
  async #refresh(): Promise<void> {
    for (const { invite } of this.#listed) {
      if (this.#closed) return;
      const begun = await findSession(this.#env.hub, invite).catch(() => null);
      if (begun !== null) this.#set(this.#listed.filter((one) => one.invite !== invite));
    }
  }

  #schedule(): void {
    this.#cancel = this.#env.clock.after(REFRESH_MS, () => void this.refresh().then(() => this.#again()));
  }

  #again(): void {
    if (!this.#closed) this.#schedule();
  }

  #set(listed: readonly OpenInvite[]): void {
    if (this.#closed) return;
    this.#listed = listed;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The list with one more in front: at most so many of its host, and so many in all. */
export function listWith(listed: readonly OpenInvite[], one: OpenInvite): readonly OpenInvite[] {
  let ofHost = 0;
  return [one, ...listed.filter(({ invite }) => invite !== one.invite)]
    .filter(({ host }) => host !== one.host || ++ofHost <= MAX_OF_A_HOST)
    .slice(0, MAX_LISTED);
}
