// The follower of the session that the page shows, and what is asked to make it: the reader's own records first, else the
// Hubs that the link names, else this app's Hub.

import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useQuery } from "@tanstack/react-query";
import { readWitnesses } from "../../core/audit-link.ts";
import { domainKey } from "../../core/seal.ts";
import type { DomainKey } from "../../core/sealed.ts";
import type { Ref } from "../../core/values.ts";
import type { Hub } from "../../hub/hub.ts";
import { domainKeyQuery, readKey } from "../services/domain-key.ts";
import type { AppEnvironment } from "../services/environment.ts";
import { SessionFollower, type SessionSnapshot } from "../../session/session-follower.ts";
import { useEnvironment } from "../services/use-environment.ts";
import { defaultPace, runSteps } from "../../platform/time-slices.ts";
import { hashesOf } from "../services/recent.ts";
import { useSources, useStores } from "../services/stores.tsx";
import { noteOf } from "../names/note-of.ts";

export interface SessionAtHand {
  readonly follower: SessionFollower;
  /** Without its progress, which `useProgress` gives to who shows it. */
  readonly snapshot: SessionSnapshot;
  readonly domain: DomainKey | undefined;
  /** Names of the Hubs that are asked, for links: only URLs. */
  readonly hubs: readonly string[];
  readonly hubObjects: readonly Hub[];
  /** Where the reader's own records came from; null where a Hub is asked. */
  readonly givenName: string | null;
}

/** Suspends until the environment is open. */
export function useSession(session: Ref, params: URLSearchParams): SessionAtHand {
  const environment = useEnvironment();
  const source = useSources((state) => state.bySession.get(session));
  const [asked] = [params.getAll("hub").join(" ")];
  const keyText = params.get("k");
  const domain = useMemo(() => readKey(keyText), [keyText]);
  const given = source?.records;
  // Opening a link does not follow its session: the relay would learn which one is read.
  const quiet = environment.relayName !== null && (params.has("v") || params.has("hub"));
  const onlyGiven = given !== undefined && params.get("ask") !== "hub";
  const { recent } = useStores();
  const named = params.get("w");
  const follower = useMemo(() => {
    const remembered = recent.getState().sessions.find((one) => one.session === session)?.witnesses ?? [];
    const witnesses = [...new Set([...(readWitnesses(named ?? "") ?? []), ...remembered])];
    const hubs = onlyGiven ? [] : hubsOf(environment, asked);
    return new SessionFollower({
      session,
      given: given ?? [],
      hubs,
      witnesses,
      verifier: environment.verifier,
      channel: onlyGiven ? null : environment.channel,
      quiet,
      domain,
      clock: environment.clock,
      random: environment.random,
    });
  }, [environment, session, asked, named, given, onlyGiven, quiet, domain, recent]);
  const snapshot = useSyncExternalStore(follower.subscribe, follower.getSteady);
  const known = useKeptKey(follower, snapshot);
  useNote(session, snapshot);
  const hubObjects = useMemo(
    () => (onlyGiven ? [] : hubsOf(environment, asked)),
    [environment, asked, onlyGiven],
  );
  const hubs = useMemo(
    () =>
      hubsOf(environment, asked)
        .map(({ name }) => absolute(name))
        .filter((name) => name !== null),
    [environment, asked],
  );
  return {
    follower,
    snapshot,
    domain: domain ?? known,
    hubs,
    hubObjects,
    givenName: onlyGiven ? source!.name : null,
  };
}

/** Opens a private session that a player of this browser has the key of; undefined until it is open. */
function useKeptKey(follower: SessionFollower, { stage }: SessionSnapshot): DomainKey | undefined {
  const { store } = useEnvironment();
  const view = stage?.level === "verified" && stage.view.ok ? stage.view : null;
  const kept = useQuery(domainKeyQuery(store, view?.sealed === true ? view.terms.domain : undefined)).data;
  useEffect(() => {
    if (kept != null) void follower.unlock(domainKey(kept));
  }, [follower, kept]);
  return view?.terms.domain !== undefined && !view.sealed ? follower.audit.domain : undefined;
}

/** How far the level is that runs now; null when all is done. */
export function useProgress(follower: SessionFollower): SessionSnapshot["progress"] {
  return useSyncExternalStore(follower.subscribe, () => follower.getSnapshot().progress);
}

/** Whether a level runs now: changes only when one starts or all is done. */
export function useRuns(follower: SessionFollower): boolean {
  return useSyncExternalStore(follower.subscribe, () => follower.getSnapshot().progress !== null);
}

function hubsOf(environment: AppEnvironment, asked: string) {
  const urls = asked.split(" ").filter((url) => /^https?:\/\/[^\s]+$/.test(url));
  return urls.length === 0 ? [environment.hub] : [...new Set(urls)].map((url) => environment.hubAt(url));
}

/** A Hub's URL whole; null for one that only this browser has. */
function absolute(name: string): string | null {
  if (!/^(https?:|\/)/.test(name)) return null;
  return new URL(name, window.location.href).href.replace(/\/+$/, "");
}

/** Puts an opened session into the recent list, for the home page and search. */
function useNote(session: Ref, { stage }: SessionSnapshot): void {
  const { recent } = useStores();
  useEffect(() => {
    if (stage === null || stage.level !== "verified" || !stage.view.ok || stage.verdict === null) return;
    const { view, verdict } = stage;
    recent.getState().note({ ...noteOf(view, verdict), played: false, seat: null });
    // Thousands of refs, and nobody waits for them: after the verdict is on the screen.
    const ended = new AbortController();
    runSteps(hashesOf(view.entries.keys()), defaultPace, ended.signal).then(
      recent.getState().saw,
      () => undefined,
    );
    return () => ended.abort();
  }, [recent, session, stage]);
}

/** True once a first moment has passed: what is drawn late lets what matters be drawn first. */
export function useLater(): boolean {
  const [later, setLater] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setLater(true), 0));
    return () => cancelAnimationFrame(frame);
  }, []);
  return later;
}
