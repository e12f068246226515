// Which genesis a guest takes for the session that it has accepted, and what it says of any other.

import { describe, expect, test } from "vitest";
import type { Candidate } from "../core/entry.ts";
import { addressOf, Drawing, type GenesisOptions } from "../testing/build.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { openLog } from "../log/log-writer.ts";
import type { Offer } from "./invite.ts";
import { checkGenesis, offerProblem, readOffer } from "./invite-entries.ts";
import { hostInvite } from "./invite-host.ts";
import { joinInvite } from "./invite-guest.ts";

const OFFER = { game: "rps", rules: {}, deadline: 13, default_outcome: { kind: "void" }, seats: 2 };
const DOMAIN = { id: "d", key_hash: `0x${"1".repeat(64)}`, keys: {} };

/** What a guest b says of a genesis by a: "ok", or what is wrong. */
function judged(players: string, options: GenesisOptions = {}, offer: object = {}, isSpent = false): string {
  const drawing = new Drawing()
    .add("i", "a", "invite", { ...OFFER, ...offer })
    .add("acc", "b", "accept", {}, { outside: true, sees: "i" })
    .add("later", "b", "note", {}, { outside: true })
    .genesis("g", "a", players, { sees: "i acc", ...options });
  const entry = (name: string) => drawing.node(name) as unknown as Candidate;
  const guest = { wallet: addressOf("b"), accept: drawing.node("acc").ref };
  const check = checkGenesis(entry("g"), entry("i"), guest, isSpent);
  return check === undefined ? "unrelated" : check.ok ? "ok" : check.error;
}

describe("S14: the genesis that a guest takes", () => {
  test("S14: the offered terms and seats", () => {
    expect(judged("a b")).toBe("ok");
    expect(judged("a b", { sees: "acc" })).toBe("unrelated");
    expect(judged("a b", { deadline: 14 })).toMatch("other terms");
    expect(judged("a c")).toMatch("somebody else");
    expect(judged("a b", { sees: "i" })).toMatch("somebody else");
  });
  test("S14: a host that pins an entry after the accept does not lock the guest out and win", () =>
    expect(judged("a b", { sees: "i acc later" })).toMatch("after your accept"));
  test("S14: a second genesis under one accept is refused", () =>
    expect(judged("a b", {}, {}, true)).toMatch("second session"));
  test("S14: a genesis that cannot be played is refused", () =>
    expect(judged("a b c", {}, { seats: 3 })).toMatch("cannot be played: participants: two participants"));
  test("S14: seats added by the host are refused", () => {
    const rules = { by: "highest" };
    expect(judged("a b c d", { game: "compare", rules }, { game: "compare", rules })).toMatch(
      "4 seats and offered 2",
    );
  });
  test("S14: a domain exactly if the invite was private", () => {
    expect(judged("a b", { body: { domain: DOMAIN } })).toMatch("offered an open one");
    expect(judged("a b", {}, { private: true })).toMatch("offered a private one");
    expect(judged("a b", { body: { domain: DOMAIN } }, { private: true })).toBe("ok");
  });
});

describe("S9: the invite", () => {
  const read = (offer: object) =>
    readOffer(
      new Drawing().add("i", "a", "invite", { ...OFFER, ...offer }).node("i") as unknown as Candidate,
    );
  test("S9: seats are an integer from 2 to 128, and private is true", () => {
    expect(read({ seats: 128, name: "Ada", private: true })).toMatchObject({ seats: 128, private: true });
    for (const bad of [{ seats: 1 }, { seats: 129 }, { seats: "2" }, { private: false }])
      expect(read(bad)).toBeUndefined();
  });
});

describe("a guest that waits", () => {
  const alice = localWallet(`0x${"a1".repeat(32)}`);
  const bob = localWallet(`0x${"b2".repeat(32)}`);
  const { seats, ...terms } = OFFER;
  const body = { ...terms, protocol: "coop/1", participants: [alice.address, bob.address] };

  async function waiting(world: World) {
    const env = world.env();
    const log = openLog(env, alice);
    const invite = await log.append(async () => ({ type: "invite", body: { ...terms, seats }, refs: [] }));
    const theirs = world.env();
    const joining = joinInvite(theirs, openLog(theirs, bob), invite.ref);
    await world.until(() => joining.getSnapshot().stage === "offered");
    const accept = await joining.accept();
    const start = (change: object, refs = [accept, invite.ref].sort()) =>
      log.append(async () => ({ type: "genesis", body: { ...body, ...change }, refs }));
    return { joining, invite: invite.ref, start };
  }

  test("S14: says what is wrong with one genesis and takes the right one that follows", async () => {
    const world = new World();
    const { joining, invite, start } = await waiting(world);
    await start({}, [invite]);
    await world.until(() => joining.getSnapshot().problem?.includes("somebody else") === true);
    expect(joining.getSnapshot()).toMatchObject({ stage: "waiting", session: null, elsewhere: true });
    const right = await start({});
    await world.until(() => joining.getSnapshot().stage === "started");
    expect(joining.getSnapshot()).toMatchObject({ session: right.ref, elsewhere: false, problem: null });
  });

  test("S14: takes no second genesis under the accept of an earlier one", async () => {
    const world = new World();
    const { joining, start } = await waiting(world);
    await start({ deadline: 14 });
    await start({});
    await world.until(() => joining.getSnapshot().problem?.includes("second session") === true);
    expect(joining.getSnapshot()).toMatchObject({ stage: "waiting", session: null });
  });
});

describe("an invite that can never start", () => {
  const alice = localWallet(`0x${"a1".repeat(32)}`);
  const bob = localWallet(`0x${"b2".repeat(32)}`);
  const COMPARE: Offer = { game: "compare", rules: {}, deadline: 9, default_outcome: { kind: "void" } };
  const why = "by: highest, lowest, closest, match";

  test("S9: compare with empty rules is refused before anything is signed", async () => {
    const world = new World();
    const env = world.env();
    const hosting = hostInvite(env, openLog(env, alice), COMPARE, { players: 2, hostPlays: true });
    await world.until(() => hosting.getSnapshot().stage === "failed");
    expect(hosting.getSnapshot()).toMatchObject({
      invite: null,
      problem: expect.stringContaining(why) as string,
    });
    expect(offerProblem({ ...COMPARE, rules: { by: "highest" } }, alice.address, 2)).toBeUndefined();
  });

  test("S14: a guest refuses it with the reason", async () => {
    const world = new World();
    const env = world.env();
    const { rules, ...rest } = COMPARE;
    const body = { ...rest, rules, default_outcome: { kind: "void" }, seats: 2 };
    const invite = await openLog(env, alice).append(async () => ({ type: "invite", body, refs: [] }));
    const joining = joinInvite(env, openLog(env, bob), invite.ref);
    await world.until(() => joining.getSnapshot().stage === "failed");
    expect(joining.getSnapshot().problem).toContain(why);
  });
});
