// A player's tab killed after every single write and signature of a game: salts, commits, reveals, votes and bids. After
// the restart the game goes on to its verdict, and no place of a log ever held two texts.

import { expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import { World } from "../testing/builders-world.ts";
import { Ledger } from "../testing/hub-wire.ts";
import { mortal } from "../testing/mortal.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { openDirectSession } from "../invite/direct-session.ts";
import { openLog } from "../log/log-writer.ts";
import { playSeat, type SeatPlayer } from "../bot/seat-player.ts";
import { randomStrategy } from "../bot/strategy.ts";

const alice = localWallet(`0x${"a1".repeat(32)}`);
const bob = localWallet(`0x${"b2".repeat(32)}`);

test.each<[name: string, game: string, rules: JsonObject, leastPoints: number, every: number]>([
  ["rps, best of three", "rps", { best_of: 3 }, 40, 7],
  ["an open vote", "vote", { options: ["a", "b"] }, 8, 1],
  ["a secret vote", "vote", { options: ["a", "b"], ballot: "secret" }, 20, 4],
  ["a second-price auction", "auction", { kind: "second-price" }, 20, 5],
  ["an English auction", "auction", { kind: "english" }, 8, 3],
  ["a comparison", "compare", { by: "highest" }, 20, 1],
])("%s", async (_, game, rules, leastPoints, every) => {
  let points = 0;
  for (let lives = 1; ; lives += every) {
    const world = new World();
    const ledger = (world.hub = new Ledger("hub"));
    const offer = { game, rules, deadline: 61, default_outcome: { kind: "void" } } as const;
    const theirs = world.env();
    const theirLog = openLog(theirs, bob);
    const session = await openDirectSession(theirs, theirLog, offer, [alice.address, bob.address]);
    const sit = (env: typeof theirs, log: typeof theirLog): { player: SeatPlayer; digest: () => unknown } => {
      const player = playSeat(env, { session, log, strategy: randomStrategy(env.random) });
      let digest: unknown;
      player.decided.then(
        (verdict) => (digest = verdict.ok && verdict.digest),
        () => undefined, // killed
      );
      return { player, digest: () => digest };
    };
    const other = sit(theirs, theirLog);
    const mine = world.env();
    const { over, isDead } = mortal(lives);
    const dying = { ...mine, hub: over(mine.hub), store: over(mine.store) };
    const log = openLog(dying, over(alice));
    const first = sit(dying, log);
    await world.until(() => isDead() || first.digest() !== undefined);
    first.player.close();
    log.close();

    const back = world.env({ store: mine.store });
    const again = sit(back, openLog(back, alice));
    await world.until(() => again.digest() !== undefined && other.digest() !== undefined);
    expect([lives, again.digest()]).toEqual([lives, other.digest()]);
    expect([lives, ledger.forks]).toEqual([lives, []]);
    const { verdict, view } = again.player.peer.getSnapshot();
    expect([lives, verdict]).toMatchObject([lives, { ok: true, status: "decided", flags: [] }]);
    expect(view?.ok === true && view.members.flatMap(({ fault }) => fault ?? [])).toEqual([]);
    again.player.close();
    other.player.close();
    if (!isDead()) break;
    points = lives;
  }
  expect(points).toBeGreaterThanOrEqual(leastPoints);
});
