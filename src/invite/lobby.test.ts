// The open lobby: what is listed was fetched and checked, is bounded, and goes when it has begun.

import { expect, test, vi } from "vitest";
import { formatRef, sha256 } from "../core/values.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import { hostInvite } from "./invite-host.ts";
import { offerBody } from "./invite-entries.ts";
import { joinInvite } from "./invite-guest.ts";
import type { Offer } from "./invite.ts";
import {
  keepAnnounced,
  LOBBY_TOPIC,
  listWith,
  MAX_LISTED,
  MAX_OF_A_HOST,
  openLobby,
  type OpenInvite,
} from "./lobby.ts";
import { openLog } from "../log/log-writer.ts";

const keyOf = (byte: string): LocalWallet => localWallet(`0x${byte.repeat(32)}`);
const [host, guest] = [keyOf("a1"), keyOf("b2")];
const OFFER: Offer = {
  game: "rps",
  rules: { best_of: 3 },
  deadline: 41,
  default_outcome: { kind: "forfeit" },
  title: "<script>alert(1)</script>",
};

async function announced(world: World, offer = OFFER, wallet = host) {
  const env = world.env();
  const hosting = hostInvite(env, openLog(env, wallet), offer, { players: 2, hostPlays: true });
  const stop = keepAnnounced(env, hosting);
  await world.until(() => hosting.getSnapshot().stage === "open");
  return { env, hosting, stop, invite: hosting.getSnapshot().invite! };
}

test("an open invite is listed with its offer as data, and goes once somebody has joined", async () => {
  const world = new World();
  const lobby = openLobby(world.env());
  const { hosting, invite } = await announced(world);
  await world.until(() => lobby.getSnapshot().length === 1);
  expect(lobby.getSnapshot()).toEqual([{ invite, host: host.address, offer: { ...OFFER, seats: 2 } }]);
  const late = openLobby(world.env());
  await world.until(() => late.getSnapshot().length === 1);
  const env = world.env();
  const joining = joinInvite(env, openLog(env, guest), invite);
  await world.until(() => joining.getSnapshot().stage === "offered");
  await joining.accept();
  await world.until(() => hosting.getSnapshot().stage === "started");
  await Promise.all([lobby.refresh(), lobby.refresh()]);
  expect(lobby.getSnapshot()).toEqual([]);
  await world.until(() => late.getSnapshot().length === 0);
  lobby.close();
  late.close();
});

test("an invite stays announced while it is open, and not longer", async () => {
  const world = new World();
  const { env, stop, invite } = await announced(world);
  const publish = vi.spyOn(env.channel!, "publish");
  const told = () =>
    publish.mock.calls.filter(([topic, ref]) => topic === LOBBY_TOPIC && ref === invite).length;
  world.clock.advance(180_000);
  expect(told()).toBe(3);
  stop();
  world.clock.advance(180_000);
  expect(told()).toBe(3);
});

test("invented refs, other entries and unknown games are not listed and cost few reads", async () => {
  const world = new World();
  const env = world.env();
  const log = openLog(env, host);
  const tick = await log.append(async () => ({ type: "tick", refs: [], body: {} }));
  const guestLog = openLog(world.env(), guest);
  const body = { ...offerBody(OFFER), game: "chess" };
  const strange = await guestLog.append(async () => ({ type: "invite", refs: [], body }));
  const lobby = openLobby(world.env());
  const gets = vi.spyOn(world.hub, "get");
  for (let i = 0; i < 1000; i++)
    env.channel!.publish(LOBBY_TOPIC, formatRef(host.address, i + 1, sha256(`${i}`)));
  env.channel!.publish(LOBBY_TOPIC, tick.ref);
  env.channel!.publish(LOBBY_TOPIC, strange.ref);
  await world.settle();
  world.clock.advance(10_000);
  await world.settle();
  expect(lobby.getSnapshot()).toEqual([]);
  expect(gets.mock.calls.length).toBeGreaterThan(0);
  expect(gets.mock.calls.length).toBeLessThan(30);
  lobby.close();
});

test("the list is bounded in all and for a single host; the newest come first", () => {
  const one = (wallet: string, i: number): OpenInvite => ({
    invite: `0x${wallet.repeat(20)}:${i}:0x${"00".repeat(32)}`,
    host: `0x${wallet.repeat(20)}`,
    offer: OFFER,
  });
  let listed: readonly OpenInvite[] = [];
  for (let i = 0; i < 10; i++) listed = listWith(listed, one("aa", i));
  expect(listed.map(({ invite }) => Number(invite.split(":")[1]))).toEqual([9, 8, 7]);
  expect(listed).toHaveLength(MAX_OF_A_HOST);
  for (let i = 0; i < 40; i++) listed = listWith(listed, one(String(i + 10), i));
  expect(listed).toHaveLength(MAX_LISTED);
  expect(listWith(listed, listed[5]!)).toHaveLength(MAX_LISTED);
});
