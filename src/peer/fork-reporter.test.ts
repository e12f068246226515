// A fork that the Hub shows half of to each side: who finds both halves reports it, once, where the entry can be spared.

import { describe, expect, test } from "vitest";
import { collectSession } from "../session/collect-session.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey } from "../hub/log-keys.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import { fromUtf8 } from "../core/bytes.ts";
import type { Ref } from "../core/values.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { openSeat } from "./seat.ts";
import { openLog } from "../log/log-writer.ts";
import type { Seat } from "./peer.ts";
import { playSeat } from "../bot/seat-player.ts";

const [alice, bob, carol] = ["a1", "b2", "c3"].map((byte) => localWallet(`0x${byte.repeat(32)}`)) as [
  LocalWallet,
  LocalWallet,
  LocalWallet,
];

/** Shows one wallet's log as another Hub has it, and everything else as it is. */
function showing(inner: Hub, wallet: string, other: Hub): Hub {
  return {
    name: "two faces",
    put: (...args) => inner.put(...args),
    get: (owner, ...rest) => (owner === wallet ? other : inner).get(owner, ...rest),
    page: (owner, conversation, ...rest) =>
      (owner === wallet && conversation.startsWith("coop1") ? other : inner).page(
        owner,
        conversation,
        ...rest,
      ),
    ping: () => inner.ping(),
  };
}

/** Bob votes twice at one place; Alice and Carol are each shown another vote. `deadline` sets the share. */
async function forked(deadline: number, wallet: Wallet = alice) {
  const world = new World();
  const hidden = new MemoryHub();
  const env = world.env();
  const genesis = await openLog(env, alice).append(async () => ({
    type: "genesis",
    refs: [],
    body: {
      protocol: "coop/1",
      game: "vote",
      rules: { options: ["x", "y"] },
      participants: [alice.address, bob.address, carol.address],
      deadline,
      default_outcome: { kind: "void" },
    },
  }));
  const session = genesis.ref;
  const vote = async (hub: Hub, choice: string) => {
    const log = openLog(world.env({ hub }), bob);
    await log.append(async () => ({ type: "vote", refs: [session], body: { choice } }));
    log.close();
  };
  await vote(world.hub, "x");
  await vote(showing(hidden, bob.address, hidden), "y");
  const sit = (hub: Hub, by: Wallet, own = world.env({ hub })) => {
    const log = openLog(own, by);
    return { env: own, log, peer: openSeat(own, { session, log }) };
  };
  const a = sit(world.hub, wallet, { ...env });
  const c = sit(showing(world.hub, bob.address, hidden), carol);
  await world.until(() => [a, c].every(({ peer }) => peer.getSnapshot().records.length === 2));
  return { world, session, a, c };
}

const evidenceOf = (peer: Seat): readonly Ref[] => {
  const { view } = peer.getSnapshot();
  return view?.ok === true
    ? view.order.filter(({ entry }) => entry.type === "evidence").map(({ ref }) => ref)
    : [];
};

describe("a fork within the session", () => {
  test("is reported once, by itself, and then anybody can prove it from one log alone", async () => {
    const { world, session, a, c } = await forked(31);
    await c.peer.append("vote", { choice: "x" });
    await world.until(() => evidenceOf(a.peer).length > 0 && evidenceOf(c.peer).length > 0);
    await world.until(() => a.peer.getSnapshot().turn.unreportedForks.length === 0);
    world.clock.advance(60_000);
    await world.settle();
    expect(evidenceOf(a.peer)).toHaveLength(1);
    // Both versions are there for whoever reads the session, though Bob's log shows neither.
    const { records } = await collectSession([showing(world.hub, bob.address, new MemoryHub())], session);
    expect(records.filter((record) => record.includes('"type":"evidence"'))).toHaveLength(1);
  });

  test("costs no entry that may still be needed: then it is offered, and an act of one's own", async () => {
    // Two entries each: a vote, and one more.
    const { world, a, c } = await forked(7);
    await c.peer.append("vote", { choice: "x" });
    await world.until(() => a.peer.getSnapshot().turn.unreportedForks.length > 0);
    await a.peer.append("vote", { choice: "x" });
    await world.until(() => a.peer.getSnapshot().verdict?.ok === true);
    const { turn } = a.peer.getSnapshot();
    expect(turn).toMatchObject({ unreportedForks: [bob.address] });
    const [first, second] = await Promise.all([a.peer.reportFork(), a.peer.reportFork()]);
    expect(first).toBe(second);
    await world.until(() => a.peer.getSnapshot().turn.unreportedForks.length === 0);
    await expect(a.peer.reportFork()).rejects.toMatchObject({ code: "nothing-to-prove" });
    expect(a.peer.getSnapshot().turn.left).toBe(0);
  });

  test("a person's wallet is not asked unbidden", async () => {
    const asked: string[] = [];
    const injected: Wallet = {
      address: alice.address,
      kind: "injected",
      onChange: () => () => undefined,
      signText: (text) => (asked.push(text), alice.signText(text)),
    };
    const { world, a, c } = await forked(31, injected);
    await c.peer.append("vote", { choice: "x" });
    await world.until(() => a.peer.getSnapshot().turn.unreportedForks.length > 0);
    world.clock.advance(60_000);
    await world.settle();
    expect(asked).toEqual([]);
    await a.peer.reportFork();
    expect(asked.filter((text) => text.includes("equivocation"))).toHaveLength(1);
  });

  test("a program reports a fork before it leaves the table", async () => {
    const { world, session, a, c } = await forked(7);
    a.peer.close();
    await c.peer.append("vote", { choice: "x" });
    const seat = playSeat(a.env, {
      session,
      log: a.log,
      strategy: () => ({ kind: "append", type: "vote", body: { choice: "y" } }),
    });
    let decided = false;
    void seat.decided.then(() => (decided = true));
    await world.until(() => decided);
    expect(evidenceOf(seat.peer).length).toBeGreaterThan(0);
    seat.close();
    const last = await world.hub.get(alice.address, appendKey(2));
    expect(fromUtf8(last!)).toContain("equivocation");
  });
});
