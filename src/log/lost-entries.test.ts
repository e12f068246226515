// A Hub that loses, hides, rewrites or refuses entries of a wallet's own log: they are uploaded again, nothing is
// signed over a hole, and no seq is signed twice, whenever the machine stops.

import { describe, expect, test } from "vitest";
import { fromUtf8 } from "../core/bytes.ts";
import { parseCandidate, type Candidate } from "../core/entry.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import { HubError, notAHub, type HubErrorCode } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, LOG } from "../hub/log-keys.ts";
import { memoryStore } from "../platform/key-value-store.memory.ts";
import type { Store } from "../platform/key-value-store.ts";
import { localLocks } from "../platform/locks.ts";
import { Power } from "../testing/failing-power.ts";
import { ManualClock } from "../testing/network-clock.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { LogWriter, openLog, type Draft, type LogEnvironment, type WriteProgress } from "./log-writer.ts";

const wallet = localWallet(`0x${"31".repeat(32)}`);
const draft = (n: number) => async (): Promise<Draft> => ({ type: "tick", body: { n }, refs: [] });

/** A Hub over one in memory, whose rows a test may take away or put back. */
class ChangingHub implements Hub {
  readonly name = "changing";
  inner = new MemoryHub();
  /** Keys that are not shown. */
  hidden: (key: string) => boolean = () => false;
  refuses: (() => HubError) | undefined;
  puts = 0;

  async put(...args: Parameters<Hub["put"]>) {
    this.puts++;
    if (this.refuses !== undefined) throw this.refuses();
    return this.inner.put(...args);
  }
  async get(...[owner, key]: Parameters<Hub["get"]>) {
    return this.hidden(key) ? null : this.inner.get(owner, key);
  }
  async page(...[owner, conversation, offset, length]: Parameters<Hub["page"]>) {
    const rows = await this.inner.page(owner, conversation, 0, 1024);
    const shown = rows.filter((text) => !this.hidden(appendKey(seqOf(text))));
    return shown.slice(offset, offset + length);
  }
  ping = () => this.inner.ping();

  /** Goes on without the entries at these seqs. */
  async lose(...seqs: readonly number[]): Promise<void> {
    const rows = await this.inner.page(wallet.address, LOG, 0, 1024);
    this.inner = new MemoryHub();
    for (const text of rows)
      if (!seqs.includes(seqOf(text))) await this.inner.put(wallet, appendKey(seqOf(text)), bytes(text));
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);
const seqOf = (text: string) => (JSON.parse(text) as { seq: number }).seq;

function machine(hub: Hub, store: Store = memoryStore()) {
  const clock = new ManualClock();
  const random = (length: number) => new Uint8Array(length).fill(7);
  return { hub, store, locks: localLocks(), clock, random };
}

/** Bodies of the log as the Hub has it; throws where it has a hole or a wrong link. */
async function numbersOn(hub: Hub): Promise<unknown[]> {
  const log: Candidate[] = [];
  for (let seq = 0; ; seq++) {
    const found = await hub.get(wallet.address, appendKey(seq));
    if (found === null) break;
    const entry = read(fromUtf8(found)!);
    if (entry.prev_hash !== (log.at(-1)?.hash ?? null)) throw new Error(`entry ${seq} is not linked`);
    log.push(entry);
  }
  const rows = await hub.page(wallet.address, LOG, 0, 1024);
  if (new Set(rows).size !== log.length) throw new Error(`${log.length} linked entries of ${rows.length}`);
  return log.map(({ body }) => body.n);
}

function read(text: string): Candidate {
  const entry = parseCandidate(text);
  if (!entry.ok) throw new Error(text);
  return entry.value;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "no error",
    (error: unknown) => String((error as { code?: unknown }).code ?? error),
  );
}

async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Three entries on a Hub, and the machine that wrote them. */
async function three() {
  const hub = new ChangingHub();
  const env = machine(hub);
  const log = openLog(env, wallet);
  for (let n = 0; n < 3; n++) await log.append(draft(n));
  return { hub, env, log };
}

describe("own entries that the Hub has lost are uploaded again before the next is signed", () => {
  test.each([
    ["all of them", [0, 1, 2]],
    ["the last", [2]],
    ["the first", [0]],
    ["one in the middle", [1]],
    ["the last two", [1, 2]],
  ])("%s", async (_, seqs) => {
    const { hub, log } = await three();
    await hub.lose(...seqs);
    await log.append(draft(3));
    expect((await numbersOn(hub)).toSorted()).toEqual([0, 1, 2, 3]);
  });

  test("also after a reload, without a further move", async () => {
    const { hub, env } = await three();
    await hub.lose(0, 1, 2);
    openLog({ ...env, locks: localLocks() }, wallet);
    await settle();
    expect(await numbersOn(hub)).toEqual([0, 1, 2]);
  });

  test("asked for by the board: the seqs are answered, none where nothing is lost", async () => {
    const { hub, log } = await three();
    expect(await log.heal()).toEqual([]);
    await hub.lose(1);
    expect(await log.heal()).toEqual([1]);
  });

  test("a log that is whole costs one read before a move", async () => {
    const { hub, log } = await three();
    let reads = 0;
    const page = hub.page.bind(hub);
    hub.page = async (...args) => (reads++, page(...args));
    const get = hub.get.bind(hub);
    let gets = 0;
    hub.get = async (...args) => (gets++, get(...args));
    await log.append(draft(3));
    expect(reads).toBe(1);
    // Before and after the upload.
    expect(gets).toBe(2);
  });
});

describe("nothing is signed over a hole", () => {
  test("a Hub that hides the end of the log, and takes no upload for it, stops the move", async () => {
    const { hub, log } = await three();
    hub.hidden = (key) => key >= appendKey(1);
    expect(await codeOf(log.append(draft(3)))).toBe("log-incomplete");
    hub.hidden = () => false;
    await log.append(draft(4));
    expect(await numbersOn(hub)).toEqual([0, 1, 2, 4]);
  });

  test("a wallet whose head is known here, and its entries are neither here nor on the Hub", async () => {
    const { env } = await three();
    const head = (await env.store.get(`head/${wallet.address}`))!;
    const restored = memoryStore();
    await restored.put(`head/${wallet.address}`, head);
    const signed = signing();
    const fresh = new ChangingHub();
    expect(await codeOf(openLog(machine(fresh, restored), signed.wallet).append(draft(9)))).toBe(
      "log-incomplete",
    );
    expect(signed.texts).toEqual([]);
    expect(await numbersOn(fresh)).toEqual([]);
  });

  test("a wallet new to this machine, whose log has a hole on the Hub", async () => {
    const { hub } = await three();
    await hub.lose(1);
    const signed = signing();
    expect(await codeOf(openLog(machine(hub), signed.wallet).append(draft(9)))).toBe("log-incomplete");
    expect(signed.texts).toEqual([]);
  });

  test("another entry of ours in place of a kept one is a fork, and is said", async () => {
    const { hub, log } = await three();
    const rival = new ChangingHub();
    const other = openLog(machine(rival), wallet);
    for (let n = 7; n < 10; n++) await other.append(draft(n));
    hub.inner = rival.inner;
    expect(await codeOf(log.append(draft(3)))).toBe("log-forked");
  });
});

test("copies of a session that is final are released, and no longer uploaded", async () => {
  const { hub, log, env } = await three();
  await log.release([{ seq: 0 }, { seq: 1 }]);
  expect((await env.store.keys("own/")).length).toBe(1);
  await hub.lose(0, 1, 2);
  expect(await log.heal()).toEqual([2]);
});

const REFUSALS: readonly (readonly [string, HubErrorCode])[] = [
  ["400", "bad-request"],
  ["403", "forbidden"],
  ["413", "too-large"],
  ["507", "storage-full"],
];

describe("a refusal is named and set aside", () => {
  const refusals = [
    ...REFUSALS.map(([name, code]) => [name, () => new HubError(code, `refused (${name})`)] as const),
    ["404 without a body", () => notAHub("404 without the error body of a Hub")] as const,
    ["a page of HTML", () => notAHub("/v1 gave no JSON")] as const,
  ];
  test.each(refusals)("%s: tried once, said, kept; later the same bytes are sent", async (_, refuse) => {
    const { hub, log, env } = await three();
    const seen: WriteProgress[] = [];
    log.onProgress((progress) => seen.push(progress));
    hub.refuses = refuse;
    const puts = hub.puts;
    expect(await codeOf(log.append(draft(3)))).toBe("hub-refused");
    expect(hub.puts).toBe(puts + 1);
    expect(seen.at(-1)).toMatchObject({ stage: "stored", failed: false });
    expect(seen.at(-1)!.problem).not.toBeNull();
    // The next move asks again, and waits for nothing.
    const signed = seen.at(-1)!.entry;
    expect(await codeOf(log.append(draft(4)))).toBe("hub-refused");
    expect(await numbersOn(hub)).toEqual([0, 1, 2]);
    hub.refuses = undefined;
    log.retry();
    await settle();
    expect(await numbersOn(hub)).toEqual([0, 1, 2, 3]);
    expect(read(fromUtf8((await hub.get(wallet.address, appendKey(3)))!)!).hash).toBe(signed.hash);
    expect(await env.store.keys("outbox/")).toEqual([]);
  });

  test("a copy of a peer's entry that is refused does not hold up the others", async () => {
    const { hub, log } = await three();
    const peer = localWallet(`0x${"32".repeat(32)}`);
    const theirs = openLog(machine(new MemoryHub()), peer);
    const entries = [await theirs.append(draft(0)), await theirs.append(draft(1))];
    let refused = false;
    hub.refuses = undefined;
    const put = hub.put.bind(hub);
    hub.put = async (...args) => {
      if (refused) return put(...args);
      refused = true;
      throw new HubError("too-large", "refused");
    };
    const genesis = entries[0]!.hash;
    expect(await codeOf(log.mirror(genesis, entries))).toBe("too-large");
    expect(await hub.page(wallet.address, `mirror1.${genesis}`, 0, 8).catch(() => [])).toHaveLength(1);
  });

  test("409 from a Hub that never overwrites: the same entry is there, so it is done", async () => {
    const { hub, log } = await three();
    const put = hub.put.bind(hub);
    hub.put = async (...args) => {
      await put(...args);
      throw new HubError("conflict", "other bytes are there");
    };
    await log.append(draft(3));
    expect(await numbersOn(hub)).toEqual([0, 1, 2, 3]);
  });

  test("409 with bytes under the key that are no entry is a refusal", async () => {
    const { hub, log } = await three();
    hub.refuses = () => new HubError("conflict", "other bytes are there");
    expect(await codeOf(log.append(draft(3)))).toBe("hub-refused");
  });
});

/** A wallet that remembers which entries it signed. */
function signing(): { wallet: Wallet; texts: string[] } {
  const texts: string[] = [];
  const signText: Wallet["signText"] = async (text) => {
    if (text.startsWith("Cooperation Protocol entry")) texts.push(text);
    return wallet.signText(text);
  };
  return { wallet: { ...wallet, signText }, texts };
}

describe("with a crash at every point", () => {
  const faults: Record<string, (hub: ChangingHub) => Promise<void> | void> = {
    "all entries lost": (hub) => hub.lose(0, 1, 2),
    "the last entry lost": (hub) => hub.lose(2),
    "an entry in the middle lost": (hub) => hub.lose(1),
    "the end hidden until the restart": (hub) => void (hub.hidden = (key) => key >= appendKey(2)),
    "writes refused until the restart": (hub) =>
      void (hub.refuses = () => new HubError("too-large", "refused")),
  };
  test.each(Object.keys(faults))("%s: no seq is signed twice, nothing acknowledged is lost", async (name) => {
    let points = 0;
    for (let at = 0; ; at++) {
      const { hub, env } = await three();
      await faults[name]!(hub);
      const power = new Power(at, at % 2 === 0);
      const { wallet: noting, texts } = signing();
      const dying: LogEnvironment = {
        ...env,
        hub: power.over<Hub>(hub),
        store: power.over<Store>(env.store),
        locks: localLocks(),
      };
      const log = new LogWriter(dying, power.over<Wallet>(noting));
      log.append(draft(3)).catch(() => undefined);
      await settle();
      log.close();
      hub.hidden = () => false;
      hub.refuses = undefined;
      await openLog({ ...env, locks: localLocks() }, noting).append(draft(4));
      const numbers = await numbersOn(hub);
      expect([at, numbers.filter((n) => n !== 3).toSorted()]).toEqual([at, [0, 1, 2, 4]]);
      expect([at, texts.length - new Set(texts.map(seqOfText)).size]).toEqual([
        at,
        texts.length - new Set(texts).size,
      ]);
      if (!power.isOff) break;
      points++;
    }
    expect(points).toBeGreaterThan(5);
  });
});

const seqOfText = (text: string) => /"seq":(\d+)/.exec(text)![1]!;
