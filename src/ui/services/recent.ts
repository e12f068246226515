// Sessions that this browser opened or played lately, newest first, for the home page, and the hashes of entries seen
// in them, for search. Each is kept by itself, like preferences.

import { createStore, type StoreApi } from "zustand/vanilla";
import { canonicalize, isObject, own, parseJson, type Json, type JsonObject } from "../../core/canonical.ts";
import { isName } from "../../core/claimed-name.ts";
import type { Outcome } from "../../games/game.ts";
import type { Steps } from "../../core/steps.ts";
import { isAddress, isRef, parseRef, type Address, type Hash, type Ref } from "../../core/values.ts";
import type { KeptMembers } from "./kept-members.ts";

export interface RecentSession {
  readonly session: Ref;
  readonly game: string;
  readonly title: string;
  /** What was last said of it where it has no outcome, in a few words; "" while it is open. */
  readonly result: string;
  /** What came of it; null while it is open. Names are put in when it is shown. */
  readonly outcome: Outcome | null;
  readonly participants: readonly Address[];
  /** Names that its wallets claim. */
  readonly claimed: ReadonlyMap<Address, string>;
  /** The seat that this reader has in it, where it is known. */
  readonly seat: Address | null;
  /** The other participants, whose copies are asked for where the genesis' author has erased it. */
  readonly witnesses: readonly Address[];
  /** This reader has a seat in it. */
  readonly played: boolean;
}

export interface Recent {
  readonly sessions: readonly RecentSession[];
  /** Refs of entries seen since the page was opened, by hash. */
  readonly seen: ReadonlyMap<Hash, Ref>;
  readonly note: (session: RecentSession) => void;
  readonly see: (refs: Iterable<Ref>) => void;
  /** The same for refs that are by their hash already (`hashesOf`). */
  readonly saw: (refs: ReadonlyMap<Hash, Ref>) => void;
  readonly forget: () => void;
}

export type RecentApi = StoreApi<Recent>;

export const MAX_RECENT = 12;
const MAX_SEEN = 200_000;

/** The list with a session at its head; a seat once taken stays noted. The same list where nothing changes. */
export function withRecent(
  sessions: readonly RecentSession[],
  session: RecentSession,
): readonly RecentSession[] {
  const before = sessions.find((s) => s.session === session.session);
  const played = session.played || before?.played === true;
  const noted = { ...session, played, seat: session.seat ?? before?.seat ?? null };
  if (before !== undefined && sessions[0] === before && sameNote(before, noted)) return sessions;
  return [noted, ...sessions.filter((s) => s !== before)].slice(0, MAX_RECENT);
}

function sameNote(a: RecentSession, b: RecentSession): boolean {
  return canonicalize(jsonOf(a)) === canonicalize(jsonOf(b));
}

/** As it is kept. */
function jsonOf({ claimed, ...rest }: RecentSession): JsonObject {
  return { ...rest, claimed: Object.fromEntries(claimed) };
}

/** The hashes seen with more refs; the same map where all are known. */
export function withSeen(seen: ReadonlyMap<Hash, Ref>, refs: Iterable<Ref>): ReadonlyMap<Hash, Ref> {
  let next: Map<Hash, Ref> | undefined;
  for (const ref of refs) {
    const hash = parseRef(ref)?.hash;
    if (hash === undefined || (next ?? seen).has(hash)) continue;
    next ??= new Map(seen.size > MAX_SEEN ? [] : seen);
    next.set(hash, ref);
  }
  return next ?? seen;
}

/** Refs looked at in one step. */
const STEP = 1024;

/** Refs by their hashes, in steps: a session may have a hundred thousand. */
export function* hashesOf(refs: Iterable<Ref>): Steps<ReadonlyMap<Hash, Ref>> {
  const byHash = new Map<Hash, Ref>();
  let looked = 0;
  for (const ref of refs) {
    const hash = parseRef(ref)?.hash;
    if (hash !== undefined) byHash.set(hash, ref);
    if (++looked % STEP === 0) yield;
  }
  return byHash;
}

/** Both together, at the cost of the smaller; what was seen first goes where that is too much. */
export function joinSeen(seen: ReadonlyMap<Hash, Ref>, more: ReadonlyMap<Hash, Ref>): ReadonlyMap<Hash, Ref> {
  if (seen.size + more.size > MAX_SEEN) return more;
  return seen.size < more.size ? withSeen(more, seen.values()) : withSeen(seen, more.values());
}

/** The list out of kept members, newest first; what is malformed is left out. */
export function readRecent(members: ReadonlyMap<string, string>): readonly RecentSession[] {
  const noted = [...members.values()].flatMap((text) => {
    const value = parseJson(text);
    const at = isObject(value) ? own(value, "at") : undefined;
    return readItem(value).map((session) => ({ session, at: typeof at === "number" ? at : 0 }));
  });
  noted.sort((a, b) => b.at - a.at);
  return noted.map(({ session }) => session).slice(0, MAX_RECENT);
}

/** Keeps what is noted here, each session by itself, and takes over what another tab notes. */
export function keepRecent(store: RecentApi, kept: KeptMembers, now: () => number): void {
  let isRemote = false;
  store.subscribe(({ sessions }, { sessions: before }) => {
    if (isRemote || sessions === before) return;
    for (const session of sessions)
      if (!before.includes(session))
        kept.set(session.session, canonicalize({ ...jsonOf(session), at: now() }));
    for (const { session } of before)
      if (!sessions.some((each) => each.session === session)) kept.remove(session);
  });
  kept.onChange((member, text) => {
    const [noted] = readItem(text === null ? undefined : parseJson(text));
    isRemote = true;
    if (noted?.session === member) store.getState().note(noted);
    else
      store.setState(({ sessions }) => ({ sessions: sessions.filter(({ session }) => session !== member) }));
    isRemote = false;
  });
}

function readItem(value: Json | undefined): readonly RecentSession[] {
  if (!isObject(value)) return [];
  const session = own(value, "session");
  const text = (name: string) => {
    const member = own(value, name);
    return typeof member === "string" ? member : "";
  };
  if (!isRef(session)) return [];
  return [
    {
      session,
      game: text("game"),
      title: text("title"),
      result: text("result"),
      outcome: readOutcome(own(value, "outcome")),
      participants: addressesIn(own(value, "participants")),
      claimed: readClaimed(own(value, "claimed")),
      seat: addressesIn([own(value, "seat") ?? null])[0] ?? null,
      witnesses: addressesIn(own(value, "witnesses")),
      played: own(value, "played") === true,
    },
  ];
}

function readOutcome(value: Json | undefined): Outcome | null {
  const kind = isObject(value) ? own(value, "kind") : undefined;
  return isObject(value) && typeof kind === "string" ? { ...value, kind } : null;
}

function readClaimed(value: Json | undefined): ReadonlyMap<Address, string> {
  const claims = Object.entries(isObject(value) ? value : {});
  return new Map(
    claims.flatMap(([wallet, name]) =>
      isAddress(wallet) && typeof name === "string" && isName(name) ? [[wallet, name] as const] : [],
    ),
  );
}

function addressesIn(value: Json | undefined): readonly Address[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((one) => isAddress(one)).slice(0, 128) : [];
}

export function createRecent(initial: readonly RecentSession[]): RecentApi {
  return createStore<Recent>((set) => ({
    sessions: initial,
    seen: withSeen(
      new Map(),
      initial.map(({ session }) => session),
    ),
    note: (session) =>
      set((now) => ({
        sessions: withRecent(now.sessions, session),
        seen: withSeen(now.seen, [session.session]),
      })),
    see: (refs) => set((now) => ({ seen: withSeen(now.seen, refs) })),
    saw: (refs) => set((now) => ({ seen: joinSeen(now.seen, refs) })),
    forget: () => set({ sessions: [], seen: new Map() }),
  }));
}
