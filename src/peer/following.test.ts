// What hints are worth to a peer: an announced entry costs one request, a lie one read a look, and whatever the
// channel keeps to itself is found all the same.

import { expect, test } from "vitest";
import { formatRef, sha256, type Address, type Ref } from "../core/values.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey } from "../hub/log-keys.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { openSeat } from "./seat.ts";
import { openWatcher } from "./watcher.ts";
import { openLog } from "../log/log-writer.ts";
import type { Seat } from "./peer.ts";

const alice = localWallet(`0x${"a1".repeat(32)}`);
const bob = localWallet(`0x${"b2".repeat(32)}`);
const carol = localWallet(`0x${"c3".repeat(32)}`);
const NAMES = new Map([alice, bob, carol].map(({ address }, i) => [address, ["alice", "bob", "carol"][i]!]));

interface Watched {
  readonly hub: Hub;
  /** Reads by key: the log's owner and seq, and nothing else. */
  readonly gets: string[];
  /** What is not shown yet. */
  readonly hidden: Set<string>;
}

function watched(inner: Hub): Watched {
  const gets: string[] = [];
  const hidden = new Set<string>();
  const hub: Hub = {
    name: inner.name,
    put: (...args) => inner.put(...args),
    get: async (owner, key) => {
      const place = `${NAMES.get(owner)} ${Number(key.slice(-20))}`;
      gets.push(place);
      return hidden.has(place) ? null : inner.get(owner, key);
    },
    page: (...args) => inner.page(...args),
    ping: () => inner.ping(),
  };
  return { hub, gets, hidden };
}

/** Three who vote, each with its own log, and a watcher whose requests are written down. */
async function table() {
  const world = new World();
  const log = openLog(world.env(), alice);
  await log.append(async () => ({ type: "before", refs: [], body: {} }));
  const genesis = await log.append(async () => ({
    type: "genesis",
    refs: [],
    body: {
      protocol: "coop/1",
      game: "vote",
      rules: { options: ["x", "y"] },
      participants: [alice, bob, carol].map(({ address }) => address),
      deadline: 91,
      default_outcome: { kind: "void" },
    },
  }));
  const session = genesis.ref;
  const peers = [alice, bob, carol].map((wallet) => {
    const env = world.env();
    return openSeat(env, { session, log: openLog(env, wallet) });
  }) as [Seat, Seat, Seat];
  const { hub, gets, hidden } = watched(world.hub);
  const broker = world.broker.connect();
  // The watcher hears what is passed on here, so that a test can keep an announcement from it.
  const deaf = new Set<string>();
  const watcher = openWatcher(
    world.env({
      hub,
      channel: {
        ...bound(broker),
        subscribe: (topic, listener) =>
          broker.subscribe(topic, (ref) => {
            if (!deaf.has(ref.split(":")[0]!)) listener(ref);
          }),
      },
    }),
    session,
  );
  await world.until(() => [...peers, watcher].every((peer) => peer.getSnapshot().state === "live"));
  gets.length = 0;
  return { world, session, peers, watcher, gets, hidden, deaf };
}

function bound(broker: ReturnType<World["broker"]["connect"]>) {
  return {
    publish: broker.publish.bind(broker),
    getState: broker.getState.bind(broker),
    onState: broker.onState.bind(broker),
    close: broker.close.bind(broker),
  };
}

/** Lets everything happen that waits for no time to pass. */
async function settle(world: World): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await world.settle();
    world.clock.advance(0);
  }
  await world.settle();
}

const count = (peer: Pick<Seat, "getSnapshot">) => peer.getSnapshot().records.length;

test("an announced entry costs one request, of that entry", async () => {
  const { world, peers, watcher, gets } = await table();
  await peers[1].tick();
  await settle(world);
  expect(count(watcher)).toBe(2);
  expect(gets).toEqual(["bob 0"]);
  await Promise.all([peers[1].tick(), peers[2].tick()]);
  await settle(world);
  expect(count(watcher)).toBe(4);
  expect(gets.slice(1).sort()).toEqual(["bob 1", "carol 0"]);
});

test("an entry that the Hub shows later than it was announced is there soon after", async () => {
  const { world, peers, watcher, gets, hidden } = await table();
  hidden.add("bob 0");
  await peers[1].tick();
  await settle(world);
  expect(gets).toEqual(["bob 0"]);
  const from = world.clock.now();
  hidden.clear();
  await world.until(() => count(watcher) === 2);
  expect(world.clock.now() - from).toBeGreaterThan(0);
  expect(world.clock.now() - from).toBeLessThanOrEqual(80);
});

test("what was announced and lost before is read with what follows it", async () => {
  const { world, peers, watcher, gets, deaf } = await table();
  deaf.add(bob.address);
  await peers[1].tick();
  await settle(world);
  expect(gets).toEqual([]);
  deaf.clear();
  await peers[1].tick();
  await settle(world);
  expect(count(watcher)).toBe(3);
  expect(gets).toEqual(["bob 0", "bob 1"]);
});

test("an entry that rests on one whose announcement was lost brings that with it", async () => {
  const { world, peers, watcher, deaf } = await table();
  deaf.add(bob.address);
  await peers[1].tick();
  await world.until(() => count(peers[2]) === 2);
  await peers[2].tick();
  await settle(world);
  expect(count(watcher)).toBe(3);
  expect(watcher.getSnapshot()).toMatchObject({ state: "live", view: { complete: true } });
});

test("a lost announcement is found by polling, however often others announce", async () => {
  const { world, peers, watcher, deaf } = await table();
  deaf.add(bob.address);
  await peers[1].tick();
  const ofBob = () => {
    const { view } = watcher.getSnapshot();
    return view?.ok === true && view.order.some(({ entry }) => entry.wallet === bob.address);
  };
  // Alice's refs would name Bob's entry: it is a liar who keeps the watcher busy.
  const liar = world.broker.connect();
  for (let second = 0; second < 16 && !ofBob(); second++) {
    liar.publish(watcher.session, invented(alice.address, 2 + second));
    world.clock.advance(1_000);
    await settle(world);
  }
  expect(ofBob()).toBe(true);
});

test("an invented ref costs few reads of one key; one of a stranger costs none", async () => {
  const { world, session, gets } = await table();
  const liar = world.broker.connect();
  liar.publish(session, invented(`0x${"0".repeat(40)}`, 0));
  liar.publish(session, invented(alice.address, 0));
  await settle(world);
  expect(gets).toEqual([]);
  liar.publish(session, invented(bob.address, 2 ** 53 - 1));
  for (let i = 0; i < 100; i++) {
    world.clock.advance(100);
    await settle(world);
  }
  expect(gets).toEqual(Array.from({ length: 6 }, () => "bob 0"));
});

test.each([25, 500])(
  "a move is seen within 1 s under %i invented refs a second on its topic",
  async (rate) => {
    const { world, session, peers, watcher, gets } = await table();
    const liar = world.broker.connect();
    let made = 0;
    /** A tenth of a second of the flood: of all logs, at the next seq, far off, and at one that is held. */
    const flood = async () => {
      for (let i = 0; i < rate / 10; i++) {
        const wallet = [alice, bob, carol][made % 3]!.address;
        const seq = [2 + (made % 5), 2 ** 53 - 1, 1][made % 4] ?? 0;
        liar.publish(session, formatRef(wallet, seq, sha256(`${made++}`)));
      }
      world.clock.advance(100);
      await settle(world);
    };
    for (let i = 0; i < 150; i++) await flood();
    // At most two fetches a second of three logs, and the polls.
    expect(gets.length).toBeLessThan(15 * 3 * 3);
    const move = peers[1].tick();
    for (let i = 0; i < 10 && count(watcher) < 2; i++) await flood();
    await move;
    expect(count(watcher)).toBe(2);
    expect(watcher.getSnapshot().state).toBe("live");
  },
);

test("a second version of a place that is held is read where it is announced", async () => {
  const { world, session, peers, watcher, gets } = await table();
  await peers[1].tick();
  await settle(world);
  const other = await openLog(new World().env(), bob).append(async () => ({
    type: "tick",
    refs: [session],
    body: { second: true },
  }));
  await world.hub.put(bob, appendKey(0), new TextEncoder().encode(other.wire));
  gets.length = 0;
  world.broker.connect().publish(session, other.ref);
  await settle(world);
  expect(gets).toEqual(["bob 0"]);
  const { view } = watcher.getSnapshot();
  expect(view?.ok === true && view.members[1]!.fault?.seq).toBe(0);
});

function invented(wallet: Address, seq: number): Ref {
  return formatRef(wallet, seq, sha256(`${wallet} ${seq}`));
}
