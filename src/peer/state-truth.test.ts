// What a peer says of how it follows is true under every fault, and true again once the fault is gone: `live` only
// while the relay answers, neither `live` nor `polling` while the Hub does not.

import { expect, test } from "vitest";
import { WIRE_FAULTS, type WireFault } from "../testing/hub-wire.ts";
import { openTable, RELAY_TROUBLES, type RoughTable, type Seat } from "../testing/faulty-game.ts";

const VOTE = { players: 2, game: "vote", rules: { options: ["a", "b"] } };
/** Longest that a silence may go unnoticed: the relay's heartbeat and answer, the Hub's poll and its answer. */
const UNNOTICED_MS = 25_000;
/** Longest until all is well again: the failed attempts' longest wait, and a reading. */
const HEALED_MS = 45_000;

const stateOf = ({ player }: Seat) => player.peer.getSnapshot().state;
const areAll = ({ seats }: RoughTable, ...states: string[]) =>
  seats.every((seat) => states.includes(stateOf(seat)));

/** A table whose players only watch, all of them live, and every step of it held against what really happens. */
async function watchTable(seed: number): Promise<RoughTable> {
  const table = await openTable({ seed, ...VOTE, strategy: () => null });
  await table.until(() => areAll(table, "live"), HEALED_MS);
  const heard = table.seats.map(() => ({ count: 0, at: table.clock.now() }));
  table.onStep = () =>
    table.seats.forEach((seat, i) => {
      const now = table.clock.now();
      const count = seat.own.reduce((sum, { received }) => sum + received, 0);
      if (count > heard[i]!.count) heard[i] = { count, at: now };
      const state = stateOf(seat);
      if (state === "live") expect(now - heard[i]!.at).toBeLessThanOrEqual(UNNOTICED_MS);
      if (state === "live" || state === "polling")
        expect(now - seat.wire.answeredAt).toBeLessThanOrEqual(UNNOTICED_MS);
    });
  return table;
}

test.each([...RELAY_TROUBLES, "gone"] as const)(
  "a relay that does: %s. Live or polling, as it is, and live again afterwards",
  async (trouble) => {
    const table = await watchTable(31);
    const states = new Set<string>();
    table.relayIs([trouble]);
    for (let i = 0; i < 40; i++) {
      await table.pass(3_000);
      for (const seat of table.seats) states.add(stateOf(seat));
    }
    expect([...states].every((state) => state === "live" || state === "polling")).toBe(true);
    if (trouble === "gone") expect(areAll(table, "polling")).toBe(true);
    table.relayIs([]);
    await table.until(() => areAll(table, "live"), HEALED_MS);
    table.close();
  },
);

test("a relay that says nothing any more, its connections open: not live after 25 s", async () => {
  const table = await watchTable(32);
  table.relay.faults.stalled = true;
  await table.pass(UNNOTICED_MS + 1_000);
  expect(areAll(table, "polling")).toBe(true);
  table.relay.faults.stalled = false;
  await table.until(() => areAll(table, "live"), HEALED_MS);
  table.close();
});

/** Those that leave nobody an answer. */
const SILENT: readonly WireFault[] = [
  "drop",
  "lost-answer",
  "stall",
  "rate-limited",
  "retry-after",
  "server-error",
];

test.each(SILENT)(
  "a Hub of which comes nothing but: %s. Offline, and live again afterwards",
  async (fault) => {
    const table = await watchTable(33);
    for (const { wire } of table.seats) wire.always = fault;
    await table.pass(UNNOTICED_MS + 1_000);
    const before = table.requests;
    for (let i = 0; i < 40; i++) {
      await table.pass(3_000);
      expect(areAll(table, "offline")).toBe(true);
      expect(table.seats.map(({ player }) => player.peer.getSnapshot().notes.length > 0)).toEqual([
        true,
        true,
      ]);
    }
    // Two peers, two logs each, five attempts a look, a look every half a minute after those before it.
    expect(table.requests - before).toBeLessThan(150);
    for (const { wire } of table.seats) wire.always = undefined;
    await table.until(() => areAll(table, "live"), HEALED_MS);
    table.close();
  },
);

test.each(WIRE_FAULTS.filter((fault) => !SILENT.includes(fault) && fault !== "slow"))(
  "a Hub that answers: %s. Live all the time",
  async (fault) => {
    const table = await watchTable(34);
    for (const { wire } of table.seats) wire.always = fault;
    for (let i = 0; i < 40; i++) {
      await table.pass(3_000);
      expect(areAll(table, "live")).toBe(true);
    }
    table.close();
  },
);

test("a Hub that takes 3 to 12 s: live, and offline only for the seconds after ten", async () => {
  const table = await watchTable(35);
  let [offline, steps] = [0, 0];
  for (const { wire } of table.seats) wire.always = "slow";
  for (let i = 0; i < 200; i++) {
    await table.pass(1_000);
    for (const seat of table.seats) if (stateOf(seat) === "offline") offline++;
    steps += 2;
  }
  expect(offline).toBeLessThan(steps / 5);
  for (const { wire } of table.seats) wire.always = undefined;
  await table.until(() => areAll(table, "live"), HEALED_MS);
  table.close();
});

test("both gone: offline; with the relay's return the Hub is looked for at once", async () => {
  const table = await watchTable(36);
  table.relayIs(["gone"]);
  for (const { wire } of table.seats) wire.always = "drop";
  await table.pass(600_000);
  expect(areAll(table, "offline")).toBe(true);
  table.relayIs([]);
  // Each one's Hub is there again with its relay.
  const backAt = new Map<Seat, number>();
  table.onStep = () => {
    for (const seat of table.seats) {
      if (backAt.has(seat) || seat.environment.channel?.getState() !== "live") continue;
      backAt.set(seat, table.clock.now());
      seat.wire.always = undefined;
    }
    for (const [seat, at] of backAt)
      if (stateOf(seat) !== "live") expect(table.clock.now() - at).toBeLessThan(8_000);
  };
  await table.until(() => areAll(table, "live"), 2 * HEALED_MS);
  table.close();
});

test("entries that are referred to and not served make a peer behind until they come", async () => {
  const table = await openTable({ seed: 37, ...VOTE, players: 3, strategy: () => null });
  const [a, b, c] = table.seats as [Seat, Seat, Seat];
  await table.until(() => areAll(table, "live"), HEALED_MS);
  c.wire.hides = (owner) => owner === a.wallet.address || owner === b.wallet.address + " mirror";
  await a.player.peer.append("vote", { choice: "a" });
  const peerOfB = b.player.peer;
  await table.until(() => peerOfB.getSnapshot().records.length === 2, HEALED_MS);
  await peerOfB.append("vote", { choice: "b" });
  await table.until(() => stateOf(c) === "behind", HEALED_MS);
  await table.pass(60_000);
  expect([stateOf(a), stateOf(b), stateOf(c)]).toEqual(["live", "live", "behind"]);
  c.wire.hides = () => false;
  await table.until(() => areAll(table, "live"), HEALED_MS);
  expect(c.player.peer.getSnapshot().records).toHaveLength(3);
  table.close();
});
