// A player that rushes through its whole share closes the session before the other has opened, and gains nothing by it.

import { expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import type { Ref } from "../core/values.ts";
import { openLog } from "../log/log-writer.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { openSeat } from "../peer/seat.ts";
import type { Seat } from "../peer/peer.ts";
import { playSeat } from "./seat-player.ts";
import { randomStrategy } from "./strategy.ts";

const rusher = localWallet(`0x${"c1".repeat(32)}`);
const honest = localWallet(`0x${"d2".repeat(32)}`);

const GAMES: readonly (readonly [string, string, JsonObject, string, string])[] = [
  ["rps", "rps", {}, "rock", "paper"],
  ["a secret vote", "vote", { options: ["yes", "no"], ballot: "secret" }, "yes", "no"],
  ["a sealed auction", "auction", { kind: "first-price" }, "5", "7"],
  ["a comparison", "compare", { by: "highest" }, "5", "7"],
];

/** Both have committed; the honest side is away while the other opens and ticks until its share is used. */
async function rushed(game: string, rules: JsonObject, theirs: string, ours: string) {
  const world = new World();
  const env = world.env();
  const mine = world.env();
  const log = openLog(env, rusher);
  const genesis = await log.append(async () => ({
    type: "genesis",
    refs: [],
    body: {
      protocol: "coop/1",
      game,
      rules,
      participants: [rusher.address, honest.address],
      deadline: 13,
      default_outcome: { kind: "forfeit" },
    },
  }));
  const session: Ref = genesis.ref;
  const attacker = openSeat(env, { session, log, autoReveal: false });
  const before = openSeat(mine, { session, log: openLog(mine, honest), autoReveal: false });
  const isReady = (peer: Seat) => peer.getSnapshot().view?.ok === true;
  await world.until(() => isReady(attacker) && isReady(before));
  await attacker.commit(theirs);
  await before.commit(ours);
  await world.until(() => attacker.getSnapshot().turn.owes.some(({ what }) => what === "reveal"));
  before.close();
  await attacker.reveal();
  while (attacker.getSnapshot().turn.left > 0) {
    await attacker.tick();
    await world.settle();
  }
  const { verdict } = attacker.getSnapshot();
  expect(verdict).toMatchObject({ status: "decided", finality: "settled", waiting: [honest.address] });
  return { world, mine, session };
}

const verdictOf = (peer: Seat) => peer.getSnapshot().verdict;

test.each(GAMES)("%s: the honest side's client opens its commit after the burst", async (_, ...game) => {
  const { world, mine, session } = await rushed(...game);
  const back = openSeat(mine, { session, log: openLog(mine, honest) });
  await world.until(() => {
    const verdict = verdictOf(back);
    return verdict?.ok === true && verdict.finality === "final";
  });
  const verdict = verdictOf(back);
  expect(verdict).toMatchObject({ status: "decided", waiting: [] });
  expect(JSON.stringify(verdict)).not.toContain("forfeit");
  // Final: nothing rests on the kept copies of this session any more.
  await world.settle();
  expect(await mine.store.keys("own/")).toEqual([]);
});

test.each(GAMES)("%s: an agent does not stop before it has opened", async (_, ...game) => {
  const { world, mine, session } = await rushed(...game);
  const strategy = randomStrategy(mine.random);
  const seat = playSeat(mine, { session, log: openLog(mine, honest), strategy });
  let outcome = "";
  void seat.decided.then((verdict) => (outcome = JSON.stringify(verdict)));
  await world.until(() => outcome !== "");
  expect(outcome).not.toContain("forfeit");
  seat.close();
});
