// A table of programs that play one session, each over the real Hub client and the real relay channel, whose ways to
// Hub and relay misbehave as told. One clock, moved from timer to timer; everything follows from the seed. What must
// hold at every moment is noted while it runs: what a peer says of its state, and how much it asks.

import { RelayChannel } from "../channel/channel.websocket.ts";
import type { JsonObject } from "../core/canonical.ts";
import type { Ref } from "../core/values.ts";
import { buildView } from "../core/build-view.ts";
import type { Verdict } from "../games/game.ts";
import { judge } from "../games/judge.ts";
import { collectSession } from "../session/collect-session.ts";
import { openDirectSession } from "../invite/direct-session.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { localLocks } from "../platform/locks.ts";
import { openLog, type LogWriter } from "../log/log-writer.ts";
import { playSeat, type SeatPlayer } from "../bot/seat-player.ts";
import { fraction } from "../platform/backoff.ts";
import { randomStrategy, type Strategy } from "../bot/strategy.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import { diskStore, seededBytes } from "./builders-world.ts";
import { busyVerifier } from "./busy-verifier.ts";
import { HubWire, Ledger, type WireFault } from "./hub-wire.ts";
import { ManualClock } from "./network-clock.ts";
import { FaultyRelay, type FakeSocket } from "./network-socket.ts";
import { seededRandom } from "./random.ts";

export type RelayTrouble = "drop" | "repeat" | "reorder" | "invent" | "stall" | "cut" | "gone";

export const RELAY_TROUBLES: readonly RelayTrouble[] = [
  "drop",
  "repeat",
  "reorder",
  "invent",
  "stall",
  "cut",
];

export interface Seat {
  readonly wallet: LocalWallet;
  /** Its way to the Hub. */
  readonly wire: HubWire;
  /** Its connections to the relay, the last at the end. */
  readonly own: readonly FakeSocket[];
  readonly log: LogWriter;
  readonly environment: PeerEnvironment;
  readonly player: SeatPlayer;
  verdict: Verdict | undefined;
}

export interface TableOptions {
  readonly seed: number;
  readonly players: number;
  readonly game: string;
  readonly rules: JsonObject;
  /** Who plays; by default at random, after some thought. */
  readonly strategy?: Strategy;
}

const verifier = busyVerifier();
const KEYS = ["a1", "b2", "c3", "d4"] as const;
/** Turns of the event loop without anything happening after which nothing more happens by itself. */
const QUIET_TURNS = 4;
const LONGEST_STEP_MS = 1000;

/** Opens the session over ways that are still good, and has everybody play. */
export async function openTable(options: TableOptions): Promise<RoughTable> {
  const { seed, players, game, rules } = options;
  const clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  const ledger = new Ledger("hub");
  const random = seededRandom(seed);
  const relay = new FaultyRelay(random);
  const places = KEYS.slice(0, players).map((byte, i): Omit<Seat, "player"> => {
    const wallet = localWallet(`0x${byte.repeat(32)}`);
    const wire = new HubWire(ledger, clock, seededRandom(1000 * seed + i));
    const { WebSocket } = relay;
    const own: FakeSocket[] = [];
    class Socket extends WebSocket {
      constructor(url: string) {
        super(url);
        own.push(relay.last!);
      }
    }
    const channel = new RelayChannel({ url: "ws://relay/", WebSocket: Socket, clock, random });
    const environment: PeerEnvironment = {
      hub: wire.client(),
      channel,
      verifier,
      store: diskStore(),
      locks: localLocks(),
      clock,
      random: seededBytes(1000 * seed + 500 + i),
    };
    return { wallet, wire, own, environment, log: openLog(environment, wallet), verdict: undefined };
  });
  const [{ environment, log }] = places as [Omit<Seat, "player">];
  const offer = { game, rules, deadline: 40 * players + 1, default_outcome: { kind: "void" } } as const;
  const addresses = places.map(({ wallet }) => wallet.address);
  const session = await openDirectSession(environment, log, offer, addresses);
  return new RoughTable({ clock, ledger, relay, random, session }, places, options.strategy);
}

/** Moves at random after up to 5 s, so that the network has the time to change meanwhile. */
function thoughtful({ clock, random }: PeerEnvironment): Strategy {
  const choose = randomStrategy(random);
  return async (situation) => {
    await new Promise<void>((resolve) => void clock.after(5_000 * fraction(random), resolve));
    return choose(situation);
  };
}

interface Parts {
  readonly clock: ManualClock;
  readonly ledger: Ledger;
  readonly relay: FaultyRelay;
  readonly random: () => number;
  readonly session: Ref;
}

export class RoughTable {
  readonly clock: ManualClock;
  readonly ledger: Ledger;
  readonly relay: FaultyRelay;
  readonly session: Ref;
  readonly seats: readonly Seat[];
  readonly startedAt: number;
  /** Called after every step. */
  onStep: () => void = () => undefined;
  readonly #random: () => number;
  #troubles: readonly RelayTrouble[] = [];
  #nextAct = 0;

  constructor(
    { clock, ledger, relay, random, session }: Parts,
    places: readonly Omit<Seat, "player">[],
    strategy?: Strategy,
  ) {
    this.clock = clock;
    this.ledger = ledger;
    this.relay = relay;
    this.session = session;
    this.#random = random;
    this.startedAt = clock.now();
    this.seats = places.map((place): Seat => {
      const { environment, log } = place;
      const options = { session, log, strategy: strategy ?? thoughtful(environment) };
      const seat: Seat = { ...place, player: playSeat(environment, options) };
      seat.player.decided.then(
        (verdict) => (seat.verdict = verdict),
        () => undefined, // closed before its verdict
      );
      return seat;
    });
  }

  get requests(): number {
    return this.seats.reduce((sum, { wire }) => sum + wire.requests, 0);
  }

  get minutes(): number {
    return (this.clock.now() - this.startedAt) / 60_000;
  }

  /** From now on everybody's way to the Hub is like this. */
  hubIs(rates: Partial<Record<WireFault, number>>): void {
    for (const { wire } of this.seats) wire.rates = rates;
  }

  /** From now on the relay is like this. */
  relayIs(troubles: readonly RelayTrouble[]): void {
    this.#troubles = troubles;
    const { faults } = this.relay;
    const chance = (trouble: RelayTrouble) => (troubles.includes(trouble) ? 0.3 : 0);
    faults.drop = chance("drop");
    faults.repeat = chance("repeat");
    faults.invent = chance("invent");
    faults.hold = troubles.includes("reorder");
    faults.stalled = false;
    faults.unreachable = troubles.includes("gone");
    if (faults.unreachable) this.relay.kill();
  }

  /** Steps until it is so. @throws Error naming the seed's state where it does not come to that in so many ms */
  async until(isSo: () => boolean, ms = 1_800_000): Promise<void> {
    const end = this.clock.now() + ms;
    while (!isSo()) {
      if (this.clock.now() > end) throw new Error(`it never came to that: ${this.#describe()}`);
      await this.step();
    }
  }

  /** Lets so many ms pass. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    await this.until(() => this.clock.now() >= end, 2 * ms + LONGEST_STEP_MS);
  }

  /** All that happens by itself, then one timer. */
  async step(): Promise<void> {
    this.#act();
    if (!this.relay.faults.unreachable) this.relay.acceptAll();
    await this.#settle();
    this.onStep();
    this.clock.advance(Math.min(this.clock.next ?? LONGEST_STEP_MS, LONGEST_STEP_MS));
  }

  /** The session as somebody finds it who has nothing but the Hub. */
  async audit(): Promise<Verdict> {
    const { records } = await collectSession([this.ledger], this.session);
    const { check } = await verifier.verify(records, { level: "verified" });
    const view = buildView(records, this.session, { check });
    if (!view.ok) throw new Error(`the Hub has no such session: ${view.code}`);
    return judge(view);
  }

  close(): void {
    for (const { player, log, environment } of this.seats) {
      player.close();
      log.close();
      environment.channel?.close();
    }
  }

  /** What the relay does by itself, a few times a minute. */
  #act(): void {
    if (this.clock.now() < this.#nextAct) return;
    this.#nextAct = this.clock.now() + 2_000 + 10_000 * this.#random();
    if (this.#troubles.includes("reorder")) this.relay.release();
    if (this.#troubles.includes("stall")) this.relay.faults.stalled = this.#random() < 0.6;
    if (this.#troubles.includes("cut")) this.relay.kill();
  }

  async #settle(): Promise<void> {
    for (let quiet = 0, last = -1; quiet < QUIET_TURNS; quiet++) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = this.requests + this.relay.counts.delivered;
      if (now !== last || verifier.busy > 0) quiet = 0;
      last = now;
    }
  }

  #describe(): string {
    return JSON.stringify(
      this.seats.map(({ player }) => {
        const { state, turn, notes, moves } = player.peer.getSnapshot();
        return { state, turn, moves: moves.length, notes: notes.slice(-3).map(({ text }) => text) };
      }),
    );
  }
}
