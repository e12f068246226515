// Finality: a participant that commits, reveals and ticks up its whole share in one burst closes the session before the
// honest side has opened. The honest seat opens all the same, so that haste gains nothing.

import { expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import type { Hub } from "../hub/hub.ts";
import { openLog } from "../log/log-writer.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { openSeat } from "./seat.ts";

const alice = localWallet(`0x${"a1".repeat(32)}`);
const bob = localWallet(`0x${"b2".repeat(32)}`);

interface Game {
  readonly game: string;
  readonly rules: JsonObject;
  readonly honest: string;
  readonly hasty: string;
  readonly outcome: JsonObject;
}
const GAMES: readonly Game[] = [
  { game: "rps", rules: {}, honest: "rock", hasty: "scissors", outcome: { kind: "win", by: "play" } },
  {
    game: "vote",
    rules: { options: ["x", "y"], ballot: "secret", quorum: 2 },
    honest: "x",
    hasty: "y",
    outcome: { kind: "tie" },
  },
  {
    game: "auction",
    rules: { kind: "first-price" },
    honest: "9",
    hasty: "5",
    outcome: { kind: "sold", winner: alice.address, price: "9" },
  },
  {
    game: "compare",
    rules: { by: "highest" },
    honest: "9",
    hasty: "5",
    outcome: { kind: "ranked", winners: [alice.address] },
  },
];

/** A Hub that shows nothing new of one wallet while `hides` says so. */
function hiding(inner: Hub, hides: (owner: string) => boolean): Hub {
  return {
    name: inner.name,
    put: (...args) => inner.put(...args),
    get: async (owner, ...rest) => (hides(owner) ? null : inner.get(owner, ...rest)),
    page: async (owner, ...rest) => (hides(owner) ? [] : inner.page(owner, ...rest)),
    ping: () => inner.ping(),
  };
}

test.each(GAMES)("6 Finality: a burst in $game does not keep an honest seat from opening", async (one) => {
  const { game, rules, honest, hasty, outcome } = one;
  const world = new World();
  let isBursting = true;
  const env = world.env({
    channel: null,
    hub: hiding(world.hub, (owner) => isBursting && owner === bob.address),
  });
  const log = openLog(env, alice);
  const { ref: session } = await log.append(async () => ({
    type: "genesis",
    refs: [],
    body: {
      protocol: "coop/1",
      game,
      rules,
      participants: [alice.address, bob.address],
      deadline: 9,
      default_outcome: { kind: "forfeit" },
    },
  }));
  const seat = openSeat(env, { session, log });
  const theirs = world.env({ channel: null });
  const burst = openSeat(theirs, { session, log: openLog(theirs, bob), autoReveal: false });
  await world.until(() => [seat, burst].every((peer) => peer.getSnapshot().view?.ok === true));
  await seat.commit(honest);
  await burst.refresh();
  await burst.commit(hasty);
  await burst.reveal();
  // A share of four: the last two entries do nothing but close the session.
  for (let i = 0; i < 2; i++) await burst.tick();
  await world.settle();
  expect(burst.getSnapshot().verdict).toMatchObject({ status: "decided", finality: "settled" });
  isBursting = false;
  await world.until(() => {
    const { verdict } = seat.getSnapshot();
    return verdict?.ok === true && verdict.finality === "final";
  });
  expect(seat.getSnapshot().verdict).toMatchObject({ status: "decided", outcome });
  expect(seat.getSnapshot().turn).toMatchObject({ owes: [], lostSalts: [] });
});
