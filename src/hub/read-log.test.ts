// Reading a log from Hubs that repeat, mix in, leave out and fail, as section 7 of the protocol says they do.

import { describe, expect, test } from "vitest";
import { utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { Drawing, walletOf } from "../testing/build.ts";
import { FaultyHub } from "../testing/hub-faults.ts";
import { HubError } from "./hub-error.ts";
import { hubCode } from "./hub.contract.ts";
import type { Hub } from "./hub.ts";
import { appendKey, claimOf } from "./log-keys.ts";
import { MemoryHub } from "./hub.memory.ts";
import { readingFrom, readLog, type ReadLogOptions } from "./read-log.ts";

const a = walletOf("a");
const drawing = new Drawing();
for (let i = 0; i < 10; i++) drawing.add(`e${i}`, "a", "note", { i });
const entries = [...drawing.nodes.values()];
const wires = entries.map(({ wire }) => wire);

async function stored(seqs: readonly number[] = entries.map(({ seq }) => seq)): Promise<MemoryHub> {
  const hub = new MemoryHub();
  for (const seq of seqs) await hub.put(a, appendKey(seq), utf8(wires[seq]!));
  return hub;
}

async function read(hub: Hub, options: ReadLogOptions = {}) {
  const reading = options.reading ?? readingFrom(options.fromSeq ?? 0);
  const found: string[] = [];
  for await (const { record } of readLog(hub, a.address, { ...options, reading })) found.push(record);
  const notes = reading.notes.map(({ kind, ...facts }) =>
    "error" in facts ? `${kind} ${facts.error.code}` : [kind, ...Object.values(facts)].join(" "),
  );
  return { found, notes, reading };
}

const gone = (hub: Hub, seqs: readonly number[], over: Partial<Hub> = {}): Hub => ({
  name: hub.name,
  put: (...of) => hub.put(...of),
  ping: (...of) => hub.ping(...of),
  get: async (owner, key) => (seqs.some((seq) => key === appendKey(seq)) ? null : hub.get(owner, key)),
  page: async (...of) => (await hub.page(...of)).filter((text) => !seqs.includes(claimOf(text)?.seq ?? -1)),
  ...over,
});

describe("the whole log", () => {
  test.each([0, 1, 4, 5, 9, 10])("of %i entries, four a page", async (count) => {
    const hub = new FaultyHub(await stored(entries.slice(0, count).map(({ seq }) => seq)));
    expect(await read(hub, { pageLength: 4 })).toMatchObject({ found: wires.slice(0, count), notes: [] });
    expect(hub.calls.get).toBe(1); // nothing is under the next key
  });

  test("from a seq on: the offset skips no entry", async () => {
    expect(await read(await stored(), { fromSeq: 7, pageLength: 2 })).toMatchObject({
      found: wires.slice(7),
      notes: [],
    });
    expect((await read(await stored(), { fromSeq: 10 })).found).toEqual([]);
  });

  test("with keys written twice: the repeated are said", async () => {
    const hub = await stored([0, 0, 1, 1, 1, 2, 3, 4]);
    const { found, notes } = await read(hub, { fromSeq: 2, pageLength: 2 });
    expect(found).toEqual(wires.slice(2, 5));
    expect(notes).toEqual(["repeated 2", "foreign 1"]);
    expect((await read(hub)).notes).toEqual(["repeated 3"]);
  });
});

describe("what a Hub mixes in", () => {
  test("is left out if it belongs elsewhere, and kept if it claims no place", async () => {
    const other = new Drawing().add("b0", "b", "note");
    const hub = await stored([0, 1]);
    await hub.put(a, "coop1_zzz", utf8(other.wire("b0")));
    await hub.put(a, "coop1_text", utf8("no entry"));
    const { found, notes } = await read(hub);
    expect(found).toEqual([...wires.slice(0, 2), "no entry"]);
    expect(notes).toEqual(["foreign 1", "unplaced 1"]);
  });

  test("two texts that claim one place are both given, and said to differ", async () => {
    const fork = new Drawing().add("f0", "a", "note", { fork: true });
    const hub = await stored([0, 1]);
    await hub.put(a, "coop1_fork", utf8(fork.wire("f0")));
    expect(await read(hub)).toMatchObject({
      found: [wires[0], wires[1], fork.wire("f0")],
      notes: ["differs 0"],
    });
  });
});

describe("what a Hub leaves out", () => {
  test("of a page is read by key", async () => {
    const hub = await stored();
    const leaky = gone(hub, [3, 4, 7], { get: (...of) => hub.get(...of) });
    expect(await read(leaky, { pageLength: 4 })).toMatchObject({
      found: [...[0, 1, 2, 5, 6, 8, 9].map((i) => wires[i]), wires[3], wires[4], wires[7]],
      notes: ["repeated 3"], // short pages overlap: nothing is skipped
    });
  });

  test("altogether is a hole", async () => {
    const { found, notes, reading } = await read(gone(await stored(), [3, 4, 7]));
    expect(found).toHaveLength(7);
    expect(notes).toEqual(["repeated 3", "hole 3 4", "hole 7 7"]);
    expect(reading).toMatchObject({ next: 10, holes: [3, 4, 7] });
  });

  test("a page that is empty too soon is not the end", async () => {
    const hub = await stored();
    const short = gone(hub, [], {
      page: async (...of) => (of[2] >= 4 ? [] : (await hub.page(...of)).slice(0, 4)),
    });
    expect((await read(short)).found).toEqual(wires);
  });

  test("under a key lies something else: unreadable, and given as it is", async () => {
    const hub = await stored([0, 2]);
    await hub.put(a, appendKey(1), Uint8Array.from([0xff, 0x41]));
    const { found, notes } = await read(hub);
    expect(found).toEqual([wires[0], wires[2], "\ufffdA"]);
    expect(notes).toEqual(["unreadable 1"]);
  });

  test("what was missing is asked for again next time, and nothing else", async () => {
    const hub = await stored();
    const { reading } = await read(gone(hub, [3, 7]));
    await hub.put(a, appendKey(9), utf8(wires[9]!));
    const watched = new FaultyHub(hub);
    const again = await read(watched, { reading: { ...reading, notes: [] } });
    expect([...new Set(again.found)].sort()).toEqual([wires[3], wires[7], wires[9]].sort());
    expect(watched.calls.get).toBe(3);
    expect(again.reading).toMatchObject({ next: 10, holes: [] });
  });
});

describe("limits and failures", () => {
  test("a page that fails is said, and what was read before is given", async () => {
    const hub = new FaultyHub(await stored());
    hub.next("repeat", "page").next("server-error", "page");
    const { found, notes } = await read(hub, { pageLength: 4 });
    expect(found).toEqual(wires.slice(0, 4));
    expect(notes).toContain("failed server");
    expect(hub.calls.get).toBe(0);
  });

  test("a key that fails is said", async () => {
    const hub = new FaultyHub(await stored()).next("drop", "get");
    expect(await read(hub)).toMatchObject({ found: wires, notes: ["failed offline"] });
  });

  test("records, units and point reads are capped with a reason", async () => {
    const hub = await stored();
    const limited = (limits: ReadLogOptions["limits"]) => read(hub, { pageLength: 2, limits: limits! });
    expect(await limited({ records: 5 })).toMatchObject({
      found: wires.slice(0, 5),
      notes: ["capped 5 records"],
    });
    expect((await limited({ units: wires[0]!.length * 3 })).notes[0]).toMatch(/^capped \d+ bytes$/);
    const holey = gone(hub, [1, 2, 3]);
    expect((await read(holey, { limits: { pointReads: 2 } })).notes).toEqual([
      "repeated 3",
      "capped 2 requests",
      "hole 1 2",
    ]);
  });

  test("an endless Hub is read up to the limit", async () => {
    let made = 0;
    const page = async () => Array.from({ length: 50 }, () => `text ${made++}`);
    const endless = gone(new MemoryHub(), [], { page });
    const { found, notes } = await read(endless, { limits: { records: 500 } });
    expect(found).toHaveLength(500);
    expect(notes).toEqual(["unplaced 500", "capped 500 records"]);
  });

  test("a row too long to read is stepped over, and said", async () => {
    const hub = await stored();
    const long = gone(hub, [], {
      page: async (owner: Address, id: string, offset: number, length: number) => {
        const end = offset <= 3 ? Math.min(3, offset + length) : offset + length;
        if (offset === 3) throw new HubError("capped", "too long");
        return hub.page(owner, id, offset, end - offset);
      },
    });
    const { found, notes } = await read(long);
    expect([...found].sort()).toEqual([...wires].sort());
    expect(notes).toEqual(["unplaced 1"]);
  });

  test("giving up is the caller's error", async () => {
    expect(await hubCode(read(await stored(), { signal: AbortSignal.abort() }))).toBe("aborted");
  });
});

test("a place is claimed by canonical entries and by anything that names one", () => {
  expect(claimOf(wires[3]!)).toEqual({ wallet: a.address, seq: 3 });
  expect(claimOf(JSON.stringify({ seq: 4, wallet: a.address, other: true }))).toEqual({
    wallet: a.address,
    seq: 4,
  });
  for (const text of [
    "",
    "null",
    "[]",
    '"x"',
    "{}",
    '{"wallet":"0x","seq":1}',
    `{"wallet":"${a.address}","seq":1.5}`,
  ])
    expect(claimOf(text)).toBeUndefined();
});
