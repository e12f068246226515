// Two programs play over a channel that holds, loses, repeats, reorders, invents and cuts, and a Hub that fails,
// stalls, shortens and lies now and then: both sides still reach one verdict. A seed is printed by its test's name.

import { expect, test } from "vitest";
import type { Ref } from "../core/values.ts";
import { MemoryHub } from "../hub/memory.ts";
import { World } from "../testing/builders-world.ts";
import { FaultyHub, type HubFault } from "../testing/hub-faults.ts";
import { FaultyNetwork } from "../testing/network.ts";
import { seededRandom } from "../testing/random.ts";
import { localWallet } from "../wallet/local-key.ts";
import { openLog } from "./log-writer.ts";
import { playSeat } from "./seat-player.ts";
import { randomStrategy } from "./strategy.ts";

const alice = localWallet(`0x${"a1".repeat(32)}`);
const bob = localWallet(`0x${"b2".repeat(32)}`);

const RATES: Partial<Record<HubFault, number>> = {
  drop: 0.05,
  "lost-answer": 0.05,
  "rate-limited": 0.03,
  "server-error": 0.03,
  repeat: 0.03,
  reorder: 0.05,
  truncate: 0.03,
  withhold: 0.05,
  rewrite: 0.03,
  foreign: 0.05,
};

const counts = new Map<string, number>();
const count = (what: string, by: number) => counts.set(what, (counts.get(what) ?? 0) + by);

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  "seed %i: one verdict on both sides",
  async (seed) => {
    const world = new World();
    const inner = new MemoryHub();
    const network = new FaultyNetwork(2, seed);
    const seats = [alice, bob].map((wallet, i) => {
      const random = seededRandom(1000 * seed + i);
      const hub = new FaultyHub(inner, { random, rates: RATES });
      const environment = world.env({ hub, channel: network.channel(i) });
      return { wallet, hub, environment, log: openLog(environment, wallet) };
    });
    const session = await genesis(world);
    await inner.put(
      alice,
      "coop1_00000000000000000000",
      (await world.hub.get(alice.address, "coop1_00000000000000000000"))!,
    );
    const players = seats.map(({ environment, log }) =>
      playSeat(environment, { session, log, strategy: randomStrategy(environment.random) }),
    );
    const digests = new Map<number, string>();
    players.forEach(
      ({ decided }, i) => void decided.then((verdict) => verdict.ok && digests.set(i, verdict.digest)),
    );
    for (let steps = 0; digests.size < 2; steps++) {
      if (steps > 3000)
        throw new Error(`no verdict: ${JSON.stringify(players.map(({ peer }) => peer.getSnapshot().turn))}`);
      network.step();
      world.clock.advance(Math.min(world.clock.next ?? 50, 500));
      for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(digests.values()).size).toBe(1);
    for (const { peer } of players) {
      const { view, verdict } = peer.getSnapshot();
      expect(verdict).toMatchObject({ ok: true, flags: [] });
      expect(view?.ok === true && view.members.map(({ fault }) => fault)).toEqual([null, null]);
    }
    for (const [what, by] of Object.entries(network.counts)) count(what, by);
    for (const { hub } of seats) for (const [what, by] of hub.counts) count(what, by);
    for (const player of players) player.close();
    for (const { log } of seats) log.close();
  },
);

async function genesis(world: World): Promise<Ref> {
  const log = openLog(world.env(), alice);
  const entry = await log.append(async () => ({
    type: "genesis",
    refs: [],
    body: {
      protocol: "coop/1",
      game: "rps",
      rules: { best_of: 3 },
      participants: [alice.address, bob.address],
      deadline: 201,
      default_outcome: { kind: "forfeit" },
    },
  }));
  log.close();
  return entry.ref;
}

test("the hard cases occurred", () => {
  const kinds = ["dropped", "repeated", "reordered", "invented", "cuts", ...Object.keys(RATES)];
  expect(kinds.filter((kind) => (counts.get(kind) ?? 0) === 0)).toEqual([]);
});
