// When a follower looks, on a clock moved by hand: hints at once, lies a bounded number of times, polls in any case.

import { describe, expect, test } from "vitest";
import { ManualClock } from "../testing/network-clock.ts";
import { seededBytes } from "../testing/builders-world.ts";
import { PollScheduler, type FetchResult, type PollSchedulerOptions } from "./poll-scheduler.ts";

const NOTHING: FetchResult = { found: false, failed: false, more: false };
const NEWS: FetchResult = { ...NOTHING, found: true };

interface Look {
  readonly at: number;
  readonly hinted: boolean;
}

/** A follower that has had its first look, with a list of those after it. */
async function following(
  result: (look: Look) => FetchResult | Promise<FetchResult>,
  options: Partial<PollSchedulerOptions> = {},
) {
  const clock = new ManualClock();
  const looks: Look[] = [];
  const scheduler = new PollScheduler({
    clock,
    random: seededBytes(1),
    isLive: () => true,
    fetch: async (hinted) => {
      const look = { at: clock.now(), hinted };
      looks.push(look);
      return result(look);
    },
    ...options,
  });
  void scheduler.pollNow();
  await settle();
  looks.length = 0;
  const pass = async (ms: number) => {
    const end = clock.now() + ms;
    await settle();
    while (clock.next !== undefined && clock.now() + clock.next <= end) {
      clock.advance(clock.next);
      await settle();
    }
    clock.advance(end - clock.now());
  };
  return { clock, scheduler, looks, pass };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

describe("a hint", () => {
  test("is looked after at once, and once where it leads to something", async () => {
    const { clock, scheduler, looks, pass } = await following(() => NEWS);
    await pass(5_000);
    const now = clock.now();
    scheduler.hint();
    await pass(5_000);
    expect(looks).toEqual([{ at: now, hinted: true }]);
  });

  test("a hint without a result is retried with growing waits, then left to the polls", async () => {
    const { scheduler, looks, pass } = await following(() => NOTHING);
    scheduler.hint();
    await pass(14_000);
    expect(looks.every(({ hinted }) => hinted)).toBe(true);
    expect(looks).toHaveLength(6);
    const waits = looks.slice(1).map(({ at }, i) => at - looks[i]!.at);
    waits.forEach((wait, i) => {
      expect(wait).toBeGreaterThanOrEqual(40 * 2 ** i);
      expect(wait).toBeLessThanOrEqual(80 * 2 ** i);
    });
    await pass(2_000);
    expect(looks.at(-1)!.hinted).toBe(false);
  });

  test("that came during a look which answered it is worth no other", async () => {
    let held = false;
    let answer = (_: FetchResult): void => undefined;
    const { scheduler, looks, pass } = await following(() => new Promise((resolve) => (answer = resolve)), {
      announced: { allResolved: () => held, drop: () => undefined },
    });
    answer(NOTHING);
    await pass(0);
    scheduler.hint();
    await pass(0);
    scheduler.hint();
    held = true;
    answer(NEWS);
    await pass(5_000);
    expect(looks).toHaveLength(1);
  });

  test("that came during a look which did not answer it is looked after at once", async () => {
    const open = new Set(["first"]);
    let answer = (_: FetchResult): void => undefined;
    const { clock, scheduler, looks, pass } = await following(
      () => new Promise((resolve) => (answer = resolve)),
      { announced: { allResolved: () => open.size === 0, drop: () => undefined } },
    );
    answer(NOTHING);
    await pass(0);
    scheduler.hint();
    await pass(0);
    open.delete("first");
    open.add("second");
    scheduler.hint();
    answer(NEWS);
    await pass(0);
    expect(looks).toHaveLength(2);
    expect(looks[1]!.at).toBe(clock.now());
  });
});

describe("polls", () => {
  test("are put off by no hints, true or false", async () => {
    for (const result of [NEWS, NOTHING]) {
      const { scheduler, looks, pass } = await following(() => result);
      for (let i = 0; i < 62; i++) {
        scheduler.hint();
        await pass(1_000);
      }
      const polls = looks.filter(({ hinted }) => !hinted);
      expect(polls.length).toBeGreaterThanOrEqual(3);
      expect(polls.length).toBeLessThanOrEqual(4);
    }
  });

  test("come soon where the channel is away, or something was done here", async () => {
    let isLive = true;
    const { scheduler, looks, pass } = await following(() => NOTHING, { isLive: () => isLive });
    await pass(1_000);
    isLive = false;
    scheduler.pollSoon();
    await pass(800);
    expect(looks).toHaveLength(1);
    expect(looks[0]!.hinted).toBe(false);
  });

  test("that fail wait longer and longer, and are still polls", async () => {
    const { looks, pass } = await following(() => ({ ...NOTHING, failed: true }));
    await pass(60_000);
    expect(looks.every(({ hinted }) => !hinted)).toBe(true);
    expect(looks.length).toBeLessThan(9);
  });
});

test.each([25, 500])(
  "a flood of %i invented hints a second costs at most three fetches a second",
  async (rate) => {
    const { scheduler, looks, pass } = await following(() => NOTHING);
    for (let i = 0; i < 30 * rate; i++) {
      scheduler.hint();
      await pass(1_000 / rate);
    }
    expect(looks.length).toBeGreaterThan(30);
    expect(looks.length).toBeLessThan(90);
  },
);
