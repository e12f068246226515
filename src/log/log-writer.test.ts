// The writer of a log: linked entries whoever writes at once, and after a crash at any point the same bytes and
// never two entries at one seq.

import { describe, expect, test } from "vitest";
import type { Candidate } from "../core/entry.ts";
import { parseCandidate } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, writeEntry } from "../hub/log-keys.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import { ManualClock } from "../testing/network-clock.ts";
import { Power } from "../testing/failing-power.ts";
import { walletDouble, type WalletDouble } from "../testing/wallet-double.ts";
import { localWallet, type SecretHex } from "../wallet/wallet.local.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { Locks } from "../platform/locks.ts";
import { localLocks } from "../platform/locks.ts";
import { LogWriter, openLog, type Draft, type LogEnvironment, type WriteProgress } from "./log-writer.ts";
import { memoryStore } from "../platform/key-value-store.memory.ts";
import type { Store } from "../platform/key-value-store.ts";

const SECRET: SecretHex = `0x${"21".repeat(32)}`;
const wallet = localWallet(SECRET);
const random = (length: number) => new Uint8Array(length).fill(7);
/** Stands in for a machine that has no locks at all. */
const noLocks: Locks = { crossTab: false, run: (_, work) => work({ describe: () => undefined }) };

function environment(parts: Partial<LogEnvironment> = {}): LogEnvironment & { clock: ManualClock } {
  const base = { hub: new MemoryHub(), store: memoryStore(), locks: localLocks(), random };
  return { ...base, ...parts, clock: new ManualClock() };
}

const draft = (n: number) => async (): Promise<Draft> => ({ type: "tick", body: { n }, refs: [] });

/** Lets promises go on until nothing moves any more. */
async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

/** The log as the Hub has it: valid, contiguous, linked, else it throws. */
async function logOn(hub: Hub, at = wallet.address): Promise<Candidate[]> {
  const log: Candidate[] = [];
  for (let seq = 0; ; seq++) {
    const bytes = await hub.get(at, appendKey(seq));
    if (bytes === null) return log;
    const parsed = parseCandidate(new TextDecoder().decode(bytes));
    if (!parsed.ok || !checkPlain(parsed.value).ok) throw new Error(`entry ${seq} is not valid`);
    const entry = parsed.value;
    if (entry.prev_hash !== (log.at(-1)?.hash ?? null)) throw new Error(`entry ${seq} is not linked`);
    log.push(entry);
  }
}
const numbers = (log: readonly Candidate[]) => log.map(({ body }) => body.n);

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "no error",
    (error: unknown) => String((error as { code?: unknown }).code ?? error),
  );
}

describe("appending", () => {
  test("twice without awaiting gives consecutive linked entries", async () => {
    const env = environment();
    const log = openLog(env, wallet);
    const entries = await Promise.all([0, 1, 2, 3, 4].map((n) => log.append(draft(n))));
    expect(entries.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
    expect(numbers(await logOn(env.hub))).toEqual([0, 1, 2, 3, 4]);
  });

  test("append, reload, append goes on where the log ended", async () => {
    const env = environment();
    await openLog(env, wallet).append(draft(0));
    await openLog(env, wallet).append(draft(1));
    expect(numbers(await logOn(env.hub))).toEqual([0, 1]);
  });

  test("a machine with an empty store reads the log first", async () => {
    const env = environment();
    await openLog(env, wallet).append(draft(0));
    await openLog(env, wallet).append(draft(1));
    await openLog({ ...env, store: memoryStore() }, wallet).append(draft(2));
    expect(numbers(await logOn(env.hub))).toEqual([0, 1, 2]);
  });

  test.each([
    ["with locks", localLocks()],
    ["without locks", noLocks],
  ])("two tabs at once, %s: consecutive linked entries", async (_, locks) => {
    const env = environment({ locks });
    const tabs = [openLog(env, wallet), openLog(env, wallet)];
    const entries = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => tabs[n % 2]!.append(draft(n))));
    expect(new Set(entries.map(({ ref }) => ref)).size).toBe(6);
    const log = await logOn(env.hub);
    expect(log).toHaveLength(6);
    expect(numbers(log).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("what make throws is passed on, and nothing is signed", async () => {
    const env = environment();
    const double = walletDouble(SECRET);
    const log = openLog(env, double);
    await expect(log.append(async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(log.append(async () => ({ type: "Tick", body: {}, refs: [] }))).rejects.toThrow(
      /bad-shape at type/,
    );
    expect(double.asked).toEqual([]);
    await log.append(draft(0));
    expect(numbers(await logOn(env.hub))).toEqual([0]);
  });

  test("another device has written: its entry is followed", async () => {
    const env = environment();
    const here = openLog(env, wallet);
    const there = openLog({ ...env, store: memoryStore(), locks: localLocks() }, wallet);
    await here.append(draft(0));
    await there.append(draft(1));
    await here.append(draft(2));
    expect(numbers(await logOn(env.hub))).toEqual([0, 1, 2]);
  });

  test("a Hub that hides the end of the log does not make us fork", async () => {
    const env = environment();
    await openLog(env, wallet).append(draft(0));
    await openLog(env, wallet).append(draft(1));
    const empty = new MemoryHub();
    const entry = await openLog({ ...env, hub: empty }, wallet).append(draft(2));
    expect(entry.seq).toBe(2);
  });

  test("an entry of ours that only a peer's copy shows counts for the head", async () => {
    const env = environment();
    const first = await openLog(env, wallet).append(draft(0));
    const bare = environment();
    const log = openLog(bare, wallet);
    await log.noteOwn(first);
    expect((await log.append(draft(1))).prev_hash).toBe(first.hash);
  });
});

describe("the Hub fails", () => {
  /** A Hub whose writes or reads fail while `down`. */
  function flaky(inner: Hub): Hub & { down: "no" | "writes" | "all"; puts: number } {
    const hub = {
      name: inner.name,
      down: "no" as "no" | "writes" | "all",
      puts: 0,
      fail(reading: boolean) {
        if (hub.down === "all" || (!reading && hub.down === "writes"))
          throw new HubError("offline", "no network");
      },
      put: async (...args: Parameters<Hub["put"]>) => {
        hub.fail(false);
        hub.puts++;
        return inner.put(...args);
      },
      get: async (...args: Parameters<Hub["get"]>) => {
        hub.fail(true);
        return inner.get(...args);
      },
      page: async (...args: Parameters<Hub["page"]>) => {
        hub.fail(true);
        return inner.page(...args);
      },
      ping: () => inner.ping(),
    };
    return hub;
  }

  test("an upload is tried again with growing waits, until it is read back", async () => {
    const hub = flaky(new MemoryHub());
    const env = environment({ hub });
    const log = openLog(env, wallet);
    const seen: WriteProgress[] = [];
    log.onProgress((progress) => seen.push(progress));
    hub.down = "writes";
    const appending = log.append(draft(0));
    await settle();
    expect(seen.at(-1)).toMatchObject({ stage: "stored", problem: "no network", failed: false });
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      waits.push(env.clock.next!);
      env.clock.advance(env.clock.next!);
      await settle();
    }
    expect(waits.every((ms, i) => i === 0 || ms >= waits[i - 1]!)).toBe(true);
    expect(waits.at(-1)).toBeLessThanOrEqual(30_000);
    hub.down = "no";
    log.retry();
    await appending;
    expect(seen.at(-1)).toMatchObject({ stage: "read-back", problem: null });
    expect(env.clock.waiting).toBe(0);
  });

  test("with the head unknown nothing is signed", async () => {
    const hub = flaky(new MemoryHub());
    hub.down = "all";
    const double = walletDouble(SECRET);
    expect(await codeOf(openLog(environment({ hub }), double).append(draft(0)))).toBe("offline");
    expect(double.asked).toEqual([]);
  });

  test("closing ends the wait; the next start sends the same bytes", async () => {
    const hub = flaky(new MemoryHub());
    const env = environment({ hub });
    const log = openLog(env, wallet);
    hub.down = "writes";
    const appending = codeOf(log.append(draft(0)));
    await settle();
    log.close();
    expect(await appending).toBe("closed");
    hub.down = "no";
    const double = walletDouble(SECRET);
    const again = openLog(env, double);
    await settle();
    expect(numbers(await logOn(hub))).toEqual([0]);
    expect(double.asked).toEqual([]);
    await again.append(draft(1));
    expect(numbers(await logOn(hub))).toEqual([0, 1]);
  });

  test("a declined sign-in is not asked for again by itself", async () => {
    const inner = new MemoryHub();
    let declined = 0;
    const hub: Hub = {
      name: "asks",
      get: (...args) => inner.get(...args),
      page: (...args) => inner.page(...args),
      ping: () => inner.ping(),
      put: async (...args) => {
        if (declined++ === 0) throw new HubError("not-signed", "the sign-in was declined");
        return inner.put(...args);
      },
    };
    const env = environment({ hub });
    const log = openLog(env, wallet);
    const appending = log.append(draft(0));
    await settle();
    expect([declined, env.clock.waiting]).toEqual([1, 0]);
    log.retry();
    await appending;
    expect(declined).toBe(2);
  });

  test("another device took the place before ours was sent: ours is given up, and said", async () => {
    const hub = flaky(new MemoryHub());
    const env = environment({ hub });
    const log = openLog(env, wallet);
    let make: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (make = resolve));
    const appending = codeOf(
      log.append(async () => {
        await gate;
        return draft(1)();
      }),
    );
    await settle();
    await openLog({ ...env, store: memoryStore(), locks: localLocks() }, wallet).append(draft(0));
    make();
    expect(await appending).toBe("log-moved");
    await log.append(draft(2));
    expect(numbers(await logOn(hub))).toEqual([0, 2]);
  });

  test("a Hub that then shows another entry of ours in that place: the fork is said", async () => {
    const inner = new MemoryHub();
    const other = environment();
    const rival = await openLog(other, wallet).append(draft(9));
    const hub: Hub = {
      name: "swaps",
      get: (...args) => inner.get(...args),
      page: (...args) => inner.page(...args),
      ping: () => inner.ping(),
      put: async (signer, key, value) => {
        const receipt = await inner.put(signer, key, value);
        await writeEntry(inner, signer, rival);
        return receipt;
      },
    };
    expect(await codeOf(openLog(environment({ hub }), wallet).append(draft(0)))).toBe("log-forked");
  });

  test("bytes of no value in our place are written over", async () => {
    const env = environment();
    await env.hub.put(wallet, appendKey(0), new TextEncoder().encode("{}"));
    await openLog(env, wallet).append(draft(0));
    expect(numbers(await logOn(env.hub))).toEqual([0]);
  });
});

describe("two devices", () => {
  test("append at once: one is told that the log moved, has published nothing, and goes on", async () => {
    const hub = new MemoryHub();
    const signed: string[] = [];
    const device = () => {
      const env = environment({ hub });
      const noting: Wallet = {
        ...wallet,
        signText: async (text) => {
          signed.push(text);
          return wallet.signText(text);
        },
      };
      return { env, log: openLog(env, noting) };
    };
    const phone = device();
    const laptop = device();
    await phone.log.append(draft(0));
    // The laptop has read the head, and the person thinks; meanwhile the phone moves.
    let decide: () => void = () => undefined;
    const thinking = new Promise<void>((resolve) => (decide = resolve));
    const seen: WriteProgress[] = [];
    laptop.log.onProgress((progress) => seen.push(progress));
    const late = laptop.log.append(async () => {
      await thinking;
      return draft(1)();
    });
    await settle();
    await phone.log.append(draft(2));
    decide();
    await expect(late).rejects.toThrow(
      /entry 1 of 0x[0-9a-f]{40} was written elsewhere meanwhile; ours was not sent/,
    );
    expect(await codeOf(late)).toBe("log-moved");
    expect(seen.at(-1)).toMatchObject({ failed: true });
    // What lost its place is neither sent later nor signed again; the next move follows the other device's.
    const asked = signed.length;
    await openLog(laptop.env, wallet).append(draft(3));
    await settle();
    expect(signed.length).toBe(asked);
    expect(numbers(await logOn(hub))).toEqual([0, 2, 3]);
    expect((await laptop.env.store.keys("")).filter((key) => !/^(head|own)\//.test(key))).toEqual([]);
  });

  test("a device that was away with a signed entry finds the log grown: said, not forked", async () => {
    const inner = new MemoryHub();
    let away = true;
    const unreachable: Hub = {
      name: "away",
      get: async (...args) => {
        if (away) throw new HubError("offline", "no network");
        return inner.get(...args);
      },
      page: (...args) => inner.page(...args),
      ping: () => inner.ping(),
      put: (...args) => inner.put(...args),
    };
    const env = environment({ hub: unreachable });
    const log = openLog(env, wallet);
    away = false;
    const appending = codeOf(
      log.append(async () => {
        // The head is known; the network goes before the entry is sent.
        away = true;
        return draft(0)();
      }),
    );
    await settle();
    await openLog(environment({ hub: inner }), wallet).append(draft(9));
    away = false;
    log.retry();
    expect(await appending).toBe("log-moved");
    await log.append(draft(1));
    expect(numbers(await logOn(inner))).toEqual([9, 1]);
  });
});

describe("the wallet", () => {
  const withWallet = (double: WalletDouble) => {
    const env = environment();
    return { env, log: openLog(env, double) };
  };

  test.each([
    ["declines", "refused"],
    ["has-request-open", "pending-request"],
    ["signs-with-other", "wrong-signer"],
    ["answers-nonsense", "bad-signature"],
    ["disconnected", "disconnected"],
  ] as const)("%s: nothing is stored or sent, and the next attempt works", async (manner, code) => {
    const double = walletDouble(SECRET, manner);
    const { env, log } = withWallet(double);
    expect(await codeOf(log.append(draft(0)))).toBe(code);
    expect(await logOn(env.hub)).toEqual([]);
    expect((await env.store.keys("")).filter((key) => !/^(head|own)\//.test(key))).toEqual([]);
    double.manner = "honest";
    await log.append(draft(1));
    expect(numbers(await logOn(env.hub))).toEqual([1]);
  });

  test("an open wallet request is reported after two minutes and reused, not repeated", async () => {
    const double = walletDouble(SECRET, "hangs");
    const { env, log } = withWallet(double);
    const first = codeOf(log.append(draft(0)));
    await settle();
    env.clock.advance(120_000);
    expect(await first).toBe("no-answer");
    const second = log.append(draft(1));
    await settle();
    expect(double.asked).toHaveLength(1);
    double.answer();
    double.manner = "honest";
    await second;
    expect(numbers(await logOn(env.hub))).toEqual([0, 1]);
  });

  test("given up, and tried again by the person: the same entry is asked for", async () => {
    const double = walletDouble(SECRET, "hangs");
    const { env, log } = withWallet(double);
    const first = codeOf(log.append(draft(0)));
    await settle();
    env.clock.advance(120_000);
    expect(await first).toBe("no-answer");
    double.answer();
    double.manner = "honest";
    log.retry();
    await settle();
    expect(numbers(await logOn(env.hub))).toEqual([0]);
    expect(new Set(double.asked).size).toBe(1);
  });

  test("v 0 and 1 are made 27 and 28 before anything is published", async () => {
    const { env, log } = withWallet(walletDouble(SECRET, "low-v"));
    await log.append(draft(0));
    expect((await logOn(env.hub))[0]!.sig).toMatch(/1[bc]$/);
  });

  test("after a crash while it was asked, a person's wallet is not asked before the next move", async () => {
    const hanging = walletDouble(SECRET, "hangs");
    const { env, log } = withWallet(hanging);
    void codeOf(log.append(draft(0)));
    await settle();
    const double = walletDouble(SECRET);
    const again = openLog({ ...env, locks: localLocks() }, double);
    await settle();
    expect(double.asked).toEqual([]);
    await again.append(draft(1));
    expect(numbers(await logOn(env.hub))).toEqual([0, 1]);
  });
});

describe("the store fails", () => {
  test.each(["add", "put"] as const)("%s rejects: nothing is published", async (method) => {
    const env = environment();
    const store: Store = { ...env.store, [method]: () => Promise.reject(new Error("full")) };
    await expect(openLog({ ...env, store }, wallet).append(draft(0))).rejects.toThrow("full");
    expect(await logOn(env.hub)).toEqual([]);
    await openLog({ ...env, locks: localLocks() }, wallet).append(draft(1));
    expect((await logOn(env.hub)).length).toBeGreaterThan(0);
  });
});

describe("a crash at every point", () => {
  test.each([
    ["before a step's effect", false],
    ["after it", true],
  ])("%s: nothing is lost, nothing is signed twice", async (_, after) => {
    let points = 0;
    for (let at = 0; ; at++) {
      const power = new Power(at, after);
      const env = environment();
      const signed: string[] = [];
      const noting: Wallet = {
        ...wallet,
        signText: async (text) => {
          if (text.startsWith("Cooperation Protocol entry")) signed.push(text);
          return wallet.signText(text);
        },
      };
      const dying: LogEnvironment = {
        ...env,
        hub: power.over<Hub>(env.hub),
        store: power.over<Store>(env.store),
        locks: localLocks(),
      };
      const log = new LogWriter(dying, power.over<Wallet>(noting));
      let resolved = false;
      log.append(draft(0)).then(
        () => (resolved = true),
        () => undefined,
      );
      await settle();
      log.close();
      const wasKept = (await env.store.keys("")).some((key) => /^(intent|outbox|head)/.test(key));

      const again = openLog(env, noting);
      const second = await again.append(draft(1));
      const onHub = await logOn(env.hub);
      const expected = resolved || wasKept ? [0, 1] : [1];
      expect([at, numbers(onHub)]).toEqual([at, expected]);
      expect(second.ref).toBe(onHub.at(-1)!.ref);
      // One text for each seq, however often it was asked for.
      expect([at, new Set(signed).size]).toEqual([at, onHub.length]);
      expect((await env.store.keys("")).filter((key) => !/^(head|own)\//.test(key))).toEqual([]);
      if (!power.isOff) break;
      points++;
    }
    expect(points).toBeGreaterThan(12);
  });
});
