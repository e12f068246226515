// A seat of a private session: on another device, from a backup, with bodies that do not open, copies and forks.

import { describe, expect, test } from "vitest";
import { auditRecords } from "../audit/audit-records.ts";
import { domainKey, sealBody } from "../core/seal.ts";
import { parseRef, type Address, type Ref } from "../core/values.ts";
import type { Hub } from "../hub/hub.ts";
import { mirrorKey } from "../hub/log-keys.ts";
import { openDirectSession } from "../invite/direct-session.ts";
import { openLog } from "../log/log-writer.ts";
import { collectSession } from "../session/collect-session.ts";
import { World } from "../testing/builders-world.ts";
import { plainMovesIn, recordingHub } from "../testing/plain-moves.ts";
import { walletDouble } from "../testing/wallet-double.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { exportDomainKeys, findDomainKey, importDomainKeys } from "./domain-keys.ts";
import type { PeerEnvironment } from "./environment.ts";
import type { PeerSnapshot, Seat } from "./peer.ts";
import { openSeat } from "./seat.ts";

const [A, B] = [`0x${"a1".repeat(32)}`, `0x${"b2".repeat(32)}`] as const;
const [alice, bob] = [localWallet(A), localWallet(B)];

/** A private session of Alice and Bob, Alice's keys and store on `env`. */
async function begun(world: World, terms: { game: string; rules: object }, first: Wallet = alice) {
  const env = world.env();
  const bobs = world.env();
  for (const [on, wallet] of [
    [env, first],
    [bobs, bob],
  ] as const) {
    const log = openLog(on, wallet);
    await log.append(async () => ({ type: "note", body: {}, refs: [] }));
    log.close();
  }
  const session = await openDirectSession(
    env,
    openLog(env, first),
    { ...terms, rules: { ...terms.rules }, deadline: 41, default_outcome: { kind: "void" }, private: true },
    [alice.address, bob.address],
  );
  return { env, bobs, session };
}

const RPS = { game: "rps", rules: {} };
const VOTE = { game: "vote", rules: { options: ["north", "south"] } };

const sit = (env: PeerEnvironment, wallet: Wallet, session: Ref): Seat =>
  openSeat(env, { session, log: openLog(env, wallet) });
const is = (peer: Seat, what: (snapshot: PeerSnapshot) => boolean) => () => what(peer.getSnapshot());
const canRead = ({ view }: PeerSnapshot) => view?.ok === true && !view.sealed;
const isDecided = ({ verdict }: PeerSnapshot) => verdict?.ok === true && verdict.status === "decided";

async function keyIn(env: PeerEnvironment, peer: Seat): Promise<Uint8Array> {
  const { view } = peer.getSnapshot();
  if (view?.ok !== true || view.terms.domain === undefined) throw new Error("no private session");
  return (await findDomainKey(env.store, view.terms.domain.key_hash))!;
}

describe("another device", () => {
  test("a wallet that decrypts goes on with its key alone, and opens an earlier commit", async () => {
    const world = new World();
    const { env, bobs, session } = await begun(world, RPS);
    const first = sit(env, alice, session);
    const b = sit(bobs, bob, session);
    await world.until(is(first, canRead));
    await first.commit("rock");
    first.close();
    const again = sit(world.env(), alice, session);
    await world.until(is(again, canRead));
    await world.until(is(b, canRead));
    await b.commit("scissors");
    await world.until(is(again, isDecided));
    expect(again.getSnapshot().verdict).toMatchObject({ outcome: { kind: "win", winner: alice.address } });
  });

  test("an injected wallet goes on with the keys of its backup, and not without", async () => {
    const world = new World();
    const { env, session } = await begun(world, VOTE, walletDouble(A));
    const backup = await exportDomainKeys(env.store, alice.address);
    const bare = sit(world.env(), walletDouble(A), session);
    await world.until(is(bare, ({ keyProblem }) => keyProblem !== null));
    expect(bare.getSnapshot()).toMatchObject({ keyProblem: "does-not-open", turn: { owes: [] } });
    const restored = world.env();
    expect(await importDomainKeys(restored.store, alice.address, backup)).toBe(2);
    expect(await importDomainKeys(restored.store, alice.address, backup)).toBe(0);
    const seat = sit(restored, walletDouble(A), session);
    await world.until(is(seat, canRead));
    await seat.append("vote", { choice: "north" });
    expect(seat.getSnapshot().keyProblem).toBeNull();
  });

  test("a backup imported meanwhile is used at the next refresh", async () => {
    const world = new World();
    const { env, session } = await begun(world, VOTE, walletDouble(A));
    const own = world.env();
    const seat = sit(own, walletDouble(A), session);
    await world.until(is(seat, ({ keyProblem }) => keyProblem !== null));
    await importDomainKeys(own.store, alice.address, await exportDomainKeys(env.store, alice.address));
    await seat.refresh();
    await world.until(is(seat, canRead));
    expect(seat.getSnapshot().keyProblem).toBeNull();
  });

  test("a backup holds no key that is malformed, and of another's domain no right to use it again", async () => {
    const { store } = new World().env();
    const bad = [7, null, {}, { domain: "", key: "AA" }, { domain: "x", key: "AA" }, { reading_key: "0x12" }];
    expect(await importDomainKeys(store, alice.address, bad)).toBe(0);
    expect(await importDomainKeys(store, alice.address, "text")).toBe(0);
    expect(await exportDomainKeys(store, alice.address)).toEqual([]);
  });
});

test("X5: a body that does not open is flagged for both sides, and the game goes on", async () => {
  const world = new World();
  const { env, bobs, session } = await begun(world, VOTE);
  const a = sit(env, alice, session);
  const b = sit(bobs, bob, session);
  await world.until(() => canRead(a.getSnapshot()) && canRead(b.getSnapshot()));
  const key = await keyIn(env, a);
  const elsewhere = { session, wallet: alice.address, seq: 77, type: "vote" };
  const bad = await openLog(env, alice).append(async () => ({
    type: "vote",
    body: sealBody(key, elsewhere, { choice: "north" }, new Uint8Array(12)),
    refs: [session],
  }));
  await world.until(is(b, ({ view }) => view?.ok === true && view.order.length === 1));
  await b.append("vote", { choice: "south" });
  await world.until(is(a, ({ view }) => view?.ok === true && view.order.length === 2));
  await a.append("vote", { choice: "north" });
  for (const peer of [a, b]) await world.until(is(peer, isDecided));
  for (const peer of [a, b])
    expect(peer.getSnapshot().verdict).toMatchObject({
      flags: [
        { ref: bad.ref, code: "unopened" },
        { ref: bad.ref, code: "bad-vote" },
      ],
      outcome: { kind: "tie" },
    });
});

/** A Hub that has lost a wallet's own log. */
function without(inner: Hub, wallet: Address): Hub {
  return {
    name: "lost",
    put: (...args) => inner.put(...args),
    get: async (owner, key, ...rest) =>
      owner === wallet && key.startsWith("coop1") ? null : inner.get(owner, key, ...rest),
    page: async (owner, conversation, ...rest) =>
      owner === wallet && conversation === "coop1" ? [] : inner.page(owner, conversation, ...rest),
    ping: () => inner.ping(),
  };
}

test("the copies of sealed entries are enough for a verdict, and show nothing", async () => {
  const world = new World();
  const { hub, written } = recordingHub(world.hub);
  world.hub = hub;
  const { env, bobs, session } = await begun(world, VOTE);
  const a = sit(env, alice, session);
  const b = sit(bobs, bob, session);
  await world.until(() => canRead(a.getSnapshot()) && canRead(b.getSnapshot()));
  const key = domainKey(await keyIn(env, a));
  await a.append("vote", { choice: "north" });
  await world.until(is(b, ({ view }) => view?.ok === true && view.order.length === 1));
  await b.append("vote", { choice: "north" });
  await world.until(is(b, isDecided));
  const lost = without(world.hub, alice.address);
  const { records } = await collectSession([lost], session, { witnesses: [bob.address] });
  const audit = await auditRecords(records, session, env.verifier, { domain: key });
  expect(audit.verdict).toMatchObject({ ok: true, outcome: { kind: "elected", choice: "north" } });
  expect(plainMovesIn(written.filter((text) => !text.includes('"note"')))).toEqual([]);
});

test("V3: a fork in a private session is reported unsealed, and counts without the key", async () => {
  const world = new World();
  const { hub, written } = recordingHub(world.hub);
  world.hub = hub;
  const { env, bobs, session } = await begun(world, VOTE);
  const a = sit(env, alice, session);
  await world.until(is(a, canRead));
  const key = await keyIn(env, a);
  const double = world.env();
  const twice = async (on: PeerEnvironment, choice: string, byte: number) => {
    const log = openLog(on, bob);
    const place = { session, wallet: bob.address, seq: 1, type: "vote" };
    const body = sealBody(key, place, { choice }, new Uint8Array(12).fill(byte));
    const entry = await log.append(async () => ({ type: "vote", body, refs: [session] }));
    log.close();
    return entry;
  };
  await twice(bobs, "north", 1);
  await world.until(is(a, ({ view }) => view?.ok === true && view.order.length === 1));
  // The same seq once more, on a Hub that has not got the first.
  const other = new World();
  const [note] = await world.hub.page(bob.address, "coop1", 0, 1);
  await other.hub.put(bob, "coop1_00000000000000000000", new TextEncoder().encode(note));
  const fork = await twice({ ...double, hub: other.hub, store: other.env().store }, "south", 2);
  const copy = mirrorKey(parseRef(session)!.hash, bob.address, 1);
  await world.hub.put(bob, copy, new TextEncoder().encode(fork.wire));
  a.close();
  const again = sit(env, alice, session); // reads everything, copies included
  const isReported = ({ view }: PeerSnapshot) =>
    view?.ok === true && view.order.some(({ entry }) => entry.type === "evidence");
  await world.until(is(again, isReported));
  const { records } = await collectSession([without(world.hub, bob.address)], session);
  for (const domain of [domainKey(key), undefined]) {
    const { view } = await auditRecords(records, session, env.verifier, { domain });
    expect(view.ok && view.members.map(({ fault }) => fault?.seq ?? null)).toEqual([null, 1]);
  }
  expect(plainMovesIn(written.filter((text) => !text.includes('"note"')))).toEqual([]);
});
