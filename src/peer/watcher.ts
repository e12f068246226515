// A session as a watcher sees it: a follower and nothing else.

import type { DomainKey } from "../core/sealed.ts";
import type { Ref } from "../core/values.ts";
import { SessionFollower, type SessionSnapshot } from "../session/session-follower.ts";
import type { PeerEnvironment } from "./environment.ts";
import { unreportedForks } from "./fork-reporter.ts";
import type { PeerSnapshot, ShownStage, Watcher } from "./peer.ts";

/** The follower of a session that is played or watched: only what is verified is shown. */
export function followerOf(environment: PeerEnvironment, session: Ref, domain?: DomainKey): SessionFollower {
  const { hub, ...ports } = environment;
  return new SessionFollower({ ...ports, hubs: [hub], session, domain, showsFirstLevel: false });
}

/** Opens a session to look on until `close`; `domain` opens a private one, as its link gives it. */
export function openWatcher(environment: PeerEnvironment, session: Ref, domain?: DomainKey): Watcher {
  const follower = followerOf(environment, session, domain);
  const stop = follower.subscribe(() => undefined);
  let made: { readonly of: SessionSnapshot; readonly snapshot: PeerSnapshot } | undefined;
  return {
    kind: "watcher",
    session,
    subscribe: follower.subscribe,
    refresh: follower.refresh,
    close: stop,
    getSnapshot: () => {
      const of = follower.getSnapshot();
      if (made?.of !== of) made = { of, snapshot: snapshotOf(environment, of) };
      return made.snapshot;
    },
  };
}

function snapshotOf(environment: PeerEnvironment, snapshot: SessionSnapshot): PeerSnapshot {
  const { state, records, problems, session } = snapshot;
  const shown = shownStage(snapshot);
  return {
    ...shown,
    session,
    wallet: null,
    seated: false,
    state,
    records,
    turn: {
      owes: [],
      waitingFor: shown.verdict?.ok === true ? shown.verdict.waiting : [],
      left: 0,
      busy: false,
      lostSalts: [],
      unreportedForks: shown.view?.ok === true ? unreportedForks(shown.view).map(({ wallet }) => wallet) : [],
    },
    moves: [],
    notes: problems,
    keyProblem: shown.view?.ok === true && shown.view.sealed ? "no-key" : null,
    guardedAcrossTabs: environment.locks.crossTab,
    durability: environment.store.durability,
  };
}

/** What there is to see. */
export function shownStage({ stage }: SessionSnapshot): ShownStage {
  if (stage === null) return { view: null, verdict: null };
  const { view, verdict } = stage;
  if (!view.ok || verdict === null) return view.ok ? { view: null, verdict: null } : { view, verdict: null };
  return { view, verdict };
}
