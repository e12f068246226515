// A session among known wallets: what its genesis pins, who is told, and when nothing is signed.

import { expect, test } from "vitest";
import { parseCandidate, type Candidate } from "../core/entry.ts";
import { formatRef, parseRef, type Ref } from "../core/values.ts";
import { appendKey } from "../hub/log-keys.ts";
import { World } from "../testing/builders-world.ts";
import { FaultyHub } from "../testing/hub-faults.ts";
import { walletDouble } from "../testing/wallet-double.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { openDirectSession } from "./direct-session.ts";
import type { Offer } from "./invite.ts";
import { openSeat } from "../peer/seat.ts";
import { openLog } from "../log/log-writer.ts";

const [alice, bob, carol] = (["a1", "b2", "c3"] as const).map((byte) =>
  localWallet(`0x${byte.repeat(32)}`),
) as [ReturnType<typeof localWallet>, ReturnType<typeof localWallet>, ReturnType<typeof localWallet>];
const SECRET = `0x${"a1".repeat(32)}` as const;
const VOTE: Offer = {
  game: "vote",
  rules: { options: ["a", "b"] },
  deadline: 31,
  default_outcome: { kind: "void" },
  title: "Lunch",
};

const formatTold = (address: string, ref: Ref): string => `${address} hears ${ref}`;

async function entryOf(world: World, ref: Ref): Promise<Candidate> {
  const { wallet, seq } = parseRef(ref)!;
  const bytes = await world.hub.get(wallet, appendKey(seq));
  const parsed = parseCandidate(new TextDecoder().decode(bytes!));
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value;
}

/** Writes entries before the session; resolves with the head. */
async function writeBefore(world: World, wallet: typeof alice, count: number): Promise<Ref> {
  const log = openLog(world.env(), wallet);
  let head: Ref | undefined;
  for (let n = 0; n < count; n++)
    head = (await log.append(async () => ({ type: "note", body: { n }, refs: [] }))).ref;
  log.close();
  return head!;
}

test("pins the head of every log but the creator's, and announces itself to the others", async () => {
  const world = new World();
  const headOfBob = await writeBefore(world, bob, 3);
  const env = world.env();
  const told: string[] = [];
  for (const { address } of [alice, bob, carol])
    world.broker.connect().subscribe(address, (ref) => told.push(formatTold(address, ref)));
  const session = await openDirectSession(
    env,
    openLog(env, alice),
    VOTE,
    [alice, bob, carol].map(({ address }) => address),
  );
  const genesis = await entryOf(world, session);
  expect(genesis).toMatchObject({ ref: session, type: "genesis", refs: [headOfBob] });
  expect(genesis.body).toEqual({
    protocol: "coop/1",
    ...VOTE,
    participants: [alice, bob, carol].map(({ address }) => address),
  });
  await world.settle();
  expect(told.sort()).toEqual([bob, carol].map(({ address }) => formatTold(address, session)).sort());
});

test("everybody can play it, whatever stood in their logs before", async () => {
  const world = new World();
  await writeBefore(world, alice, 2);
  await writeBefore(world, bob, 1);
  const env = world.env();
  const log = openLog(env, alice);
  const session = await openDirectSession(env, log, VOTE, [alice.address, bob.address]);
  const bobs = world.env();
  const peers = [
    openSeat(env, { session, log }),
    openSeat(bobs, { session, log: openLog(bobs, bob) }),
  ] as const;
  await world.until(() => peers.every((peer) => peer.getSnapshot().view?.ok === true));
  for (const peer of peers) await peer.append("vote", { choice: "a" });
  await world.until(() =>
    peers.every((peer) => {
      const { verdict } = peer.getSnapshot();
      return verdict?.ok === true && verdict.finality === "final";
    }),
  );
  for (const peer of peers) peer.close();
});

test("the creator need not play: its own log is not pinned", async () => {
  const world = new World();
  const headOfBob = await writeBefore(world, bob, 1);
  await writeBefore(world, alice, 1);
  const env = world.env({ channel: null });
  const session = await openDirectSession(env, openLog(env, alice), VOTE, [bob.address, carol.address]);
  expect((await entryOf(world, session)).refs).toEqual([headOfBob]);
  expect(parseRef(session)).toMatchObject({ wallet: alice.address, seq: 1 });
});

test.each([
  ["a game that is not known", { ...VOTE, game: "chess" }, /game/],
  ["rules that the game refuses", { ...VOTE, rules: { options: ["a"] } }, /options/],
  ["too small a deadline", { ...VOTE, deadline: 2 }, /deadline/],
])("%s: nothing is signed", async (_, offer, why) => {
  const world = new World();
  const env = world.env();
  const double = walletDouble(SECRET);
  const opening = openDirectSession(env, openLog(env, double), offer, [alice.address, bob.address]);
  await expect(opening).rejects.toMatchObject({ code: "no-session" });
  await expect(opening).rejects.toThrow(why);
  expect(double.asked).toEqual([]);
});

test("a log that cannot be read: nothing is signed, and another attempt pins it", async () => {
  const world = new World();
  const headOfBob = await writeBefore(world, bob, 2);
  const hub = new FaultyHub(world.hub);
  const env = world.env({ hub });
  const double = walletDouble(SECRET);
  const log = openLog(env, double);
  hub.next("server-error", "page");
  const open = () => openDirectSession(env, log, VOTE, [alice.address, bob.address]);
  await expect(open()).rejects.toMatchObject({ code: "server" });
  expect(double.asked).toEqual([]);
  expect((await entryOf(world, await open())).refs).toEqual([headOfBob]);
});

test("pins the last entry that its wallet signed where a Hub spoils the head", async () => {
  const world = new World();
  await writeBefore(world, bob, 2);
  const first = await world.hub.get(bob.address, appendKey(0));
  await world.hub.put(bob, appendKey(1), new TextEncoder().encode("{}"));
  const env = world.env();
  const session = await openDirectSession(env, openLog(env, alice), VOTE, [alice.address, bob.address]);
  const entry = parseCandidate(new TextDecoder().decode(first!));
  if (!entry.ok) throw new Error(entry.error.code);
  expect((await entryOf(world, session)).refs).toEqual([formatRef(bob.address, 0, entry.value.hash)]);
});
