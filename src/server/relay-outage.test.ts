// A game over a real server's Hub and a relay of its own, over real sockets: the relay's process ends in the middle and
// starts again on its port. Meanwhile both go on by polling.

import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { RelayChannel } from "../channel/channel.websocket.ts";
import { HttpHub } from "../hub/hub.http.ts";
import { openDirectSession } from "../invite/direct-session.ts";
import { openSeat } from "../peer/seat.ts";
import { localLocks } from "../platform/locks.ts";
import { openLog } from "../log/log-writer.ts";
import type { Seat, PeerSnapshot } from "../peer/peer.ts";
import { diskStore, seededBytes } from "../testing/builders-world.ts";
import { seededRandom } from "../testing/random.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { MemoryStore } from "./hub-store.memory.ts";
import { startRelay } from "../testing/relay-harness.ts";
import { startServer } from "./server.ts";

/** Everything that waits is this much quicker, so that nobody sits through a poll. */
const HASTE = 10;
const startedAt = Date.now();
const clock = {
  now: () => startedAt + performance.now() * HASTE,
  after: (ms: number, work: () => void) => {
    const timer = setTimeout(work, ms / HASTE);
    return () => clearTimeout(timer);
  },
};
const verifier = createInlineVerifier();

function environmentOf(hubUrl: string, relayUrl: string, seed: number) {
  const random = seededRandom(seed);
  const hub = new HttpHub(hubUrl, {
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    timer: (ms, work) => clock.after(ms, work),
    chance: random,
    randomBytes: seededBytes(seed),
  });
  const channel = new RelayChannel({ url: relayUrl, WebSocket, clock, random, report: () => undefined });
  return {
    hub,
    channel,
    verifier,
    store: diskStore(),
    locks: localLocks(),
    clock,
    random: seededBytes(seed),
  };
}

/** Resolves as soon as it is so. */
function until(peer: Seat, isSo: (snapshot: PeerSnapshot) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo(peer.getSnapshot())) return;
      stop();
      resolve();
    };
    const stop = peer.subscribe(look);
    queueMicrotask(look);
  });
}

const owesCommit = ({ turn }: PeerSnapshot) => turn.owes[0]?.what === "commit";
const isDecided = ({ verdict, turn }: PeerSnapshot) =>
  verdict?.ok === true && verdict.status === "decided" && !turn.busy;

test("relay killed in the middle, restarted on its port: polling, one verdict, live again", async () => {
  const server = await startServer({ store: new MemoryStore() });
  const relay = await startRelay();
  const port = Number(new URL(relay.url).port);
  const wallets = (["a1", "b2"] as const).map((byte) => localWallet(`0x${byte.repeat(32)}`));
  const seats = wallets.map((wallet, i) => {
    const environment = environmentOf(server.url, relay.url, i + 1);
    return { environment, log: openLog(environment, wallet) };
  });
  const [{ environment, log }] = seats as [(typeof seats)[0]];
  const offer = {
    game: "rps",
    rules: { best_of: 3 },
    deadline: 41,
    default_outcome: { kind: "void" },
  } as const;
  const session = await openDirectSession(
    environment,
    log,
    offer,
    wallets.map(({ address }) => address),
  );
  const peers = seats.map((seat) => openSeat(seat.environment, { session, log: seat.log }));
  const [a, b] = peers as [Seat, Seat];
  const both = (isSo: (snapshot: PeerSnapshot) => boolean) =>
    Promise.all(peers.map((peer) => until(peer, isSo)));
  const playRound = async () => {
    await both(owesCommit);
    await Promise.all([a.commit("rock"), b.commit("scissors")]);
  };

  await both(({ state }) => state === "live");
  await playRound();
  await both(owesCommit);
  await relay.close();
  await both(({ state }) => state === "polling");
  await playRound();
  await both(isDecided);
  expect(peers.map((peer) => peer.getSnapshot().state)).toEqual(["polling", "polling"]);

  const again = await startRelay({}, port);
  await both(({ state }) => state === "live");
  const verdicts = peers.map((peer) => peer.getSnapshot().verdict);
  expect(verdicts[0]).toMatchObject({ ok: true, outcome: { kind: "win", winner: wallets[0]!.address } });
  expect(new Set(verdicts.map((verdict) => verdict?.ok === true && verdict.digest)).size).toBe(1);

  for (const peer of peers) peer.close();
  for (const seat of seats) {
    seat.log.close();
    seat.environment.channel.close();
  }
  await again.close();
  await server.close();
});
