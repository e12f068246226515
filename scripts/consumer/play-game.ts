// A project that installed the package plays rock, paper, scissors in memory: two seats, a Hub, a verdict on which both agree.

import { MemoryBroker, type Channel } from "coop-explorer/channel";
import { MemoryHub } from "coop-explorer/hub";
import {
  generateSecret,
  localLocks,
  localWallet,
  memoryStore,
  openDirectSession,
  openLog,
  openSeat,
  type Clock,
  type Offer,
  type PeerEnvironment,
  type Seat,
} from "coop-explorer/peer";
import { collectSession } from "coop-explorer/session";
import { auditRecords, createInlineVerifier } from "coop-explorer/verify";

const hub = new MemoryHub();
const broker = new MemoryBroker();
const verifier = createInlineVerifier();
const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
const clock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
const environment = (channel: Channel): PeerEnvironment => ({
  ...{ hub, channel, verifier, clock, random },
  ...{ store: memoryStore(), locks: localLocks() },
});

/** Resolves once `holds`, looking whenever the seat says that something changed. */
function until(seat: Seat, holds: (seat: Seat) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!holds(seat)) return;
      stop();
      resolve();
    };
    const stop = seat.subscribe(look);
    queueMicrotask(look);
  });
}

const players = [1, 2].map(() => {
  const own = environment(broker.connect());
  return { own, log: openLog(own, localWallet(generateSecret(random))) };
});
const first = players[0]!;
const offer: Offer = { game: "rps", rules: {}, deadline: 21, default_outcome: { kind: "forfeit" } };
const wallets = players.map(({ log }) => log.address);
const session = await openDirectSession(first.own, first.log, offer, wallets);
const seats = players.map(({ own, log }) => openSeat(own, { session, log, acceptVolatile: true }));
await Promise.all(seats.map((seat) => until(seat, () => seat.getSnapshot().turn.owes.length > 0)));
await seats[0]!.commit("rock");
await seats[1]!.commit("scissors");
await Promise.all(
  seats.map((seat) =>
    until(seat, () => {
      const { verdict } = seat.getSnapshot();
      return verdict?.ok === true && verdict.finality === "final";
    }),
  ),
);
const { records } = await collectSession([hub], session);
const { verdict } = await auditRecords(records, session, verifier);
const outcome = verdict?.ok === true ? verdict.outcome : null;
if (outcome?.kind !== "win" || outcome["winner"] !== first.log.address)
  throw new Error(`another outcome than expected: ${JSON.stringify(outcome)}`);
for (const { log, own } of players) {
  log.close();
  own.channel?.close();
}
for (const seat of seats) seat.close();
console.log("played: rock beats scissors, and the audit says so");
