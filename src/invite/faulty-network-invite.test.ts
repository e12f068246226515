// Invite, accept and genesis over a Hub that fails: one accept, one session, nobody left waiting for what the Hub did
// not show at first.

import { describe, expect, test } from "vitest";
import { parseCandidate } from "../core/entry.ts";
import { formatRef, sha256, type Ref } from "../core/values.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey } from "../hub/log-keys.ts";
import { World } from "../testing/builders-world.ts";
import { FaultyHub } from "../testing/hub-faults.ts";
import { HubWire, Ledger, WIRE_FAULTS } from "../testing/hub-wire.ts";
import { mortal } from "../testing/mortal.ts";
import { seededRandom } from "../testing/random.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import type { Host, Joining, Offer } from "./invite.ts";
import { joinInvite } from "./invite-guest.ts";
import { hostInvite, resumeHost } from "./invite-host.ts";
import { openLog } from "../log/log-writer.ts";
import { RefInbox } from "../session/ref-inbox.ts";

const host = localWallet(`0x${"a1".repeat(32)}`);
const guest = localWallet(`0x${"b2".repeat(32)}`);
const RPS: Offer = { game: "rps", rules: {}, deadline: 41, default_outcome: { kind: "forfeit" } };
const TWO = { players: 2, hostPlays: true };

const stageOf = (side: Host | Joining) => side.getSnapshot().stage;

/** Types of the entries of a log, from its start. */
async function typesOf(hub: Hub, { address }: LocalWallet): Promise<string[]> {
  const types: string[] = [];
  for (let seq = 0; ; seq++) {
    const bytes = await hub.get(address, appendKey(seq));
    if (bytes === null) return types;
    const entry = parseCandidate(new TextDecoder().decode(bytes));
    types.push(entry.ok ? entry.value.type : entry.error.code);
  }
}

async function invited(world: World, env: PeerEnvironment): Promise<{ hosting: Host; invite: Ref }> {
  const hosting = hostInvite(env, openLog(env, host), RPS, TWO);
  await world.until(() => stageOf(hosting) === "open");
  return { hosting, invite: hosting.getSnapshot().invite! };
}

async function joined(world: World, env: PeerEnvironment, invite: Ref): Promise<Joining> {
  const joining = joinInvite(env, openLog(env, guest), invite);
  await world.until(() => stageOf(joining) === "offered");
  return joining;
}

describe.each(WIRE_FAULTS)("three requests in ten: %s", (fault) => {
  test("one accept, one genesis, and both know it", async () => {
    const world = new World();
    const ledger = new Ledger("hub");
    const env = (seed: number) => {
      const wire = new HubWire(ledger, world.clock, seededRandom(seed));
      return { wire, env: world.env({ hub: wire.client() }) };
    };
    const [mine, theirs] = [env(1), env(2)];
    const { hosting, invite } = await invited(world, mine.env);
    for (const { wire } of [mine, theirs]) wire.rates = { [fault]: 0.3 };
    const joining = joinInvite(theirs.env, openLog(theirs.env, guest), invite);
    let accepting = false;
    joining.subscribe(() => {
      if (stageOf(joining) !== "offered" || accepting) return;
      accepting = true;
      // A person who is told that it did not work tries again.
      joining.accept().catch(() => (accepting = false));
    });
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started", 1_800_000);
    expect(joining.getSnapshot().session).toBe(hosting.getSnapshot().session);
    expect(await typesOf(ledger, host)).toEqual(["invite", "genesis"]);
    expect(await typesOf(ledger, guest)).toEqual(["accept"]);
    expect(ledger.forks).toEqual([]);
    expect(mine.wire.counts.get(fault)).toBeGreaterThan(0);
  });
});

describe("what the Hub does not show at first", () => {
  test("is unreachable for the host as the accept is announced: the session starts when it is back", async () => {
    const world = new World();
    const hub = new FaultyHub(world.hub);
    const { hosting, invite } = await invited(world, world.env({ hub }));
    hub.down = true;
    const joining = await joined(world, world.env(), invite);
    await joining.accept();
    await world.settle();
    for (let i = 0; i < 60; i++) {
      world.clock.advance(5_000);
      await world.settle();
    }
    hub.down = false;
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started");
  });

  test("an accept that the host's Hub has only seconds later", async () => {
    const world = new World();
    const hub = new FaultyHub(world.hub);
    const { hosting, invite } = await invited(world, world.env({ hub }));
    const joining = await joined(world, world.env(), invite);
    for (let i = 0; i < 5; i++) hub.next("withhold", "get");
    await joining.accept();
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started");
    expect(hub.counts.get("withhold")).toBe(5);
  });

  test("a genesis that came with a wrong character is asked for again", async () => {
    const world = new World();
    const hub = new FaultyHub(world.hub);
    const { hosting, invite } = await invited(world, world.env());
    const joining = await joined(world, world.env({ hub }), invite);
    await joining.accept();
    await world.until(() => stageOf(joining) === "waiting");
    hub.next("rewrite", "page").next("rewrite", "get");
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started");
    expect(hub.counts.get("rewrite")).toBeGreaterThan(0);
  });

  test("the host's own genesis: nothing else is signed until it is shown again", async () => {
    const world = new World();
    const env = world.env();
    const { hosting, invite } = await invited(world, env);
    const joining = await joined(world, world.env(), invite);
    const accept = await joining.accept();
    await world.until(() => stageOf(hosting) === "started");
    // This device still knows how long its log is, but not what came of the invite.
    for (const key of await env.store.keys("host/")) await env.store.remove(key);
    const hidden = { yes: true };
    const hub: Hub = {
      name: "hides",
      put: (...args) => world.hub.put(...args),
      get: async (owner, key) =>
        hidden.yes && owner === host.address && key === appendKey(1) ? null : world.hub.get(owner, key),
      page: async (owner, ...rest) => (hidden.yes ? [] : world.hub.page(owner, ...rest)),
      ping: () => world.hub.ping(),
    };
    const back = world.env({ store: env.store, hub });
    const again = resumeHost(back, openLog(back, host), invite);
    await world.settle();
    await again.offerAccept(accept);
    await world.until(() => again.getSnapshot().problem?.includes("does not show entry 1") === true);
    expect([stageOf(again), again.getSnapshot().session]).toEqual(["open", null]);
    hidden.yes = false;
    await world.until(() => stageOf(again) === "started");
    expect(again.getSnapshot().session).toBe(hosting.getSnapshot().session);
    expect(await typesOf(world.hub, host)).toEqual(["invite", "genesis"]);
  });
});

test("a guest killed after any write or signature still makes one accept", async () => {
  let points = 0;
  for (let lives = 1; ; lives++) {
    const world = new World();
    const ledger = (world.hub = new Ledger("hub"));
    const { hosting, invite } = await invited(world, world.env());
    const env = world.env();
    const { over, isDead } = mortal(lives);
    const dying = { ...env, hub: over(env.hub), store: over(env.store) };
    const log = openLog(dying, over(guest));
    const first = joinInvite(dying, log, invite);
    await world.settle();
    first.accept().catch(() => undefined);
    await world.settle();
    first.close();
    log.close();

    const back = world.env({ store: env.store });
    const again = openLog(back, guest);
    await world.settle();
    const joining = joinInvite(back, again, invite);
    await world.until(() => stageOf(joining) !== "reading");
    if (stageOf(joining) === "offered") await joining.accept();
    await world.until(() => stageOf(hosting) === "started" && stageOf(joining) === "started");
    expect([lives, await typesOf(ledger, guest)]).toEqual([lives, ["accept"]]);
    expect([ledger.forks, joining.getSnapshot().session]).toEqual([[], hosting.getSnapshot().session]);
    joining.close();
    hosting.close();
    if (!isDead()) break;
    points++;
  }
  expect(points).toBeGreaterThan(8);
});

test("the host's tab killed after every write and signature of its genesis: one session", async () => {
  let points = 0;
  for (let lives = 1; ; lives++) {
    const world = new World();
    const ledger = (world.hub = new Ledger("hub"));
    const env = world.env();
    const setUp = hostInvite(env, openLog(env, host), RPS, TWO);
    await world.until(() => stageOf(setUp) === "open");
    const invite = setUp.getSnapshot().invite!;
    setUp.close();
    const joining = await joined(world, world.env(), invite);
    const accept = await joining.accept();
    const { over, isDead } = mortal(lives);
    const mine = world.env({ store: env.store });
    const dying = { ...mine, hub: over(mine.hub), store: over(mine.store) };
    const log = openLog(dying, over(host));
    const first = resumeHost(dying, log, invite);
    await world.settle();
    await first.offerAccept(accept).catch(() => undefined);
    await world.settle();
    first.close();
    log.close();

    const back = world.env({ store: env.store });
    const again = resumeHost(back, openLog(back, host), invite);
    await world.settle();
    await again.offerAccept(accept);
    await world.until(() => stageOf(again) === "started" && stageOf(joining) === "started");
    expect([lives, await typesOf(ledger, host)]).toEqual([lives, ["invite", "genesis"]]);
    expect([ledger.forks, joining.getSnapshot().session]).toEqual([[], again.getSnapshot().session]);
    joining.close();
    again.close();
    if (!isDead()) break;
    points++;
  }
  expect(points).toBeGreaterThan(8);
});

test("a ref without an entry is read eight times at most; a failed read is kept", async () => {
  const world = new World();
  const { clock } = world;
  const [good, nowhere] = ["1", "2"].map((digit) => formatRef(guest.address, 0, sha256(digit))) as [Ref, Ref];
  const looks: Ref[] = [];
  let down = true;
  const inbox = new RefInbox({
    clock,
    random: world.env().random,
    take: async (ref) => {
      looks.push(ref);
      if (ref === good && down) throw new Error("no network");
      return ref === good ? "good" : "later";
    },
  });
  inbox.push(good);
  inbox.push(nowhere);
  for (let i = 0; i < 100; i++) {
    await world.settle();
    clock.advance(clock.next ?? 0);
  }
  expect(looks.filter((ref) => ref === nowhere)).toHaveLength(8);
  expect(looks.filter((ref) => ref === good).length).toBeGreaterThan(20);
  down = false;
  await world.settle();
  clock.advance(10_000);
  await world.settle();
  const before = looks.length;
  clock.advance(600_000);
  await world.settle();
  expect(looks).toHaveLength(before);
  inbox.close();
});
