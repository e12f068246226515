// Two or more peers over a Hub in memory: play to one verdict, restart, double clicks, lost salts, hostile hints.

import { describe, expect, test, vi } from "vitest";
import { formatRef, sha256, type Ref } from "../core/values.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, mirrorKey } from "../hub/log-keys.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import { World, diskStore } from "../testing/builders-world.ts";
import { walletDouble } from "../testing/wallet-double.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { PeerEnvironment } from "./environment.ts";
import { openSeat } from "./seat.ts";
import { openWatcher } from "./watcher.ts";
import { openLog, type LogWriter } from "../log/log-writer.ts";
import type { Seat as PlayedSeat } from "./peer.ts";
import { memoryStore } from "../platform/key-value-store.memory.ts";

const alice = localWallet(`0x${"a1".repeat(32)}`);
const bob = localWallet(`0x${"b2".repeat(32)}`);

interface Seat {
  readonly env: PeerEnvironment;
  readonly log: LogWriter;
  readonly peer: PlayedSeat;
}

function sit(env: PeerEnvironment, wallet: Wallet, session: Ref, autoReveal = true): Seat {
  const log = openLog(env, wallet);
  return { env, log, peer: openSeat(env, { session, log, autoReveal }) };
}

async function startRps(world: World, env: PeerEnvironment, wallet: Wallet, rules = {}): Promise<Ref> {
  const genesis = await openLog(env, wallet).append(async () => ({
    type: "genesis",
    refs: [],
    body: {
      protocol: "coop/1",
      game: "rps",
      rules,
      participants: [alice.address, bob.address],
      deadline: 41,
      default_outcome: { kind: "forfeit" },
    },
  }));
  await world.settle();
  return genesis.ref;
}

const decided = ({ peer }: { peer: Pick<PlayedSeat, "getSnapshot"> }) => {
  const { verdict } = peer.getSnapshot();
  return verdict?.ok === true && verdict.status === "decided";
};
const digestOf = ({ peer }: { peer: Pick<PlayedSeat, "getSnapshot"> }) => {
  const { verdict } = peer.getSnapshot();
  return verdict?.ok === true ? verdict.digest : null;
};
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: unknown) => String((error as { code?: unknown }).code ?? error),
  );

async function table(rules = {}, parts: Partial<PeerEnvironment> = {}) {
  const world = new World();
  const env = world.env(parts);
  const session = await startRps(world, env, alice, rules);
  const a = sit(env, alice, session);
  const b = sit(world.env(parts), bob, session);
  await world.until(() => a.peer.getSnapshot().view !== null && b.peer.getSnapshot().view !== null);
  return { world, session, a, b };
}

describe("playing", () => {
  test("after both commits the reveals follow, and players and watcher agree", async () => {
    const { world, session, a, b } = await table();
    const watcher = openWatcher(world.env(), session);
    expect(a.peer.getSnapshot().turn).toMatchObject({
      owes: [{ what: "commit", round: 1 }],
      left: 20,
      busy: false,
    });
    await a.peer.commit("rock");
    await b.peer.commit("scissors");
    await world.until(() => [a, b, { peer: watcher }].every(decided));
    expect(a.peer.getSnapshot().verdict).toMatchObject({
      outcome: { kind: "win", winner: alice.address },
      finality: "final",
    });
    expect(new Set([a, b, { peer: watcher }].map(digestOf)).size).toBe(1);
    expect(a.peer.getSnapshot().state).toBe("live");
    expect(watcher.getSnapshot()).toMatchObject({ wallet: null, seated: false });
    expect("append" in watcher || "tick" in watcher).toBe(false);
  });

  test("best of three without a channel, by polling alone", async () => {
    const { world, a, b } = await table({ best_of: 3 }, { channel: null });
    const hands = { rock: "scissors", paper: "rock" } as const;
    for (const [mine, theirs] of Object.entries(hands)) {
      await a.peer.commit(mine);
      await b.peer.commit(theirs);
      await world.until(
        () => decided(a) || [a, b].every(({ peer }) => peer.getSnapshot().turn.owes[0]?.what === "commit"),
      );
    }
    await world.until(() => decided(a) && decided(b));
    expect(digestOf(a)).toBe(digestOf(b));
    expect(a.peer.getSnapshot().verdict).toMatchObject({ outcome: { score: { [alice.address]: 2 } } });
    expect(a.peer.getSnapshot().state).toBe("polling");
  });

  test("a move is signing, stored, read back, seen; never shown as more", async () => {
    const { world, a, b } = await table();
    const stages: string[] = [];
    a.peer.subscribe(() => {
      const stage = a.peer.getSnapshot().moves[0]?.stage;
      if (stage !== undefined && stages.at(-1) !== stage) stages.push(stage);
    });
    await a.peer.commit("rock");
    await world.settle();
    expect(stages).toEqual(["signing", "stored", "read-back"]);
    await world.until(
      () => b.peer.getSnapshot().view?.ok === true && b.peer.getSnapshot().records.length === 2,
    );
    await b.peer.commit("paper");
    await world.until(() => stages.at(-1) === "seen");
    expect(a.peer.getSnapshot().moves[0]!.seenBy).toEqual([bob.address]);
  });

  test("peers' entries are mirrored before they are referred to", async () => {
    const { world, session, a, b } = await table();
    const commit = await a.peer.commit("rock");
    await world.until(() => b.peer.getSnapshot().records.length === 2);
    await b.peer.commit("paper");
    const [, genesisHash] = /:(0x[0-9a-f]+)$/.exec(session)!;
    const seq = Number(commit.split(":")[1]);
    for (const at of [0, seq])
      expect(
        await world.hub.get(bob.address, mirrorKey(genesisHash as `0x${string}`, alice.address, at)),
      ).not.toBeNull();
  });

  test("a double click makes one move; the second is refused before it is signed", async () => {
    const { world, a, b } = await table();
    const results = await Promise.all([codeOf(a.peer.commit("rock")), codeOf(a.peer.commit("paper"))]);
    expect(results).toEqual(["no error", "would-be-ignored"]);
    expect(await codeOf(a.peer.commit("lizard"))).toBe("would-be-ignored");
    await world.until(() => b.peer.getSnapshot().records.length === 2);
  });

  test("two tabs of one wallet: one commit lands, whichever is first", async () => {
    const { world, session, a } = await table();
    const tab = sit({ ...a.env, channel: world.broker.connect() }, alice, session);
    await world.until(() => tab.peer.getSnapshot().view !== null);
    const results = await Promise.all([codeOf(a.peer.commit("rock")), codeOf(tab.peer.commit("paper"))]);
    expect(results.sort()).toEqual(["no error", "would-be-ignored"]);
  });

  test("a used share closes the session: the silent peer forfeits, settled, not final", async () => {
    const world = new World();
    const env = world.env();
    const genesis = await openLog(env, alice).append(async () => ({
      type: "genesis",
      refs: [],
      body: {
        protocol: "coop/1",
        game: "rps",
        rules: {},
        participants: [alice.address, bob.address],
        deadline: 5,
        default_outcome: { kind: "forfeit" },
      },
    }));
    const a = sit(env, alice, genesis.ref);
    const b = sit(world.env(), bob, genesis.ref);
    await world.until(() => b.peer.getSnapshot().view !== null && a.peer.getSnapshot().view !== null);
    await b.peer.tick();
    await a.peer.commit("rock");
    await a.peer.tick();
    expect(await codeOf(a.peer.tick())).toBe("share-spent");
    await world.until(() => decided(a) && decided(b));
    expect(a.peer.getSnapshot().verdict).toMatchObject({
      outcome: { kind: "win", winner: alice.address, by: "forfeit" },
      finality: "settled",
    });
    expect(a.peer.getSnapshot().turn.left).toBe(0);
  });
});

/** The same wallet as one whose key is not in our hands. */
function withoutKey(wallet: Wallet): Wallet {
  return {
    address: wallet.address,
    kind: wallet.kind,
    signText: (text) => wallet.signText(text),
    onChange: () => () => undefined,
  };
}

describe("restart", () => {
  test("the salt is found by session and commitment, and the reveal follows", async () => {
    const { world, session, a, b } = await table();
    await a.peer.commit("rock");
    a.peer.close();
    a.log.close();
    await b.peer.commit("scissors");
    const again = sit({ ...world.env(), store: a.env.store }, alice, session);
    await world.until(() => decided(again) && decided(b));
    expect(again.peer.getSnapshot().verdict).toMatchObject({ outcome: { winner: alice.address } });
  });

  test("another machine with the same key derives the salt again, and the reveal follows", async () => {
    const { world, session, a, b } = await table();
    await a.peer.commit("rock");
    a.peer.close();
    await b.peer.commit("scissors");
    const elsewhere = sit(world.env(), alice, session);
    await world.until(() => decided(elsewhere) && decided(b));
    expect(elsewhere.peer.getSnapshot().verdict).toMatchObject({ outcome: { winner: alice.address } });
  });

  test("another machine of a wallet that keeps its key lacks the salt and says so", async () => {
    const { world, session, a, b } = await table();
    a.peer.close();
    const drawing = sit(a.env, withoutKey(alice), session);
    await world.until(() => drawing.peer.getSnapshot().turn.owes.length > 0);
    const commit = await drawing.peer.commit("rock");
    drawing.peer.close();
    await b.peer.commit("scissors");
    const elsewhere = sit(world.env(), withoutKey(alice), session);
    await world.until(() => elsewhere.peer.getSnapshot().turn.owes.some(({ what }) => what === "reveal"));
    await world.until(() => elsewhere.peer.getSnapshot().turn.lostSalts.length > 0);
    expect(elsewhere.peer.getSnapshot().turn.lostSalts).toEqual([commit]);
    expect(await codeOf(elsewhere.peer.reveal())).toBe("salt-lost");
  });
});

describe("salts", () => {
  test("no storage, no commit", async () => {
    const { world, session, b } = await table();
    const signed = walletDouble(`0x${"a1".repeat(32)}`);
    for (const store of [
      memoryStore(),
      { ...diskStore(), put: () => Promise.reject(new Error("full")) },
      { ...diskStore(), put: async () => undefined },
    ]) {
      const env = world.env({ store });
      const { peer } = sit(env, signed, session);
      await world.until(() => peer.getSnapshot().view !== null);
      expect(await codeOf(peer.commit("rock"))).toMatch(/no-storage|full/);
      peer.close();
    }
    expect(signed.asked).toEqual([]);
    expect(b.peer.getSnapshot().records).toHaveLength(1);
  });

  test("two sessions never share a salt", async () => {
    const world = new World();
    const env = world.env();
    const salts = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const session = await startRps(world, env, alice);
      const { peer } = sit(env, alice, session);
      await world.until(() => peer.getSnapshot().view !== null);
      await peer.commit("rock");
    }
    for (const key of await env.store.keys("salt/")) salts.add((await env.store.get(key))!);
    expect(salts.size).toBe(2);
  });

  test("a wallet that declines the commit leaves nothing behind but the unused salt", async () => {
    const { world, session, b } = await table();
    const double = walletDouble(`0x${"a1".repeat(32)}`, "declines");
    const { peer } = sit(world.env(), double, session);
    await world.until(() => peer.getSnapshot().view !== null);
    expect(await codeOf(peer.commit("rock"))).toBe("refused");
    expect(peer.getSnapshot().moves).toMatchObject([{ stage: "signing", failed: true }]);
    expect(peer.getSnapshot().turn.busy).toBe(false);
    await world.until(() => b.peer.getSnapshot().records.length === 1);
  });
});

describe("following", () => {
  test("a thousand invented refs cause a handful of requests", async () => {
    const { world, session, a } = await table();
    const gets = vi.spyOn(world.hub, "get");
    const liar = world.broker.connect();
    for (let i = 0; i < 1000; i++)
      liar.publish(session, formatRef(i % 2 === 0 ? bob.address : `0x${"0".repeat(40)}`, i, sha256(`${i}`)));
    await world.settle();
    world.clock.advance(2_000);
    await world.settle();
    expect(gets.mock.calls.length).toBeGreaterThan(0);
    expect(gets.mock.calls.length).toBeLessThan(30);
    await a.peer.commit("rock");
    expect(a.peer.getSnapshot().state).toBe("live");
  });

  test("a Hub that fails is offline, and playing goes on when it is back", async () => {
    const world = new World();
    const inner = world.hub;
    let down = false;
    const fail = () => {
      if (down) throw new HubError("offline", "no network");
    };
    world.hub = {
      name: "flaky",
      put: async (...args) => (fail(), inner.put(...args)),
      get: async (...args) => (fail(), inner.get(...args)),
      page: async (...args) => (fail(), inner.page(...args)),
      ping: () => inner.ping(),
    };
    const env = world.env();
    const session = await startRps(world, env, alice);
    const a = sit(env, alice, session);
    const b = sit(world.env(), bob, session);
    await world.until(() => a.peer.getSnapshot().view !== null && b.peer.getSnapshot().view !== null);
    down = true;
    await a.peer.refresh();
    expect(a.peer.getSnapshot().state).toBe("offline");
    expect(a.peer.getSnapshot().notes.at(-1)!.text).toBe("no network");
    expect(await codeOf(a.peer.commit("rock"))).toBe("offline");
    down = false;
    await a.peer.refresh();
    expect(a.peer.getSnapshot().state).toBe("live");
    await a.peer.commit("rock");
    await b.peer.commit("paper");
    await world.until(() => decided(a) && decided(b));
  });

  test("an entry with hidden parents is behind and not referred to until mirrored", async () => {
    const { world, session, a, b } = await table();
    const commit = await a.peer.commit("rock");
    await world.until(() => b.peer.getSnapshot().records.length === 2);
    await b.peer.commit("paper");
    await world.settle();
    const inner = world.hub;
    const hidden = appendKey(Number(commit.split(":")[1]));
    const mirrorsToo = { yes: true };
    const hub: Hub = {
      name: "hides",
      put: (...args) => inner.put(...args),
      get: async (owner, key) => (owner === alice.address && key === hidden ? null : inner.get(owner, key)),
      page: async (owner, conversation, ...rest) =>
        (owner === alice.address || mirrorsToo.yes) && owner !== bob.address
          ? []
          : conversation.startsWith("mirror") && mirrorsToo.yes
            ? []
            : inner.page(owner, conversation, ...rest),
      ping: () => inner.ping(),
    };
    const watcher = openWatcher(world.env({ hub }), session);
    await world.until(() => watcher.getSnapshot().view?.ok === true);
    expect(watcher.getSnapshot().state).toBe("behind");
    mirrorsToo.yes = false;
    await world.until(() => watcher.getSnapshot().state === "live");
    expect(digestOf({ peer: watcher })).toBe(digestOf(b));
  });

  test("a session that is not there is behind, and is found when it comes", async () => {
    const world = new World();
    const elsewhere = world.env({ hub: new MemoryHub() });
    const session = await startRps(world, elsewhere, alice);
    const watcher = openWatcher(world.env(), session);
    await world.until(() => watcher.getSnapshot().view !== null);
    expect(watcher.getSnapshot()).toMatchObject({ state: "behind", view: { ok: false, code: "no-genesis" } });
    const bytes = await elsewhere.hub.get(alice.address, appendKey(0));
    await world.hub.put(alice, appendKey(0), bytes!);
    await world.until(() => watcher.getSnapshot().view?.ok === true);
  });

  test("snapshots stay the same until something changes", async () => {
    const { world, a } = await table();
    await world.settle();
    expect(a.peer.getSnapshot()).toBe(a.peer.getSnapshot());
    a.peer.close();
    await world.settle();
    expect(world.clock.waiting).toBeLessThan(3);
  });
});
