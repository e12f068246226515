// The bot among strangers that mean it ill: floods of invites, hosts that begin and fall silent, logs that would have it
// copy without end. An honest player is answered all the same.

import { expect, test } from "vitest";
import type { JsonObject } from "../core/canonical.ts";
import type { Candidate } from "../core/entry.ts";
import type { Ref } from "../core/values.ts";
import { mirrorConversation } from "../hub/log-keys.ts";
import { hostInvite } from "../invite/invite-host.ts";
import { openLog, type LogWriter } from "../log/log-writer.ts";
import { CopyBudget } from "../peer/copy-budget.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import { openBot, type BotOptions } from "./bot.ts";
import { playSeat } from "./seat-player.ts";
import { randomStrategy } from "./strategy.ts";

const keyOf = (n: number): LocalWallet => localWallet(`0x${n.toString(16).padStart(64, "1")}`);
const TERMS = { game: "rps", rules: {}, deadline: 41, default_outcome: { kind: "forfeit" } } as const;
const PLAYERS = { players: 2, hostPlays: true };

function botIn(world: World, options: BotOptions = {}) {
  const environment = world.env();
  const said: string[] = [];
  const log = openLog(environment, keyOf(1));
  const bot = openBot(environment, log, { ...options, onEvent: (text) => said.push(text) });
  return { bot, said, environment };
}

/** An invite of a stranger, written at once and announced to the bot. */
async function invite(environment: PeerEnvironment, log: LogWriter, bot: string): Promise<Ref> {
  const entry = await log.append(async () => ({ type: "invite", refs: [], body: { ...TERMS, seats: 2 } }));
  environment.channel!.publish(bot, entry.ref);
  return entry.ref;
}

/** An honest player's invite and game, to its verdict. */
async function honestGame(world: World, bot: string, moves = true) {
  const environment = world.env();
  const log = openLog(environment, keyOf(2));
  const hosting = hostInvite(environment, log, TERMS, PLAYERS);
  await world.until(() => hosting.getSnapshot().stage === "open");
  const asked = world.clock.now();
  environment.channel!.publish(bot, hosting.getSnapshot().invite!);
  await world.until(() => hosting.getSnapshot().stage === "started");
  const answered = world.clock.now() - asked;
  const session = hosting.getSnapshot().session!;
  const strategy = moves ? randomStrategy(environment.random) : async () => null;
  const seat = playSeat(environment, { session, log, strategy });
  await world.until(() => seat.peer.getSnapshot().turn.waitingFor.length === 0 || moves);
  return { seat, answered, session };
}

test("a live game is not left for a flood of invites, and is played to its end", async () => {
  const world = new World();
  const { bot, said } = botIn(world, { capacity: 4 });
  const { seat, session } = await honestGame(world, bot.address);
  const stranger = world.env();
  for (let i = 0; i < 80; i++) await invite(stranger, openLog(stranger, keyOf(100 + i)), bot.address);
  let verdict: unknown;
  void seat.decided.then((decided) => (verdict = decided));
  await world.until(() => verdict !== undefined);
  expect(verdict).toMatchObject({ status: "decided", flags: [] });
  expect(JSON.stringify(verdict)).not.toContain("forfeit");
  expect(said.filter((text) => text.includes(session) && text.includes("leaves"))).toEqual([]);
  expect(bot.open).toBeLessThanOrEqual(5);
  bot.close();
});

test("an honest player is answered within 5 s while 200 others accept and fall silent", async () => {
  const world = new World();
  const { bot, said } = botIn(world);
  const stranger = world.env();
  for (let i = 0; i < 200; i++) {
    await invite(stranger, openLog(stranger, keyOf(1_000 + i)), bot.address);
    if (i % 20 === 0) await world.settle();
  }
  const { seat, answered } = await honestGame(world, bot.address);
  expect(answered).toBeLessThan(5_000);
  expect(said.filter((text) => text.includes("accepted")).length).toBeGreaterThan(64);
  seat.close();
  bot.close();
});

test("with all its sessions taken the bot accepts no invite, and leaves none of them", async () => {
  const world = new World();
  const { bot, said } = botIn(world, { maxSessions: 1 });
  const { seat } = await honestGame(world, bot.address, false);
  const stranger = world.env();
  await invite(stranger, openLog(stranger, keyOf(7)), bot.address);
  await world.settle();
  expect(said.filter((text) => text.includes("accepted"))).toHaveLength(1);
  expect(said.filter((text) => text.includes("leaves"))).toEqual([]);
  seat.close();
  bot.close();
});

test("a log that would be copied without end is copied within the budget", async () => {
  const world = new World();
  const copies = new CopyBudget(40_000, 60_000);
  const environment = world.env({ copies });
  const mine = openLog(environment, keyOf(1));
  const stranger = world.env();
  const log = openLog(stranger, keyOf(9));
  for (let i = 0; i < 8; i++)
    await log.append(async () => ({ type: "tick", refs: [], body: { filler: "x".repeat(12_000) } }));
  const body = { protocol: "coop/1", ...TERMS, participants: [log.address, mine.address] };
  // It pins nothing of its author's log: the author's first move makes all of it part of the session.
  const genesis = await localGenesis(world, body);
  await log.append(async () => ({ type: "tick", refs: [genesis.ref], body: {} }));
  const problems: string[] = [];
  const seat = playSeat(environment, {
    session: genesis.ref,
    log: mine,
    strategy: randomStrategy(environment.random),
    onError: (error) => problems.push(String(error)),
  });
  await world.until(() => problems.length > 0);
  expect(problems[0]).toMatch(/more copies/);
  const held = await world.hub.page(mine.address, mirrorConversation(genesis.hash), 0, 100);
  expect(held.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(40_000);
  seat.close();
});

/** A genesis of a third wallet, which is no participant. */
async function localGenesis(world: World, body: JsonObject): Promise<Candidate> {
  return openLog(world.env(), keyOf(10)).append(async () => ({ type: "genesis", refs: [], body }));
}
