// What must hold when machines fail: three nodes, PostgreSQL and NATS, and players that reach them through a balancer. Every
// game reaches one verdict on both sides, no acknowledged write is lost, no key gets a second value.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { RelayChannel } from "../channel/channel.websocket.ts";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import type { Json } from "../core/canonical.ts";
import { systemHubEnvironment } from "../hub/hub-environment.ts";
import { HubError } from "../hub/hub-error.ts";
import { HttpHub } from "../hub/hub.http.ts";
import { appendKey, LOG } from "../hub/log-keys.ts";
import { openDirectSession } from "../invite/direct-session.ts";
import { openSeat } from "../peer/seat.ts";
import { localLocks } from "../platform/locks.ts";
import { openLog } from "../log/log-writer.ts";
import { diskStore, seededBytes } from "../testing/builders-world.ts";
import { Cluster } from "../testing/cluster.ts";
import { seededRandom } from "../testing/random.ts";
import { realClock } from "../testing/relay-harness.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { localWallet } from "../wallet/wallet.local.ts";

const verifier = createInlineVerifier();
/** A client finds a node that works within this time. */
const BACK_MS = 5_000;
const SOON = { timeout: 40_000, interval: 20 };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start();
}, 120_000);
afterAll(() => cluster.close());

let seeds = 0;
function environmentOf() {
  const seed = ++seeds;
  const random = seededRandom(seed);
  const relay = `${cluster.url.replace("http", "ws")}/relay`;
  return {
    hub: new HttpHub(cluster.url, systemHubEnvironment()),
    channel: new RelayChannel({
      ...{ url: relay, WebSocket, random, report: () => undefined },
      clock: { ...realClock, now: () => Date.now() },
    }),
    verifier,
    store: diskStore(),
    locks: localLocks(),
    clock: { ...realClock, now: () => Date.now() },
    random: seededBytes(seed),
  };
}

type Value = Parameters<ReturnType<typeof openSeat>["commit"]>[0];

interface Played {
  readonly game: string;
  readonly rules: { readonly [name: string]: Json };
  /** What the two players commit to. */
  readonly values: readonly [Value, Value];
}

/** A table of two, through the balancer. */
async function openTable({ game, rules }: Played) {
  const wallets = [0, 1].map(() => localWallet(`0x${(++seeds).toString(16).padStart(64, "0")}`));
  const seats = wallets.map((wallet) => {
    const environment = environmentOf();
    return { environment, log: openLog(environment, wallet) };
  });
  const [{ environment, log }] = seats as [(typeof seats)[0]];
  const offer = { game, rules, deadline: 61, default_outcome: { kind: "void" } } as const;
  const addresses = wallets.map(({ address }) => address);
  const session = await openDirectSession(environment, log, offer, addresses);
  const peers = seats.map((seat) => openSeat(seat.environment, { session, log: seat.log }));
  const owesCommit = (i: number) => peers[i]!.getSnapshot().turn.owes[0]?.what === "commit";
  const commit = async (i: number, value: Value) => {
    await vi.waitFor(() => expect(owesCommit(i)).toBe(true), SOON);
    await peers[i]!.commit(value);
  };
  const digests = async (): Promise<Set<string>> => {
    await vi.waitFor(() => {
      for (const peer of peers) {
        const { verdict } = peer.getSnapshot();
        expect(verdict).toMatchObject({ ok: true, status: "decided" });
      }
    }, SOON);
    return new Set(peers.map((peer) => JSON.stringify(peer.getSnapshot().verdict, ["digest"])));
  };
  const close = () => {
    for (const peer of peers) peer.close();
    for (const seat of seats) {
      seat.log.close();
      seat.environment.channel.close();
    }
  };
  return { commit, digests, close };
}

const GAMES: readonly Played[] = [
  { game: "rps", rules: { best_of: 1 }, values: ["rock", "paper"] },
  { game: "vote", rules: { options: ["tea", "soup"], ballot: "secret" }, values: ["tea", "tea"] },
  { game: "auction", rules: { kind: "second-price" }, values: ["12", "7"] },
  { game: "compare", rules: { by: "highest" }, values: ["3", "4"] },
];

describe("games go on", () => {
  test.each(GAMES.map((played, i) => [played.game, i % 3, played] as const))(
    "%s, with node %i killed in the middle: one verdict on both sides",
    async (_name, node, played) => {
      const table = await openTable(played);
      await table.commit(0, played.values[0]);
      await cluster.kill(node);
      await table.commit(1, played.values[1]);
      expect((await table.digests()).size).toBe(1);
      table.close();
      await cluster.restart(node);
    },
  );

  type Act = () => Promise<void> | void;
  /** What is broken, how it is mended, and the node and words by which health tells of it. */
  const faults: readonly (readonly [string, Act, Act, number, string])[] = [
    ["NATS", () => cluster.nats.kill(), () => cluster.nats.start(), 0, '"bus":"down"'],
    ["PostgreSQL", () => cluster.postgres.kill(), () => cluster.postgres.start(), 0, '"store":"down"'],
    ["a node's services", () => cluster.cut(2, "services"), () => cluster.join(2), 2, '"store":"down"'],
    ["a node's clients", () => cluster.cut(1, "clients"), () => cluster.join(1), 1, '"store":"up"'],
  ];
  test.each(faults)(
    "rps, with %s away and back: one verdict on both sides",
    async (_name, begin, end, node, words) => {
      const played = GAMES[0]!;
      const table = await openTable(played);
      await table.commit(0, played.values[0]);
      await begin();
      const second = table.commit(1, played.values[1]).catch(() => undefined); // the seat tries again by itself
      const health = async () => (await fetch(`${cluster.urlOf(node)}/healthz`)).text();
      await vi.waitFor(async () => expect(await health()).toContain(words), SOON);
      await end();
      await second;
      expect((await table.digests()).size).toBe(1);
      table.close();
    },
  );
});

test("clients of a killed node are back at another within 5 s", async () => {
  const channels = Array.from({ length: 9 }, () => environmentOf().channel);
  await vi.waitFor(() => expect(channels.every((channel) => channel.getState() === "live")).toBe(true), SOON);
  let lost = 0;
  for (const channel of channels) channel.onState((state) => state === "offline" && lost++);
  await cluster.kill(0);
  const killed = performance.now();
  await vi.waitFor(() => expect(lost).toBeGreaterThan(0), SOON);
  await vi.waitFor(() => expect(channels.every((channel) => channel.getState() === "live")).toBe(true), SOON);
  expect(performance.now() - killed).toBeLessThan(BACK_MS);
  for (const channel of channels) channel.close();
  await cluster.restart(0);
});

describe("writes", () => {
  const value = (seq: number, which = 0) => `${which} value ${seq}`;
  const newWallet = () => localWallet(`0x${(++seeds).toString(16).padStart(64, "0")}`);

  test("an append that reaches two nodes at once is one value; another value is refused", async () => {
    const wallet = newWallet();
    const nodes = [0, 1].map((node) => new HttpHub(cluster.urlOf(node), systemHubEnvironment()));
    await nodes[0]!.put(wallet, "first", utf8("makes the bucket"));
    for (let seq = 0; seq < 20; seq++) {
      const same = nodes.map((hub) => hub.put(wallet, appendKey(2 * seq), utf8(value(seq))));
      expect((await Promise.allSettled(same)).map(({ status }) => status)).toEqual([
        "fulfilled",
        "fulfilled",
      ]);
      const different = nodes.map((hub, i) => hub.put(wallet, appendKey(2 * seq + 1), utf8(value(seq, i))));
      const results = await Promise.allSettled(different);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const winner = results.findIndex(({ status }) => status === "fulfilled");
      for (const hub of nodes)
        expect(fromUtf8((await hub.get(wallet.address, appendKey(2 * seq + 1)))!)).toBe(value(seq, winner));
    }
    expect(await nodes[1]!.page(wallet.address, LOG, 0, 1024)).toHaveLength(40);
  });

  test("a rolling restart under load loses no acknowledged write, and no write waits over 5 s", async () => {
    const wallets = [newWallet(), newWallet(), newWallet()];
    const acknowledged = wallets.map(() => new Map<number, string>());
    let isOver = false;
    let longest = 0;
    const write = async (i: number) => {
      const hub = new HttpHub(cluster.url, systemHubEnvironment());
      for (let seq = 0; !isOver; seq++) {
        const begun = performance.now();
        await hub.put(wallets[i]!, appendKey(seq), utf8(value(seq, i)));
        longest = Math.max(longest, performance.now() - begun);
        acknowledged[i]!.set(seq, value(seq, i));
      }
    };
    const writers = wallets.map((_, i) => write(i));
    for (const node of [0, 1, 2]) {
      await cluster.stop(node);
      await cluster.restart(node);
    }
    isOver = true;
    await Promise.all(writers);
    expect(longest).toBeLessThan(BACK_MS);
    const reader = new HttpHub(cluster.url, systemHubEnvironment());
    for (const [i, written] of acknowledged.entries()) {
      expect(written.size).toBeGreaterThan(20);
      const found: string[] = [];
      for (let page: readonly string[] = [""]; page.length > 0; found.push(...page))
        page = await reader.page(wallets[i]!.address, LOG, found.length, 1024);
      expect(found).toEqual([...written.values()]);
    }
  });

  test("kill -9 of every node in turn under load loses no acknowledged write", async () => {
    const wallet = newWallet();
    const hub = new HttpHub(cluster.url, systemHubEnvironment(), { concurrency: 8 });
    const acknowledged = new Set<number>();
    let seq = 0;
    let isOver = false;
    const write = async () => {
      while (!isOver) {
        const mine = seq++;
        try {
          await hub.put(wallet, appendKey(mine), utf8(value(mine)));
          acknowledged.add(mine);
        } catch (error) {
          expect(error).toBeInstanceOf(HubError); // not acknowledged, and said so
        }
      }
    };
    const writers = Array.from({ length: 6 }, write);
    for (const node of [0, 1, 2]) {
      const before = acknowledged.size;
      await cluster.kill(node);
      await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(before + 20), SOON);
      await cluster.restart(node);
    }
    isOver = true;
    await Promise.all(writers);
    expect(acknowledged.size).toBeGreaterThan(60);
    const missing: number[] = [];
    for (const mine of acknowledged) {
      const bytes = await hub.get(wallet.address, appendKey(mine));
      if (bytes === null || fromUtf8(bytes) !== value(mine)) missing.push(mine);
    }
    expect(missing).toEqual([]);
  });
});
