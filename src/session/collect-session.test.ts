// A session's records from one Hub or several, whole, damaged or withheld.

import { describe, expect, test } from "vitest";
import { utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { addressOf, Drawing, walletOf, type Name } from "../testing/build.ts";
import { FaultyHub } from "../testing/hub-faults.ts";
import { seededRandom } from "../testing/random.ts";
import { collectSession, type Collected, type CollectOptions } from "./collect-session.ts";
import { hubCode } from "../hub/hub.contract.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, mirrorKey } from "../hub/log-keys.ts";
import { MemoryHub } from "../hub/hub.memory.ts";

/*  a:  x0 -- a0(invite) ------ g -- a1(commit) ----------- a2(reveal)
 *  b:       b0(accept) ----------- b1(commit) -- bx(other) -- b2(reveal)  */
const drawing = new Drawing()
  .add("x0", "a", "note", { before: true }, { outside: true })
  .add(
    "a0",
    "a",
    "invite",
    { game: "rps", rules: {}, deadline: 13, default_outcome: { kind: "void" } },
    { outside: true },
  )
  .add("b0", "b", "accept", {}, { outside: true, sees: "a0" })
  .genesis("g", "a", "a b", { sees: "a0 b0" })
  .commit("a1", "a", "rock")
  .commit("b1", "b", "paper", { sees: "a1" })
  .add("bx", "b", "note", { other: true }, { outside: true })
  .reveal("a2", "a", "rock", { sees: "b1" })
  .reveal("b2", "b", "paper", { sees: "a2" });
const genesis = drawing.node("g");
const session = genesis.ref;
const nodes = [...drawing.nodes.values()];
const inSession = drawing.records("x0").sort();

async function stored(without = ""): Promise<MemoryHub> {
  const hub = new MemoryHub();
  for (const { name, wallet, seq, wire } of nodes)
    if (!without.split(" ").includes(name)) await hub.put(ownerOf(wallet), appendKey(seq), utf8(wire));
  return hub;
}

const ownerOf = (wallet: Address) =>
  walletOf((["a", "b"] as const).find((name) => addressOf(name) === wallet)!);

async function mirror(hub: Hub, by: Name, names: string): Promise<void> {
  for (const name of names.split(" ")) {
    const { wallet, seq, wire } = drawing.node(name);
    await hub.put(walletOf(by), mirrorKey(genesis.hash, wallet, seq), utf8(wire));
  }
}

async function collect(
  hubs: readonly Hub[],
  options?: CollectOptions,
): Promise<Collected & { readonly said: string[] }> {
  const collected = await collectSession(hubs, session, options);
  const said = collected.notes.map(({ hub, owner, what, kind, ...facts }) => {
    const rest = "error" in facts ? [facts.error.code] : Object.values(facts).map(String);
    const words = [hub, what, owner, kind, ...rest].map((word) => drawing.inNames(word) as string);
    return words.join(" ");
  });
  return { ...collected, said };
}

describe("one Hub", () => {
  test("gives the segments, the invite and the accept, and nothing before", async () => {
    const { records, said } = await collect([await stored()]);
    expect([...records].sort()).toEqual(inSession);
    expect(said).toEqual([]);
    expect(drawing.showVerdict({ records })).toEqual(drawing.showVerdict({ without: "x0" }));
  });

  /*  a:  i -- g1 -- n -- g2      b:  acc  */
  const twice = (host: "a" | "c") =>
    new Drawing()
      .add("i", "a", "invite", { game: "rps", rules: {}, deadline: 13, default_outcome: { kind: "void" } })
      .add("acc", "b", "accept", {}, { outside: true, sees: "i" })
      .genesis("g1", host, "a b", { sees: "i acc" })
      .add("n", host, "note", {}, { outside: true })
      .genesis("g2", host, "a b", { sees: "i acc" });
  test.each(["a", "c"] as const)(
    "V20: gives the creator's earlier genesis under the same accept (by %s)",
    async (host) => {
      const drawn = twice(host);
      const hub = new MemoryHub();
      for (const [name, { seq, wire }] of drawn.nodes) {
        const by = name === "acc" ? "b" : name === "i" ? "a" : host;
        await hub.put(walletOf(by), appendKey(seq), utf8(wire));
      }
      const { records } = await collectSession([hub], drawn.node("g2").ref);
      expect(records).toContain(drawn.wire("g1"));
      const view = drawn.view({ records, session: "g2" });
      expect(view.ok && view.members[1]!.joined).toBe(false);
    },
  );

  test("reports progress", async () => {
    const steps: string[] = [];
    await collect([await stored()], { onProgress: ({ done, total }) => steps.push(`${done}/${total}`) });
    expect(steps).toEqual(["1/5", "2/5", "3/5", "4/5", "5/5"]);
  });

  test("says what is missing", async () => {
    expect((await collect([await stored("g")])).said).toEqual(["memory genesis a missing g"]);
    expect((await collect([await stored("b1 b0")])).said).toEqual(["memory log b hole 0 1"]);
    expect((await collect([await stored("a0")])).said).toEqual(["memory ref a missing a0"]);
  });

  test("says when something else lies where the genesis should", async () => {
    const hub = await stored();
    await hub.put(walletOf("a"), appendKey(genesis.seq), utf8(drawing.wire("a1")));
    expect((await collect([hub])).said).toEqual(["memory genesis a other g a1"]);
    await hub.put(walletOf("a"), appendKey(genesis.seq), utf8("null"));
    expect(await collect([hub])).toMatchObject({
      said: ["memory genesis a other g null"],
      records: ["null"],
    });
  });

  test("one changed byte is given as it is, for the view to reject", async () => {
    const hub = await stored();
    const changed = drawing.wire("b1").replace('"commitment":"0x', '"commitment":"0y');
    await hub.put(walletOf("b"), appendKey(drawing.node("b1").seq), utf8(changed));
    const { records } = await collect([hub]);
    expect(records).toContain(changed);
    expect(drawing.show({ records })).toMatchObject({ rejected: "wrong-signer", gaps: "b gap@1" });
  });

  test("mirrors give what an author has deleted", async () => {
    const hub = await stored("b1 b2");
    await mirror(hub, "a", "b1 b2");
    const { records, said } = await collect([hub]);
    expect([...records].sort()).toEqual(inSession);
    expect(said).toEqual(["memory log b hole 1 1"]);
    expect(drawing.showVerdict({ records })).toEqual(drawing.showVerdict({ without: "x0" }));
  });

  test("a rewritten log and a mirror together show the fork", async () => {
    const hub = await stored("b1 b2 bx");
    await mirror(hub, "a", "b1 b2");
    drawing.commit("fork", "b", "scissors", { after: "b0", sees: "a1" });
    await hub.put(walletOf("b"), appendKey(1), utf8(drawing.wire("fork")));
    const { records } = await collect([hub]);
    expect(drawing.show({ records })).toMatchObject({ faults: "b@1" });
  });

  test("a genesis that its author has deleted is found with a witness", async () => {
    const hub = await stored("g");
    await mirror(hub, "b", "g");
    expect((await collect([hub])).records).toEqual([]);
    const { records, said } = await collect([hub], { witnesses: [addressOf("b")] });
    expect([...records].sort()).toEqual(inSession);
    expect(said).toContain("memory genesis a missing g");
  });

  test("or among the records that are already known", async () => {
    const { records } = await collect([await stored("g")], { known: [drawing.wire("g")] });
    expect([...records].sort()).toEqual(inSession);
  });
});

describe("several Hubs", () => {
  test("each gives what it has; what one lacks is said of that one", async () => {
    const hubs = [await stored("b2"), await stored("a1")].map((hub, i) => ({
      name: `hub${i}`,
      put: hub.put.bind(hub),
      get: hub.get.bind(hub),
      page: hub.page.bind(hub),
      ping: hub.ping.bind(hub),
    }));
    const { records, said } = await collect(hubs);
    expect([...records].sort()).toEqual(inSession);
    expect(said).toEqual(["hub1 log a hole 3 3"]);
  });

  test("one that is down does not stop the others", async () => {
    const down = new FaultyHub(new MemoryHub("down"));
    down.down = true;
    const { records, said } = await collect([down, await stored()]);
    expect([...records].sort()).toEqual(inSession);
    expect(new Set(said.map((text) => text.split(" ")[0]))).toEqual(new Set(["down"]));
    expect(said).toContain("down log b failed offline");
  });
});

describe("going on from an earlier reading", () => {
  test("fetches only what was written since", async () => {
    const hub = new FaultyHub(await stored("b2"));
    const first = await collect([hub]);
    const before = { ...hub.calls };
    await hub.put(walletOf("b"), appendKey(drawing.node("b2").seq), utf8(drawing.wire("b2")));
    const second = await collect([hub], { known: first.records, since: first.cursor });
    expect([...second.records].sort()).toEqual(inSession);
    // Two logs: a page with news and an empty one, or an empty one; two mirrors: an empty one. Two ends.
    expect(hub.calls.page - before.page).toBe(5);
    expect(hub.calls.get - before.get).toBe(2);
  });

  test("a reading that failed is done again", async () => {
    const hub = new FaultyHub(await stored()).next("server-error", "page");
    const first = await collect([hub]);
    expect(first.said).toContain("memory log a failed server");
    const second = await collect([hub], { known: first.records, since: first.cursor });
    expect([...second.records].sort()).toEqual(inSession);
    expect(second.said).toEqual([]);
  });
});

describe("bounds", () => {
  test("a session's records and their length are capped with a reason", async () => {
    const hub = await stored();
    const few = await collect([hub], { limits: { total: 4 } });
    expect(few.records).toHaveLength(4);
    expect(few.said.some((text) => text.endsWith("capped 4 records"))).toBe(true);
    const short = await collect([hub], { limits: { totalUnits: 3000 } });
    expect(short.records.join("").length).toBeLessThanOrEqual(3000);
    expect(short.said.some((text) => text.endsWith("capped 3000 bytes"))).toBe(true);
  });

  test("giving up is the caller's error", async () => {
    expect(await hubCode(collect([await stored()], { signal: AbortSignal.abort() }))).toBe("aborted");
  });
});

test("under random faults, reading again and again ends with the whole session", async () => {
  const rates = {
    drop: 0.1,
    "server-error": 0.1,
    withhold: 0.1,
    repeat: 0.1,
    reorder: 0.1,
    truncate: 0.1,
    foreign: 0.1,
  };
  for (let seed = 1; seed <= 20; seed++) {
    const hub = new FaultyHub(await stored(), { random: seededRandom(seed), rates });
    let known: readonly string[] = [];
    let complete = false;
    for (let round = 0; round < 200 && !complete; round++) {
      const { records } = await collectSession([hub], session, { known });
      known = records;
      complete = inSession.every((wire) => known.includes(wire));
    }
    expect(complete, `seed ${seed}`).toBe(true);
    expect(drawing.showVerdict({ records: known }), `seed ${seed}`).toEqual(
      drawing.showVerdict({ records: inSession }),
    );
    expect(hub.counts.size, `seed ${seed}`).toBeGreaterThan(2);
  }
});
