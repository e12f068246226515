// Locks across tabs: a wait that lasts is reported with what its holder does, and ends by itself.

import { expect, test } from "vitest";
import { ManualClock } from "../testing/network-clock.ts";
import { browserLocks, LATE_MS, localLocks, type Hold, type LockNotes } from "./locks.ts";

/** Two tabs of one browser: one lock manager, one set of notes, a clock each. */
function twoTabs() {
  const texts = new Map<string, string>();
  const notes: LockNotes = {
    get: (key) => texts.get(key) ?? null,
    set: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  };
  const shared = localLocks();
  const manager = { request: <T>(name: string, work: () => Promise<T>) => shared.run(name, () => work()) };
  const clock = new ManualClock();
  const tab = () => browserLocks(manager, { after: clock.after.bind(clock), notes });
  return { first: tab(), second: tab(), clock, texts };
}

/** Holds the name until `release`; `hold` is what the work was given. */
async function held(locks: ReturnType<typeof twoTabs>["first"], name: string) {
  let release = (): void => undefined;
  let done: Promise<void> | undefined;
  const hold = await new Promise<Hold>((resolve) => {
    done = locks.run(name, (given) => {
      resolve(given);
      return new Promise<void>((end) => (release = end));
    });
  });
  return {
    hold,
    release: async () => {
      release();
      await done;
    },
  };
}

test("a wait is reported before 3 s, and ends by itself once the holder is done", async () => {
  const { first, second, clock } = twoTabs();
  const { release } = await held(first, "log");
  let ran = false;
  const waiting = second.run("log", async () => void (ran = true));
  expect(second.waits.getSnapshot()).toEqual([]);
  expect(LATE_MS).toBeLessThan(3_000);
  clock.advance(LATE_MS);
  expect(second.waits.getSnapshot()).toEqual([{ name: "log", holder: null }]);
  expect(ran).toBe(false);
  await release();
  await waiting;
  expect([ran, second.waits.getSnapshot(), clock.waiting]).toEqual([true, [], 0]);
});

test("a wait tells that the other tab’s wallet asks a person, also when it begins later", async () => {
  const { first, second, clock, texts } = twoTabs();
  const { hold, release } = await held(first, "log");
  const waiting = second.run("log", async () => undefined);
  clock.advance(LATE_MS);
  hold.describe("asking");
  clock.advance(LATE_MS);
  expect(second.waits.getSnapshot()).toEqual([{ name: "log", holder: "asking" }]);
  await release();
  await waiting;
  expect(texts.size).toBe(0);
});

test("what a tab that died has left is not taken for the next holder’s", async () => {
  const { first, second, clock, texts } = twoTabs();
  texts.set("coop-lock/log", "asking");
  const { release } = await held(first, "log");
  const waiting = second.run("log", async () => undefined);
  clock.advance(LATE_MS);
  expect(second.waits.getSnapshot()).toEqual([{ name: "log", holder: null }]);
  await release();
  await waiting;
});

test("work that fails releases the name, and its error is passed on", async () => {
  const { first, second, clock } = twoTabs();
  await expect(first.run("log", () => Promise.reject(new RangeError("no")))).rejects.toThrow("no");
  expect(await second.run("log", async () => 7)).toBe(7);
  expect(clock.waiting).toBe(0);
});

test("without Web Locks the page alone is guarded, and says so", async () => {
  const locks = browserLocks(undefined, {
    after: () => () => undefined,
    notes: { get: () => null, set: () => undefined, remove: () => undefined },
  });
  expect([locks.crossTab, await locks.run("log", async () => 1)]).toEqual([false, 1]);
});
