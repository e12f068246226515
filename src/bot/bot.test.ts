// The invite flow and the bot: with and without a channel, across restarts, among strangers' noise.

import { describe, expect, test, vi } from "vitest";
import { formatRef, sha256, type Ref } from "../core/values.ts";
import { World } from "../testing/builders-world.ts";
import { FaultyHub } from "../testing/hub-faults.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { openBot } from "./bot.ts";
import type { Offer } from "../invite/invite.ts";
import { joinInvite } from "../invite/invite-guest.ts";
import { hostInvite, resumeHost } from "../invite/invite-host.ts";
import { acceptLink, joinLink, readJoin, readReply } from "../invite/invite-links.ts";
import { openWatcher } from "../peer/watcher.ts";
import { openLog } from "../log/log-writer.ts";
import type { Watcher } from "../peer/peer.ts";
import { playSeat } from "./seat-player.ts";
import { randomStrategy } from "./strategy.ts";

const keyOf = (byte: string): LocalWallet => localWallet(`0x${byte.repeat(32)}`);
const [host, guest, third, botKey] = [keyOf("a1"), keyOf("b2"), keyOf("c3"), keyOf("d4")] as const;
const RPS: Offer = { game: "rps", rules: {}, deadline: 41, default_outcome: { kind: "forfeit" } };
const TWO = { players: 2, hostPlays: true };

const stageOf = (side: { getSnapshot(): { stage: string } }) => side.getSnapshot().stage;

async function invited(world: World, env: PeerEnvironment, offer = RPS) {
  const log = openLog(env, host);
  const hosting = hostInvite(env, log, offer, TWO);
  await world.until(() => stageOf(hosting) === "open");
  return { log, hosting, invite: hosting.getSnapshot().invite! };
}

async function opened(world: World, env: PeerEnvironment, session: Ref): Promise<Watcher> {
  const peer = openWatcher(env, session);
  await world.until(() => peer.getSnapshot().view?.ok === true);
  return peer;
}

describe("an invite", () => {
  test("invite, accept, genesis that pins the accept: both have joined", async () => {
    const world = new World();
    const env = world.env();
    const { hosting, invite } = await invited(world, env);
    const guestEnv = world.env();
    const joining = joinInvite(guestEnv, openLog(guestEnv, guest), invite);
    await world.until(() => stageOf(joining) === "offered");
    expect(joining.getSnapshot().offer).toEqual({ ...RPS, seats: 2 });
    await Promise.all([joining.accept(), joining.accept()]);
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started");
    const { session } = hosting.getSnapshot();
    expect(joining.getSnapshot().session).toBe(session);
    const { view } = (await opened(world, world.env(), session!)).getSnapshot();
    if (view?.ok !== true) throw new Error("no view");
    expect(view.participants).toEqual([host.address, guest.address]);
    expect(view.members.map(({ joined }) => joined)).toEqual([true, true]);
    expect([...view.genesis.refs].sort()).toEqual([invite, joining.getSnapshot().accept!].sort());
  });

  test("without a channel the reply goes by hand and the guest finds the genesis", async () => {
    const world = new World();
    const env = world.env({ channel: null });
    const { hosting, invite } = await invited(world, env);
    const guestEnv = world.env({ channel: null });
    const joining = joinInvite(
      guestEnv,
      openLog(guestEnv, guest),
      readJoin(joinLink("https://x.test/", invite))!,
    );
    await world.until(() => stageOf(joining) === "offered");
    const accept = await joining.accept();
    const reply = acceptLink("https://x.test/app", invite, accept);
    expect(await hosting.offerAccept(invite)).toBe(false);
    expect(await hosting.offerAccept(readReply(reply)!)).toBe(true);
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started");
  });

  test("an acceptance announced before the Hub has it is taken when it is announced again", async () => {
    const world = new World();
    const env = world.env();
    const { hosting, invite } = await invited(world, env);
    const elsewhere = new World().env({ channel: null });
    const accept = { type: "accept", body: {}, refs: [invite] };
    const early = await openLog(elsewhere, guest).append(async () => accept);
    world.env().channel!.publish(invite, early.ref);
    await world.settle();
    const guestEnv = world.env();
    const joining = joinInvite(guestEnv, openLog(guestEnv, guest), invite);
    await world.until(() => stageOf(joining) === "offered");
    expect(await joining.accept()).toBe(early.ref);
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started");
  });

  test("an acceptance is announced only once the Hub has it: a channel passes a ref on once", async () => {
    const world = new World();
    const { hosting, invite } = await invited(world, world.env());
    const hub = new FaultyHub(world.hub);
    const guestEnv = world.env({ hub });
    const told = vi.spyOn(guestEnv.channel!, "publish");
    const joining = joinInvite(guestEnv, openLog(guestEnv, guest), invite);
    await world.until(() => stageOf(joining) === "offered");
    hub.next("stall", "put");
    void joining.accept();
    await world.until(() => joining.getSnapshot().accept !== null);
    await joining.refresh();
    expect(told).not.toHaveBeenCalled();
    hub.release();
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started");
  });

  test("with no channel and a known guest: its log is looked at", async () => {
    const world = new World();
    const env = world.env({ channel: null });
    const expected = new Map([[guest.address, 0]]);
    const hosting = hostInvite(env, openLog(env, host), RPS, { ...TWO, expected });
    await world.until(() => stageOf(hosting) === "open");
    const guestEnv = world.env({ channel: null });
    const joining = joinInvite(guestEnv, openLog(guestEnv, guest), hosting.getSnapshot().invite!);
    await world.until(() => stageOf(joining) === "offered");
    await joining.accept();
    await world.until(() => stageOf(hosting) === "started");
  });

  test("the host is away when the guest accepts, and starts the session on its return", async () => {
    const world = new World();
    const env = world.env();
    const { log, hosting, invite } = await invited(world, env);
    hosting.close();
    log.close();
    const guestEnv = world.env();
    const joining = joinInvite(guestEnv, openLog(guestEnv, guest), invite);
    await world.until(() => stageOf(joining) === "offered");
    await joining.accept();
    const back = world.env({ store: env.store });
    const again = resumeHost(back, openLog(back, host), invite);
    await world.until(() => stageOf(again) === "started" && stageOf(joining) === "started");
  });

  test("host and guest both restart; one invite starts one session", async () => {
    const world = new World();
    const env = world.env();
    const { hosting, invite } = await invited(world, env);
    const guestEnv = world.env();
    const joining = joinInvite(guestEnv, openLog(guestEnv, guest), invite);
    await world.until(() => stageOf(joining) === "offered");
    await joining.accept();
    await world.until(() => stageOf(hosting) === "started");
    joining.close();
    const { session } = hosting.getSnapshot();
    // Another device of the host, which knows nothing but the invite, and is told of the accept once more.
    const bare = world.env();
    const again = resumeHost(bare, openLog(bare, host), invite);
    await world.until(() => stageOf(again) === "started");
    expect(again.getSnapshot().session).toBe(session);
    const later = world.env({ store: guestEnv.store });
    const rejoined = joinInvite(later, openLog(later, guest), invite);
    await world.until(() => stageOf(rejoined) === "started");
    expect(rejoined.getSnapshot().session).toBe(session);
  });

  test("a stranger who comes second is told that the host has started with somebody else", async () => {
    const world = new World();
    const env = world.env();
    const { hosting, invite } = await invited(world, env);
    const [e1, e2] = [world.env(), world.env()];
    const first = joinInvite(e1, openLog(e1, guest), invite);
    const second = joinInvite(e2, openLog(e2, third), invite);
    await world.until(() => stageOf(first) === "offered" && stageOf(second) === "offered");
    await first.accept();
    await world.until(() => stageOf(hosting) === "started");
    await second.accept();
    await world.until(() => second.getSnapshot().problem?.includes("somebody else") === true);
    expect(second.getSnapshot().session).toBeNull();
  });

  test("noise on the topics costs a handful of requests and does not keep the guest out", async () => {
    const world = new World();
    const env = world.env();
    const { hosting, invite } = await invited(world, env);
    const liar = world.broker.connect();
    for (let i = 0; i < 1000; i++) liar.publish(invite, formatRef(third.address, i, sha256(`${i}`)));
    const guestEnv = world.env();
    const joining = joinInvite(guestEnv, openLog(guestEnv, guest), invite);
    await world.until(() => stageOf(joining) === "offered");
    await joining.accept();
    await world.until(() => stageOf(hosting) === "started", 600_000);
  });

  test("an offer that no session can come of is refused by the host before the invite", async () => {
    const world = new World();
    const env = world.env();
    const hosting = hostInvite(env, openLog(env, host), { ...RPS, rules: { best_of: 2 } }, TWO);
    await world.until(() => hosting.getSnapshot().problem?.includes("best_of") === true);
    expect(hosting.getSnapshot()).toMatchObject({ stage: "failed", invite: null, session: null });
  });

  test.each(["x", "", "#/join/", `#/join/${"0x12"}:0:0x34`, "https://x.test/#/join/…"])(
    "a cut link is no invite: %j",
    (text) => {
      expect(readJoin(text)).toBeUndefined();
      expect(readReply(text)).toBeUndefined();
    },
  );
});

describe("the bot", () => {
  test("plays an invite to the verdict, several at once, and forgets it", async () => {
    const world = new World();
    const env = world.env();
    const bot = openBot(env, openLog(env, botKey), { games: ["rps", "vote"] });
    const seats = await Promise.all(
      [keyOf("11"), keyOf("22"), keyOf("33")].map(async (wallet) => {
        const mine = world.env();
        const log = openLog(mine, wallet);
        const hosting = hostInvite(mine, log, { ...RPS, rules: { best_of: 3 } }, TWO);
        await world.until(() => stageOf(hosting) === "open");
        mine.channel!.publish(bot.address, hosting.getSnapshot().invite!);
        await world.until(() => stageOf(hosting) === "started");
        return playSeat(mine, {
          session: hosting.getSnapshot().session!,
          log,
          strategy: randomStrategy(mine.random),
        });
      }),
    );
    let done = 0;
    for (const { decided } of seats) void decided.then(() => done++);
    await world.until(() => done === 3);
    for (const { decided } of seats) expect(await decided).toMatchObject({ ok: true, finality: "final" });
    await world.until(() => bot.open === 0);
    expect((await env.store.keys("bot-")).length).toBe(0);
    bot.close();
  });

  test.each([
    ["rps", { best_of: 3 }],
    ["vote", { options: ["a", "b"] }],
    ["vote", { options: ["a", "b"], ballot: "secret" }],
    ["auction", { kind: "second-price", reserve: "5" }],
    ["auction", { kind: "english" }],
    ["compare", { by: "highest" }],
    ["compare", { by: "match" }],
  ])("plays %s %j against a program", async (game, rules) => {
    const world = new World();
    const env = world.env();
    const bot = openBot(env, openLog(env, botKey), { games: [game] });
    const mine = world.env();
    const log = openLog(mine, host);
    const hosting = hostInvite(mine, log, { ...RPS, game, rules }, TWO);
    await world.until(() => stageOf(hosting) === "open");
    mine.channel!.publish(bot.address, hosting.getSnapshot().invite!);
    await world.until(() => stageOf(hosting) === "started");
    const session = hosting.getSnapshot().session!;
    const seat = playSeat(mine, { session, log, strategy: randomStrategy(mine.random) });
    let verdict: unknown;
    void seat.decided.then((result) => (verdict = result));
    await world.until(() => verdict !== undefined);
    expect(verdict).toMatchObject({ ok: true, status: "decided", flags: [] });
    bot.close();
  });

  test("goes on after a restart, between accept and verdict", async () => {
    const world = new World();
    const env = world.env();
    const log = openLog(env, botKey);
    const bot = openBot(env, log, {});
    const mine = world.env();
    const { hosting, log: myLog, invite } = await invited(world, mine);
    mine.channel!.publish(bot.address, invite);
    await world.until(() => stageOf(hosting) === "started");
    bot.close();
    log.close();
    const session = hosting.getSnapshot().session!;
    const seat = playSeat(mine, { session, log: myLog, strategy: randomStrategy(mine.random) });
    await world.settle();
    const back = world.env({ store: env.store });
    const again = openBot(back, openLog(back, botKey), {});
    let decided = false;
    void seat.decided.then(() => (decided = true));
    await world.until(() => decided);
    again.close();
  });

  test("plays a session that names it; ignores other games, huge ones and noise", async () => {
    const world = new World();
    const env = world.env();
    const said: string[] = [];
    const bot = openBot(env, openLog(env, botKey), { maxDeadline: 100, onEvent: (text) => said.push(text) });
    const mine = world.env();
    const log = openLog(mine, host);
    const genesis = (game: string, rules: object, deadline: number) =>
      log.append(async () => ({
        type: "genesis",
        refs: [],
        body: {
          protocol: "coop/1",
          game,
          rules: { ...rules },
          participants: [host.address, bot.address],
          deadline,
          default_outcome: { kind: "void" },
        },
      }));
    const refs = [
      (await genesis("compare", { by: "match" }, 41)).ref,
      (await genesis("rps", {}, 99_999)).ref,
      formatRef(host.address, 77, sha256("invented")),
      (await genesis("rps", {}, 41)).ref,
    ];
    for (const ref of refs) mine.channel!.publish(bot.address, ref);
    await world.until(() => bot.open === 1);
    expect(said).toEqual([`bot: plays ${refs[3]!}`]);
    bot.close();
  });

  test("at capacity the invite that was idle longest is closed", async () => {
    const world = new World();
    const env = world.env();
    const said: string[] = [];
    const onEvent = (text: string) => void said.push(text);
    const bot = openBot(env, openLog(env, botKey), { capacity: 2, onEvent });
    const mine = world.env();
    const log = openLog(mine, host);
    const invites: Ref[] = [];
    for (let i = 0; i < 4; i++) {
      // Nobody begins what these offer.
      const invite = await log.append(async () => ({ type: "invite", refs: [], body: { ...RPS, seats: 2 } }));
      invites.push(invite.ref);
      mine.channel!.publish(bot.address, invite.ref);
      await world.settle();
      world.clock.advance(10);
      expect(bot.open).toBeLessThanOrEqual(2);
    }
    const left = said.flatMap((text) => /leaves (\S+)/.exec(text)?.[1] ?? []);
    expect(left).toEqual(invites.slice(0, 2));
    bot.close();
  });
});
