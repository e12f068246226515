// Announced refs under a flood: invented ones hold up nobody else's, and cost a bounded number of reads.

import { expect, test } from "vitest";
import { formatRef, sha256, type Address, type Ref } from "../core/values.ts";
import { World } from "../testing/builders-world.ts";
import { RefInbox } from "./ref-inbox.ts";

const walletOf = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const refOf = (wallet: number, seq = 0): Ref => formatRef(walletOf(wallet), seq, sha256(`${wallet} ${seq}`));

/** An inbox whose reads take 5 ms; only the refs in `good` lead somewhere. */
function inboxWith(parallel: number, ...good: readonly Ref[]) {
  const world = new World();
  const { clock } = world;
  const taken = new Map<Ref, number>();
  let reads = 0;
  const inbox = new RefInbox({
    clock,
    random: world.env().random,
    parallel,
    take: async (ref) => {
      reads++;
      await new Promise<void>((resolve) => void clock.after(5, resolve));
      if (good.includes(ref)) taken.set(ref, clock.now());
      return good.includes(ref) ? "good" : "later";
    },
  });
  const pass = async (ms: number) => {
    for (const end = clock.now() + ms; clock.now() < end;) {
      clock.advance(1);
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { inbox, taken, clock, pass, reads: () => reads };
}

test("a genuine ref is read within 1 s while 500 invented ones a second come in", async () => {
  const genuine = refOf(1);
  const { inbox, taken, clock, pass } = inboxWith(6, genuine);
  let invented = 2;
  const flood = async (ms: number) => {
    for (let i = 0; i < ms; i += 20) {
      for (let k = 0; k < 10; k++) inbox.push(refOf(invented++));
      await pass(20);
    }
  };
  await flood(1_000);
  const announced = clock.now();
  inbox.push(genuine);
  await flood(1_000);
  expect(taken.get(genuine)! - announced).toBeLessThan(1_000);
  inbox.close();
});

test("64 invented refs sent once do not hold up the next genuine one", async () => {
  const genuine = refOf(1);
  const { inbox, taken, pass } = inboxWith(1, genuine);
  for (let i = 2; i < 66; i++) inbox.push(refOf(i));
  inbox.push(genuine);
  await pass(1_000);
  expect(taken.has(genuine)).toBe(true);
  inbox.close();
});

test("refs of one wallet that lead nowhere hold up its own next one alone", async () => {
  const [own, other] = [refOf(1, 5_000), refOf(2)];
  const { inbox, taken, pass, reads } = inboxWith(1, own, other);
  for (let seq = 0; seq < 1_000; seq++) inbox.push(refOf(1, seq));
  inbox.push(other);
  await pass(200);
  expect([...taken.keys()]).toEqual([other]);
  inbox.push(own);
  await pass(20_000);
  expect(taken.has(own)).toBe(true);
  expect(reads()).toBeLessThan(80);
  inbox.close();
});

test("a flood costs a bounded number of reads: a burst, then 100 a second", async () => {
  const { inbox, pass, reads } = inboxWith(6);
  let invented = 1;
  for (let second = 0; second < 10; second++) {
    for (let i = 0; i < 1_000; i++) inbox.push(refOf(invented++));
    await pass(1_000);
  }
  expect(reads()).toBeLessThanOrEqual(2_000 + 100 * 10 + 1);
  inbox.close();
});
