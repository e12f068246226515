// Private sessions from invite to verdict, for every game: nothing of a move in plain text, the same verdict for all who
// hold the key, none for the rest; reading keys, named domains, and keys that are wrong.

import { describe, expect, test } from "vitest";
import { auditRecords } from "../audit/audit-records.ts";
import { playSeat } from "../bot/seat-player.ts";
import { randomStrategy } from "../bot/strategy.ts";
import { own, type JsonObject } from "../core/canonical.ts";
import type { Candidate } from "../core/entry.ts";
import { domainKey } from "../core/seal.ts";
import type { DomainKey } from "../core/sealed.ts";
import { readTerms, type Domain } from "../core/session.ts";
import type { Ref } from "../core/values.ts";
import type { Verdict } from "../games/game.ts";
import { openLog, type LogWriter } from "../log/log-writer.ts";
import { openDomain } from "../peer/domain-keys.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { openSeat } from "../peer/seat.ts";
import { openWatcher } from "../peer/watcher.ts";
import { collectSession } from "../session/collect-session.ts";
import { World } from "../testing/builders-world.ts";
import { plainMovesIn, recordingHub } from "../testing/plain-moves.ts";
import { walletDouble } from "../testing/wallet-double.ts";
import { openSealed, sealTo } from "../wallet/ecies.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { openDirectSession } from "./direct-session.ts";
import type { Offer } from "./invite.ts";
import { fetchEntry } from "./invite-entries.ts";
import { joinInvite } from "./invite-guest.ts";
import { hostInvite, resumeHost, type HostOptions } from "./invite-host.ts";

const [A, B] = [`0x${"a1".repeat(32)}`, `0x${"b2".repeat(32)}`] as const;
const alice = localWallet(A);
const bob = localWallet(B);

const offer = (game: string, rules: JsonObject): Offer => ({
  game,
  rules,
  deadline: 61,
  default_outcome: { kind: "void" },
  private: true,
});
const RPS = offer("rps", { best_of: 3 });

interface Side {
  readonly env: PeerEnvironment;
  readonly log: LogWriter;
}

interface Begun {
  readonly session: Ref;
  readonly genesis: Candidate;
  readonly domain: Domain;
  readonly host: Side;
  readonly guest: Side;
}

const sideOf = (world: World, wallet: Wallet): Side => {
  const env = world.env();
  return { env, log: openLog(env, wallet) };
};

/** Host and guest come together by an invite. */
async function begin(
  world: World,
  terms: Offer = RPS,
  wallets: readonly [Wallet, Wallet] = [alice, bob],
  options: Partial<HostOptions> = {},
  host: Side = sideOf(world, wallets[0]),
): Promise<Begun> {
  const guest = sideOf(world, wallets[1]);
  const hosting = hostInvite(host.env, host.log, terms, { players: 2, hostPlays: true, ...options });
  await world.until(() => hosting.getSnapshot().stage === "open");
  const joining = joinInvite(guest.env, guest.log, hosting.getSnapshot().invite!);
  await world.until(() => joining.getSnapshot().stage === "offered");
  await joining.accept();
  await world.until(() => joining.getSnapshot().stage === "started");
  const session = joining.getSnapshot().session!;
  const genesis = (await fetchEntry(world.hub, session))!;
  const read = readTerms(genesis);
  if (!read.ok || read.value.domain === undefined) throw new Error("no domain");
  hosting.close();
  joining.close();
  return { session, genesis, domain: read.value.domain, host, guest };
}

async function keyOf({ host, domain }: Pick<Begun, "host" | "domain">): Promise<DomainKey> {
  const opened = await openDomain(host.env.store, host.log.wallet, domain);
  if (!opened.ok) throw new Error(opened.error);
  return domainKey(opened.value);
}

/** Both sides play at random until the verdict. */
async function playOut(world: World, session: Ref, sides: readonly Side[]): Promise<Verdict[]> {
  const players = sides.map(({ env, log }) =>
    playSeat(env, { session, log, strategy: randomStrategy(env.random) }),
  );
  const verdicts: Verdict[] = [];
  for (const { decided } of players) void decided.then((verdict) => verdicts.push(verdict));
  await world.until(() => verdicts.length === sides.length);
  for (const player of players) player.close();
  return verdicts;
}

/** The verdict of one who reads the Hub alone. */
async function audited(world: World, session: Ref, domain?: DomainKey) {
  const { records } = await collectSession([world.hub], session);
  const { view, verdict } = await auditRecords(records, session, world.env().verifier, { domain });
  return { view, verdict, records };
}

const digestOf = (verdict: Verdict | null) => (verdict?.ok === true ? verdict.digest : verdict?.code);

describe("a private session, played", () => {
  const games: readonly [string, JsonObject][] = [
    ["rps", { best_of: 3 }],
    ["vote", { options: ["north", "south"] }],
    ["vote", { options: ["north", "south"], ballot: "secret" }],
    ["auction", { kind: "first-price", reserve: "5" }],
    ["auction", { kind: "english", reserve: "5" }],
    ["compare", { by: "match" }],
  ];
  test.each(games)(
    "X3, X4: %s %j: no move in plain text, one verdict with the key, none without",
    async (game, rules) => {
      const world = new World();
      const { hub, written } = recordingHub(world.hub);
      world.hub = hub;
      const begun = await begin(world, offer(game, rules), [alice, walletDouble(B)]);
      const verdicts = await playOut(world, begun.session, [begun.host, begun.guest]);
      const open = await audited(world, begun.session, await keyOf(begun));
      const closed = await audited(world, begun.session);
      if (!open.view?.ok || !closed.view?.ok) throw new Error("no view");
      expect(open.verdict).toMatchObject({ ok: true, status: "decided" });
      expect(verdicts.map(digestOf)).toEqual([digestOf(open.verdict), digestOf(open.verdict)]);
      expect(open.view.order.filter(({ unopened }) => unopened)).toEqual([]);
      expect(closed.verdict).toEqual({ ok: false, code: "sealed" });
      expect(closed.view.order.map(({ ref }) => ref)).toEqual(open.view.order.map(({ ref }) => ref));
      expect(closed.view.members.map(({ used }) => used)).toEqual(open.view.members.map(({ used }) => used));
      expect(written.length).toBeGreaterThan(open.view.order.length);
      expect(plainMovesIn(written)).toEqual([]);
      // As a control: the search finds what is in these moves.
      expect(plainMovesIn([JSON.stringify({ type: "x", body: open.view.order[0]!.body })])).toHaveLength(1);
    },
  );

  test("X3: each body has a nonce of its own", async () => {
    const world = new World();
    const { session, host, guest } = await begin(world);
    await playOut(world, session, [host, guest]);
    const { view } = await audited(world, session);
    if (!view?.ok) throw new Error("no view");
    const nonces = view.order.map(({ entry }) => JSON.stringify(own(entry.body, "sealed")).slice(0, 17));
    expect(nonces.length).toBeGreaterThanOrEqual(4);
    expect(new Set(nonces).size).toBe(nonces.length);
  });

  test("a watcher with the link's key sees the moves, one without is told why not", async () => {
    const world = new World();
    const begun = await begin(world);
    const key = await keyOf(begun);
    await playOut(world, begun.session, [begun.host, begun.guest]);
    const withKey = openWatcher(world.env(), begun.session, key);
    const without = openWatcher(world.env(), begun.session);
    await world.until(() => [withKey, without].every((one) => one.getSnapshot().view?.ok === true));
    expect(withKey.getSnapshot()).toMatchObject({ keyProblem: null, verdict: { status: "decided" } });
    expect(without.getSnapshot()).toMatchObject({ keyProblem: "no-key", verdict: { code: "sealed" } });
  });

  test("X2: the key of another session opens nothing", async () => {
    const world = new World();
    const [one, other] = [await begin(world), await begin(world)];
    const watcher = openWatcher(world.env(), one.session, await keyOf(other));
    await world.until(() => watcher.getSnapshot().view !== null);
    expect(watcher.getSnapshot()).toMatchObject({ view: { ok: false, code: "bad-key" }, verdict: null });
  });
});

describe("to whom the key is sealed", () => {
  test("X7: to the wallet's own key, which any entry gives", async () => {
    const { domain, guest, genesis } = await begin(new World());
    expect(Object.keys(domain.keys).sort()).toEqual([alice.address, bob.address].sort());
    expect(openSealed(A, bytesOf(domain.keys[alice.address]!))).toHaveLength(32);
    expect(openSealed(B, bytesOf(domain.keys[bob.address]!))).toHaveLength(32);
    const accept = await fetchEntry(
      guest.env.hub,
      genesis.refs.find((ref) => ref.startsWith(bob.address))!,
    );
    expect(accept?.body).toEqual({});
  });

  test("X7: a wallet that signs and does not decrypt gives a reading key, and reads by that alone", async () => {
    const world = new World();
    const { domain, guest, genesis } = await begin(world, RPS, [alice, walletDouble(B)]);
    const accept = await fetchEntry(
      world.hub,
      genesis.refs.find((ref) => ref.startsWith(bob.address))!,
    );
    expect(own(accept!.body, "reading_key")).toMatch(/^0x0[23][0-9a-f]{64}$/);
    expect(openSealed(B, bytesOf(domain.keys[bob.address]!))).toBeUndefined();
    expect(await openDomain(guest.env.store, guest.log.wallet, domain)).toMatchObject({ ok: true });
    expect(await openDomain(world.env().store, guest.log.wallet, domain)).toEqual({
      ok: false,
      error: "does-not-open",
    });
  });

  test("X7: a host that does not decrypt reads by a key of its own beside its wallet's", async () => {
    const world = new World();
    const { domain, host, session } = await begin(world, RPS, [walletDouble(A), bob]);
    expect(Object.keys(domain.keys)).toHaveLength(3);
    expect(openSealed(A, bytesOf(domain.keys[alice.address]!))).toHaveLength(32);
    // The reading key alone opens it: what was kept of K_d itself is gone.
    for (const path of await host.env.store.keys("domain/")) await host.env.store.remove(path);
    const seat = openSeat(host.env, { session, log: host.log });
    await world.until(() => seat.getSnapshot().view?.ok === true);
    expect(seat.getSnapshot()).toMatchObject({ keyProblem: null, verdict: { status: "pending" } });
  });

  test("S14: an accept whose reading key is none is not taken", async () => {
    const world = new World();
    const host = sideOf(world, alice);
    const hosting = hostInvite(host.env, host.log, RPS, { players: 2, hostPlays: true });
    await world.until(() => hosting.getSnapshot().stage === "open");
    const { invite } = hosting.getSnapshot();
    const accept = await sideOf(world, bob).log.append(async () => ({
      type: "accept",
      body: { reading_key: `0x02${"f".repeat(64)}` },
      refs: [invite!],
    }));
    expect(await hosting.offerAccept(accept.ref)).toBe(false);
    expect(hosting.getSnapshot()).toMatchObject({ stage: "open", guests: [] });
    expect(hosting.getSnapshot().problem).toContain("reading_key");
  });

  test("more participants than a genesis has room for are refused before anything is signed", async () => {
    const world = new World();
    const double = walletDouble(A);
    const { env, log } = sideOf(world, double);
    const hosting = hostInvite(
      env,
      log,
      { ...offer("compare", { by: "highest" }), deadline: 200 },
      {
        players: 64,
        hostPlays: true,
      },
    );
    await world.until(() => hosting.getSnapshot().stage === "failed");
    expect(hosting.getSnapshot().problem).toContain("fewer than 64");
    expect(double.asked).toEqual([]);
  });
});

describe("domains", () => {
  test("X8: each private session has a key of its own, unless a named domain is chosen again", async () => {
    const world = new World();
    const host = sideOf(world, alice);
    const named = { domain: "team:engineering" };
    const hashes: string[] = [];
    for (const options of [{}, {}, named, named]) {
      const { domain } = await begin(world, RPS, [alice, bob], options, host);
      hashes.push(domain.key_hash);
      expect(domain.id === "team:engineering").toBe(options === named);
    }
    expect(new Set(hashes).size).toBe(3);
    expect(hashes[2]).toBe(hashes[3]);
  });

  test("X8: a stranger's domain of the same name does not lend its key", async () => {
    const world = new World();
    const named = { domain: "team:engineering" };
    const theirs = await begin(world, RPS, [alice, bob], named);
    const ours = await begin(world, RPS, [bob, alice], named, theirs.guest);
    expect(ours.domain.id).toBe(theirs.domain.id);
    expect(ours.domain.key_hash).not.toBe(theirs.domain.key_hash);
  });

  test("a host that comes back keeps the name of the domain", async () => {
    const world = new World();
    const { env, log } = sideOf(world, alice);
    const options = { players: 2, hostPlays: true, domain: "team:engineering" };
    const first = hostInvite(env, log, RPS, options);
    await world.until(() => first.getSnapshot().stage === "open");
    first.close();
    const invite = first.getSnapshot().invite!;
    const again = resumeHost(env, log, invite);
    const guest = sideOf(world, bob);
    const joining = joinInvite(guest.env, guest.log, invite);
    await world.until(() => joining.getSnapshot().stage === "offered");
    await joining.accept();
    await world.until(() => joining.getSnapshot().stage === "started");
    const read = readTerms((await fetchEntry(world.hub, again.getSnapshot().session!))!);
    expect(read).toMatchObject({ value: { domain: { id: "team:engineering" } } });
  });

  test("known wallets need no invite: the key goes to those who have signed something", async () => {
    const world = new World();
    const [a, b] = [sideOf(world, alice), sideOf(world, bob)];
    const open = () => openDirectSession(a.env, a.log, RPS, [alice.address, bob.address], "club");
    await expect(open()).rejects.toThrow(`${bob.address} has signed nothing yet`);
    await b.log.append(async () => ({ type: "note", body: {}, refs: [] }));
    const session = await open();
    const [first, second] = await playOut(world, session, [a, b]);
    expect(first).toMatchObject({ ok: true, status: "decided" });
    expect(digestOf(first!)).toBe(digestOf(second!));
  });
});

describe("keys that are wrong", () => {
  /** The host changes what is sealed to the guest; the guest has accepted. */
  async function cheated(change: (domain: Domain) => Domain) {
    const world = new World();
    const host = sideOf(world, alice);
    const guest = sideOf(world, bob);
    const { private: isPrivate, ...terms } = RPS;
    const body = { ...terms, default_outcome: { kind: "void" }, private: isPrivate!, seats: 2 };
    const invite = await host.log.append(async () => ({ type: "invite", body, refs: [] }));
    const joining = joinInvite(guest.env, guest.log, invite.ref);
    await world.until(() => joining.getSnapshot().stage === "offered");
    const accept = await joining.accept();
    const { makeDomain } = await import("./private-domain.ts");
    const participants = [alice.address, bob.address];
    const domain = await makeDomain(host.env, host.log, { participants, entries: [invite.ref, accept] });
    const genesis = await host.log.append(async () => ({
      type: "genesis",
      body: {
        ...terms,
        default_outcome: { kind: "void" },
        protocol: "coop/1",
        participants,
        domain: { ...change(domain) },
      },
      refs: [invite.ref, accept],
    }));
    await world.until(() => joining.getSnapshot().problem !== null);
    const seat = openSeat(guest.env, { session: genesis.ref, log: guest.log });
    await world.until(() => seat.getSnapshot().keyProblem !== null);
    return { joining: joining.getSnapshot(), seat };
  }

  test.each<[string, string, string, (domain: Domain) => Domain]>([
    [
      "another key",
      "wrong-key",
      "sealed a wrong key to you",
      (domain) => ({
        ...domain,
        keys: { ...domain.keys, [bob.address]: hexOf(sealTo(bob.publicKey!, new Uint8Array(32).fill(9))) },
      }),
    ],
    [
      "a key for somebody else",
      "does-not-open",
      "does not open",
      (domain) => ({
        ...domain,
        keys: { ...domain.keys, [bob.address]: domain.keys[alice.address]! },
      }),
    ],
    [
      "no key",
      "not-sealed",
      "did not seal the key",
      (domain) => ({
        ...domain,
        keys: { [alice.address]: domain.keys[alice.address]! },
      }),
    ],
  ])(
    "X7: a genesis that seals %s to a player: that player says so and does not play",
    async (_what, code, text, change) => {
      const { joining, seat } = await cheated(change);
      expect(joining).toMatchObject({ stage: "waiting", session: null, elsewhere: true });
      expect(joining.problem).toContain(text);
      expect(seat.getSnapshot()).toMatchObject({ keyProblem: code, turn: { owes: [] } });
      expect(seat.getSnapshot().notes.some((note) => note.text.includes(text))).toBe(true);
      await expect(seat.commit("rock")).rejects.toMatchObject({ code: "no-key" });
      await expect(seat.tick()).rejects.toMatchObject({ code: "no-key" });
    },
  );
});

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.slice(2), "hex"));
const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
