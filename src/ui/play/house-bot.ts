// The house in this browser: accepts invites that it is told of on its inbox topic, and plays each game at random. It
// goes on after a reload with what it had begun. The same interfaces as any player; it has no other way to know anything.

import type { Ref } from "../../core/values.ts";
import { RPS_VALUES } from "../../games/rps.ts";
import type { PeerEnvironment, RandomBytes } from "../../peer/environment.ts";
import { joinInvite } from "../../peer/invite-guest.ts";
import { openPeer } from "../../peer/live-peer.ts";
import type { LogWriter } from "../../peer/log-writer.ts";

const KEPT = "house/";
/** Sessions followed at once: the oldest gives way. */
const MAX_OPEN = 16;
/** A decided session is followed on for a while, so that the other sees the last entries mirrored. */
const LINGER_MS = 30_000;

/** Opens the house; returns the way to close it. */
export function openHouse(environment: PeerEnvironment, log: LogWriter): () => void {
  const stops = new Map<Ref, () => void>();
  const begin = (ref: Ref, open: () => () => void) => {
    if (stops.has(ref)) return;
    stops.set(ref, open());
    const oldest = stops.keys().next();
    if (stops.size > MAX_OPEN && oldest.done !== true) end(oldest.value);
  };
  const end = (ref: Ref) => {
    stops.get(ref)?.();
    stops.delete(ref);
  };
  const play = (session: Ref) =>
    begin(session, () => playSession(environment, log, session, () => end(session)));
  const take = (invite: Ref) => begin(invite, () => takeInvite(environment, log, invite, play));
  const unsubscribe = environment.channel?.subscribe(log.address, take);
  void environment.store.keys(KEPT).then(
    (keys) => keys.forEach((key) => play(key.slice(KEPT.length) as Ref)),
    () => undefined, // a store that cannot be read: nothing to go on with
  );
  return () => {
    unsubscribe?.();
    [...stops.keys()].forEach(end);
  };
}

function takeInvite(
  environment: PeerEnvironment,
  log: LogWriter,
  invite: Ref,
  play: (session: Ref) => void,
): () => void {
  const joining = joinInvite(environment, log, invite);
  let accepted = false;
  const look = () => {
    const { stage, offer, session } = joining.getSnapshot();
    if (stage === "offered" && offer?.game === "rps" && !accepted) {
      accepted = true;
      joining.accept().catch(() => (accepted = false));
    }
    if (session !== null) {
      stop();
      joining.close();
      void environment.store.put(`${KEPT}${session}`, "open").catch(() => undefined);
      play(session);
    }
  };
  const stop = joining.subscribe(look);
  look();
  return () => {
    stop();
    joining.close();
  };
}

function playSession(
  environment: PeerEnvironment,
  log: LogWriter,
  session: Ref,
  done: () => void,
): () => void {
  const peer = openPeer(environment, { session, log });
  let moving = false;
  let cancel: (() => void) | undefined;
  const look = () => {
    const { turn, verdict } = peer.getSnapshot();
    if (verdict?.ok === true && verdict.status === "decided" && cancel === undefined) {
      void environment.store.remove(`${KEPT}${session}`).catch(() => undefined);
      cancel = environment.clock.after(LINGER_MS, done);
    }
    if (moving || turn.busy || turn.owes[0]?.what !== "commit") return;
    moving = true;
    peer
      .commit(pick(environment.random, RPS_VALUES))
      .catch(() => undefined) // said on the next snapshot; tried again when there is news
      .finally(() => (moving = false));
  };
  const stop = peer.subscribe(look);
  look();
  return () => {
    stop();
    cancel?.();
    peer.close();
  };
}

/** One of a few, each as likely: bytes beyond the last whole multiple are drawn again. */
export function pick<T>(random: RandomBytes, choices: readonly [T, ...T[]] | readonly T[]): T {
  const most = 256 - (256 % choices.length);
  for (;;) {
    const byte = random(1)[0]!;
    if (byte < most) return choices[byte % choices.length]!;
  }
}
