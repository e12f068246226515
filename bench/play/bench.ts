// Two agents over the HTTP Hub and the relay on loopback, the server in another process: session entries a second, Hub
// requests an entry, and the time from one peer's append to the other's verified view, with the relay and without.
// Run: node --import tsx bench/play/bench.ts [samples with the relay] [samples by polling]

import { spawn } from "node:child_process";
import { once } from "node:events";
import { openHub, relayOf } from "../../src/cli/open-hub.ts";
import { openRelay, systemClock, systemRandom } from "../../src/cli/ports.ts";
import type { Ref } from "../../src/core/values.ts";
import type { Hub } from "../../src/hub/hub.ts";
import type { PeerEnvironment } from "../../src/peer/environment.ts";
import { openSeat } from "../../src/peer/seat.ts";
import { localLocks } from "../../src/platform/locks.ts";
import { openLog, type LogWriter } from "../../src/log/log-writer.ts";
import type { Seat as PlayedSeat } from "../../src/peer/peer.ts";
import { playSeat } from "../../src/bot/seat-player.ts";
import { memoryStore } from "../../src/platform/key-value-store.memory.ts";
import { randomStrategy } from "../../src/bot/strategy.ts";
import { createInlineVerifier } from "../../src/verify/verifier.inline.ts";
import { generateSecret, localWallet } from "../../src/wallet/wallet.local.ts";

const [relaySamples = 100, pollSamples = 12] = process.argv.slice(2).map(Number);
const requests = { put: 0, get: 0, page: 0 };
const verifier = createInlineVerifier();

const server = spawn(
  process.execPath,
  ["--import", "tsx", new URL("../hub/serve.ts", import.meta.url).pathname, "lmdb"],
  { stdio: ["pipe", "pipe", "inherit"] },
);
const url = String(((await once(server.stdout, "data")) as [Buffer])[0]).trim();

interface Seat {
  readonly env: PeerEnvironment;
  readonly log: LogWriter;
}

function seat(withRelay: boolean): Seat {
  const env: PeerEnvironment = {
    hub: counted(openHub(url)),
    channel: withRelay ? openRelay(relayOf(url)) : null,
    verifier,
    store: memoryStore(),
    locks: localLocks(),
    clock: systemClock,
    random: systemRandom,
  };
  return { env, log: openLog(env, localWallet(generateSecret(systemRandom))) };
}

function counted(hub: Hub): Hub {
  return {
    name: hub.name,
    put: (...args) => (requests.put++, hub.put(...args)),
    get: (...args) => (requests.get++, hub.get(...args)),
    page: (...args) => (requests.page++, hub.page(...args)),
    ping: (...args) => hub.ping(...args),
  };
}

async function begin([a, b]: readonly [Seat, Seat], best_of: number): Promise<Ref> {
  const genesis = await a.log.append(async () => ({
    type: "genesis",
    refs: [],
    body: {
      protocol: "coop/1",
      game: "rps",
      rules: { best_of },
      participants: [a.log.address, b.log.address],
      deadline: 2001,
      default_outcome: { kind: "forfeit" },
    },
  }));
  return genesis.ref;
}

function until(peer: PlayedSeat, what: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!what()) return;
      stop();
      resolve();
    };
    const stop = peer.subscribe(look);
    queueMicrotask(look);
  });
}

const entriesOf = (peer: PlayedSeat): number => {
  const { view } = peer.getSnapshot();
  return view?.ok === true ? view.order.length : 0;
};

async function rate(): Promise<void> {
  const seats = [seat(true), seat(true)] as const;
  const session = await begin(seats, 21);
  Object.assign(requests, { put: 0, get: 0, page: 0 });
  const start = performance.now();
  const players = seats.map(({ env, log }) =>
    playSeat(env, { session, log, strategy: randomStrategy(systemRandom), acceptVolatile: true }),
  );
  await Promise.all(players.map(({ decided }) => decided));
  const seconds = (performance.now() - start) / 1000;
  const entries = Math.max(...players.map(({ peer }) => entriesOf(peer)));
  const per = Object.entries(requests).map(([kind, count]) => `${kind} ${(count / entries).toFixed(1)}`);
  console.log(
    `play: ${entries} entries, ${(entries / seconds).toFixed(1)} entries/s; requests an entry: ${per.join(", ")}`,
  );
  players.forEach((player) => player.close());
  leave(seats);
}

async function latency(withRelay: boolean, samples: number): Promise<void> {
  const seats = [seat(withRelay), seat(withRelay)] as const;
  const session = await begin(seats, 1);
  const [a, b] = seats.map(({ env, log }) => openSeat(env, { session, log })) as [PlayedSeat, PlayedSeat];
  await Promise.all([a, b].map((peer) => until(peer, () => peer.getSnapshot().view?.ok === true)));
  const times: number[] = [];
  const own: number[] = [];
  for (let i = 0; i < samples; i++) {
    const start = performance.now();
    const before = entriesOf(b);
    const seen = until(b, () => entriesOf(b) > before).then(() => times.push(performance.now() - start));
    await a.tick();
    own.push(performance.now() - start);
    await seen;
  }
  const at = (list: number[], share: number) =>
    list.sort((x, y) => x - y)[Math.min(list.length - 1, Math.floor(list.length * share))]!.toFixed(0);
  console.log(
    `${withRelay ? "relay" : "polling"}: ${samples} appends, seen by the other after median ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms; read back by the author after median ${at(own, 0.5)} ms`,
  );
  [a, b].forEach((peer) => peer.close());
  leave(seats);
}

function leave(seats: readonly Seat[]): void {
  for (const { env, log } of seats) {
    log.close();
    env.channel?.close();
  }
}

await rate();
await latency(true, relaySamples);
await latency(false, pollSamples);
server.stdin.end();
await once(server, "close");
process.exit(0);
