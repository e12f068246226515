// Programs play every game over a Hub and a relay that fail in each way that they can, in one at a time and in all:
// all sides and whoever has nothing but the Hub reach one verdict, nobody forks, and nobody asks without measure.
// The seed follows from the numbers in a test's name.

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import { WIRE_FAULTS, type WireFault } from "../testing/hub-wire.ts";
import {
  openTable,
  RELAY_TROUBLES,
  type RelayTrouble,
  type RoughTable,
  type TableOptions,
} from "../testing/faulty-game.ts";

const GAMES: readonly (readonly [name: string, game: string, rules: JsonObject])[] = [
  ["rps, best of three", "rps", { best_of: 3 }],
  ["an open vote", "vote", { options: ["a", "b", "c"] }],
  ["a secret vote", "vote", { options: ["a", "b"], ballot: "secret" }],
  ["a first-price auction", "auction", { kind: "first-price", reserve: "5" }],
  ["a second-price auction", "auction", { kind: "second-price" }],
  ["an English auction", "auction", { kind: "english" }],
  ["a comparison", "compare", { by: "highest" }],
];
const NUMBERED = GAMES.map((game, n) => [n, ...game] as const);
const MIXED = Object.fromEntries(WIRE_FAULTS.map((fault) => [fault, 0.03]));
/** Requests an entry and peer, repeated ones too: three in ten of them fail. */
const MOST_AN_ENTRY = 16;
/** Requests a peer and minute, whatever fails. */
const MOST_A_MINUTE = 60;

const occurred = new Map<string, number>();
const count = (what: string, by: number) => occurred.set(what, (occurred.get(what) ?? 0) + by);

async function plays(
  options: TableOptions,
  hub: Partial<Record<WireFault, number>>,
  relay: readonly RelayTrouble[],
): Promise<void> {
  const table = await openTable(options);
  table.hubIs(hub);
  table.relayIs(relay);
  await table.until(() => table.seats.every(({ verdict }) => verdict !== undefined));
  await expectOneVerdict(table);
  expectMeasure(table);
  for (const { wire } of table.seats) for (const [what, by] of wire.counts) count(`hub: ${what}`, by);
  for (const [what, by] of Object.entries(table.relay.counts)) count(`relay: ${what}`, by);
  count("relay: connections lost", table.relay.sockets.length - table.seats.length);
  table.close();
}

async function expectOneVerdict(table: RoughTable): Promise<void> {
  const verdicts = [...table.seats.map(({ verdict }) => verdict!), await table.audit()];
  for (const verdict of verdicts) expect(verdict).toMatchObject({ ok: true, status: "decided", flags: [] });
  expect(new Set(verdicts.map((verdict) => verdict.ok && verdict.digest)).size).toBe(1);
  expect(table.ledger.forks).toEqual([]);
  for (const { player } of table.seats) {
    const { view } = player.peer.getSnapshot();
    expect(view?.ok === true && view.members.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  }
}

function expectMeasure({ seats, minutes }: RoughTable): void {
  for (const { wire, player } of seats) {
    const { view } = player.peer.getSnapshot();
    const entries = view?.ok === true ? view.order.length + 1 : 0;
    expect(wire.requests).toBeLessThan(MOST_AN_ENTRY * entries + MOST_A_MINUTE * minutes);
    expect(wire.impatient).toBe(0);
  }
}

describe.each([...WIRE_FAULTS.entries()])("%i: a Hub with three requests in ten: %s", (n, fault) => {
  test.each(NUMBERED)("%i: %s", (m, _, game, rules) =>
    plays({ seed: 10 * n + m, players: 2, game, rules }, { [fault]: 0.3 }, []),
  );
});

describe.each([...RELAY_TROUBLES.entries()])("%i: a relay that does: %s", (n, trouble) => {
  test.each(NUMBERED)("%i: %s", (m, _, game, rules) =>
    plays({ seed: 200 + 10 * n + m, players: 2, game, rules }, {}, [trouble]),
  );
});

describe.each([2, 3])("all of it at once, %i players", (players) => {
  describe.each([1, 2])("seed %i", (own) => {
    const fitting = GAMES.filter(([, game]) => players === 2 || game !== "rps");
    test.each(fitting)("%s", (_, game, rules) =>
      plays({ seed: 1000 * players + own, players, game, rules }, MIXED, RELAY_TROUBLES),
    );
  });
});

describe("three players", () => {
  test.each(WIRE_FAULTS)("a comparison over a Hub with three requests in ten: %s", (fault) =>
    plays({ seed: 7, players: 3, game: "compare", rules: { by: "lowest" } }, { [fault]: 0.3 }, []),
  );
  test.each(RELAY_TROUBLES)("an English auction over a relay that does: %s", (trouble) =>
    plays({ seed: 7, players: 3, game: "auction", rules: { kind: "english" } }, {}, [trouble]),
  );
});

test("the hard cases occurred", () => {
  const kinds = [
    ...WIRE_FAULTS.map((fault) => `hub: ${fault}`),
    ...["dropped", "repeated", "invented", "connections lost"].map((what) => `relay: ${what}`),
  ];
  expect(kinds.filter((kind) => (occurred.get(kind) ?? 0) === 0)).toEqual([]);
});
