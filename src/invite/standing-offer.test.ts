// Several who offer each other the same at once: one session comes of it, and what is old or other is no offer.

import { describe, expect, test, vi } from "vitest";
import type { Ref } from "../core/values.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import { joinInvite } from "./invite-guest.ts";
import { hostInvite, resumeHost } from "./invite-host.ts";
import type { Host, Joining, Offer } from "./invite.ts";
import { openLog, type LogWriter } from "../log/log-writer.ts";
import { findStanding, meetingPoint } from "./standing-offer.ts";

const keys: readonly LocalWallet[] = ["a1", "b2", "c3"].map((byte) => localWallet(`0x${byte.repeat(32)}`));
/** By address: the lowest one's invite is where all meet. */
const [first, second, third] = [...keys].sort((a, b) => (a.address < b.address ? -1 : 1)) as [
  LocalWallet,
  LocalWallet,
  LocalWallet,
];
const OFFER: Offer = {
  game: "compare",
  rules: { by: "highest" },
  deadline: 31,
  default_outcome: { kind: "void" },
};

interface Player {
  readonly log: LogWriter;
  readonly env: ReturnType<World["env"]>;
}

function player(world: World, wallet: LocalWallet, relay: boolean): Player {
  const env = world.env(relay ? {} : { channel: null });
  return { env, log: openLog(env, wallet) };
}

/** Signs an invite to the others, and tells them. */
async function offers(world: World, { env, log }: Player, others: readonly LocalWallet[]): Promise<Host> {
  const expected = new Map(others.map(({ address }) => [address, 0]));
  const host = hostInvite(env, log, OFFER, { players: others.length + 1, hostPlays: true, expected });
  await world.until(() => host.getSnapshot().stage !== "signing");
  for (const { address } of others) env.channel?.publish(address, host.getSnapshot().invite!);
  return host;
}

async function join(world: World, { env, log }: Player, invite: Ref): Promise<Joining> {
  const joining = joinInvite(env, log, invite);
  await world.until(() => joining.getSnapshot().stage === "offered");
  await joining.accept();
  return joining;
}

const startedOn = (side: Host | Joining): Ref | null => side.getSnapshot().session;

describe.each([
  ["with a relay", true],
  ["by the logs alone", false],
])("%s", (_, relay) => {
  test("two who offer at once: one gives way, and one session begins", async () => {
    const world = new World();
    const [one, two] = [player(world, first, relay), player(world, second, relay)];
    const [stays, goes] = await Promise.all([offers(world, one, [second]), offers(world, two, [first])]);
    await world.until(() => goes.getSnapshot().instead !== null);
    const { instead } = goes.getSnapshot();
    expect(instead).toBe(stays.getSnapshot().invite);
    expect(stays.getSnapshot().instead).toBeNull();
    goes.close();
    const joining = await join(world, two, instead!);
    await world.until(() => startedOn(stays) !== null && startedOn(joining) !== null);
    expect(startedOn(joining)).toBe(startedOn(stays));
    expect(startedOn(goes)).toBeNull();
  });

  test("a guest of the one who gave way is told where it went", async () => {
    const world = new World();
    const [one, two, three] = [first, second, third].map((wallet) => player(world, wallet, relay)) as [
      Player,
      Player,
      Player,
    ];
    const goes = await offers(world, two, [first, third]);
    const guest = await join(world, three, goes.getSnapshot().invite!);
    const stays = await offers(world, one, [second, third]);
    await world.until(() => goes.getSnapshot().instead !== null);
    goes.close();
    const joining = await join(world, two, goes.getSnapshot().instead!);
    await world.until(() => guest.getSnapshot().instead !== null);
    expect(guest.getSnapshot().instead).toBe(stays.getSnapshot().invite);
    guest.close();
    const followed = await join(world, three, guest.getSnapshot().instead!);
    await world.until(() => [stays, joining, followed].every((side) => startedOn(side) !== null));
    expect(new Set([stays, joining, followed].map(startedOn)).size).toBe(1);
  });
});

test("who comes later finds the offer that stands, whoever made it", async () => {
  const world = new World();
  const made = await offers(world, player(world, second, true), [first]);
  const logs = new Map([first, second].map(({ address }) => [address, 0]));
  expect(await findStanding(world.hub, logs, OFFER)).toBe(made.getSnapshot().invite);
  expect(await findStanding(world.hub, logs, { ...OFFER, rules: { by: "lowest" } })).toBeNull();
});

test("an offer that has begun, was given up or is too old no longer stands", async () => {
  const world = new World();
  const [one, two] = [player(world, first, true), player(world, second, true)];
  const host = await offers(world, one, [second]);
  const invite = host.getSnapshot().invite!;
  const past = new Map([[first.address, 1]]);
  expect(await findStanding(world.hub, past, OFFER)).toBeNull();
  const given = await offers(world, two, []);
  await join(world, two, invite);
  await world.until(() => host.getSnapshot().stage === "started");
  given.close();
  const logs = new Map([first, second].map(({ address }) => [address, 0]));
  expect(await findStanding(world.hub, logs, OFFER)).toBeNull();
});

test("after a reload a host remembers whom it asked and does not reread their logs", async () => {
  const world = new World();
  const one = player(world, first, false);
  for (let i = 0; i < 40; i++) await one.log.append(async () => ({ type: "tick", refs: [], body: {} }));
  const two = player(world, second, false);
  const expected = new Map([[first.address, 40]]);
  const before = hostInvite(two.env, two.log, OFFER, { players: 2, hostPlays: true, expected });
  await world.until(() => before.getSnapshot().stage === "open");
  before.close();
  const pages = vi.spyOn(world.hub, "page");
  const again = resumeHost(two.env, two.log, before.getSnapshot().invite!);
  const stays = await offers(world, one, [second]);
  await world.until(() => again.getSnapshot().instead !== null);
  expect(again.getSnapshot()).toMatchObject({ expects: true, instead: stays.getSnapshot().invite });
  const offsets = pages.mock.calls.flatMap(([owner, , offset]) => (owner === first.address ? [offset] : []));
  expect(offsets.length).toBeGreaterThan(0);
  // 39 is the wallet's own look at its head; the host goes on from 40.
  expect(Math.min(...offsets)).toBe(39);
});

test("the meeting point is the lowest ref, in whatever order they are looked at", () => {
  const refs = [`${first.address}:3:0x01`, `${second.address}:9:0x02`, null] as (Ref | null)[];
  expect(meetingPoint(refs)).toBe(refs[0]);
  expect(meetingPoint(refs.toReversed())).toBe(refs[0]);
  expect(meetingPoint([null])).toBeNull();
});
