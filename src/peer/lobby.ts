// The open lobby: invites that their hosts announce to everybody. What arrives is a ref and proves nothing: each one
// is fetched and checked, one at a time, and what is listed is bounded, in all and for a single host.

import type { Address, Ref } from "../core/values.ts";
import { gameOf } from "../games/judge.ts";
import type { PeerEnvironment } from "./environment.ts";
import { fetchEntry, readOffer } from "./invite-entries.ts";
import { findSession } from "./invite-session.ts";
import type { Offer } from "./invite.ts";
import { RefInbox } from "./ref-inbox.ts";

export const LOBBY_TOPIC = "lobby";

/** Most invites listed, and most of one host; the newest stay. */
export const MAX_LISTED = 24;
export const MAX_OF_A_HOST = 3;

export interface OpenInvite {
  readonly invite: Ref;
  readonly host: Address;
  readonly offer: Offer;
}

/** Newest first. Immutable; a new list whenever it changed. */
export interface Lobby {
  subscribe(listener: () => void): () => void;
  getSnapshot(): readonly OpenInvite[];
  close(): void;
}

/** Announces an invite as open to anybody. May be repeated; without a channel nobody hears it. */
export function announceOpen({ channel }: Pick<PeerEnvironment, "channel">, invite: Ref): void {
  channel?.publish(LOBBY_TOPIC, invite);
}

/** Listens until `close`. */
export function openLobby(environment: Pick<PeerEnvironment, "hub" | "channel" | "clock" | "random">): Lobby {
  const { hub, channel, clock, random } = environment;
  const listeners = new Set<() => void>();
  let listed: readonly OpenInvite[] = [];
  const take = async (invite: Ref): Promise<"good" | "bad"> => {
    const entry = await fetchEntry(hub, invite);
    const offer = entry === undefined ? undefined : readOffer(entry);
    if (entry === undefined || offer === undefined || gameOf(offer.game) === undefined) return "bad";
    // What has begun needs nobody any more.
    if ((await findSession(hub, invite)) !== null) return "good";
    listed = listWith(listed, { invite, host: entry.wallet, offer });
    listeners.forEach((listener) => listener());
    return "good";
  };
  const inbox = new RefInbox({ clock, random, take });
  const stop = channel?.subscribe(LOBBY_TOPIC, (ref) => inbox.push(ref));
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => listed,
    close: () => {
      stop?.();
      inbox.close();
      listeners.clear();
    },
  };
}

/** The list with one more in front: at most so many of its host, and so many in all. */
export function listWith(listed: readonly OpenInvite[], one: OpenInvite): readonly OpenInvite[] {
  let ofHost = 0;
  return [one, ...listed.filter(({ invite }) => invite !== one.invite)]
    .filter(({ host }) => host !== one.host || ++ofHost <= MAX_OF_A_HOST)
    .slice(0, MAX_LISTED);
}
