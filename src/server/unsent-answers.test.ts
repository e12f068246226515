import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { ManualClock } from "../testing/network-clock.ts";
import { UnsentAnswers } from "./unsent-answers.ts";

const KIB = 1024;
const limits = { outgoingBytes: 64 * KIB, outgoingBytesPerAddress: 32 * KIB, answerMs: 60_000 };

/** A response that nobody reads: it closes when it is destroyed. */
class Unread extends EventEmitter {
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function fresh() {
  const clock = new ManualClock();
  const unsent = new UnsentAnswers(limits, clock);
  const add = (address: string, body: Buffer) => {
    const response = new Unread();
    unsent.add(response as unknown as ServerResponse, address, body);
    return response;
  };
  return { clock, unsent, add };
}

test("one buffer sent to many counts once, until the last has read it", () => {
  const { unsent, add } = fresh();
  const body = Buffer.alloc(10 * KIB);
  const [a, b] = [add("a", body), add("b", body)];
  expect(unsent.stats().bytes).toBe(10 * KIB);
  a.emit("close");
  expect(unsent.stats().bytes).toBe(10 * KIB);
  b.emit("close");
  expect(unsent.stats()).toEqual({ bytes: 0, cut: 0 });
});

test("an address over its share loses its oldest answer, and no other address does", () => {
  const { unsent, add } = fresh();
  const other = add("b", Buffer.alloc(10 * KIB));
  const mine = [1, 2, 3, 4].map(() => add("a", Buffer.alloc(10 * KIB)));
  expect(mine.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
  expect([other.destroyed, unsent.stats()]).toEqual([false, { bytes: 40 * KIB, cut: 1 }]);
});

test("when all is full, the address with the most gives way", () => {
  const { unsent, add } = fresh();
  const small = [1, 2, 3, 4].map((n) => add(`small ${n}`, Buffer.alloc(8 * KIB)));
  const large = [1, 2, 3].map(() => add("large", Buffer.alloc(10 * KIB)));
  add("last", Buffer.alloc(8 * KIB));
  expect(small.some(({ destroyed }) => destroyed)).toBe(false);
  expect(large.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  expect(unsent.stats().bytes).toBeLessThanOrEqual(64 * KIB);
});

test("a reader that does not read is cut off after the time for an answer, a newer one not yet", () => {
  const { clock, unsent, add } = fresh();
  const old = add("a", Buffer.alloc(8 * KIB));
  clock.advance(40_000);
  const young = add("b", Buffer.alloc(8 * KIB));
  clock.advance(35_000);
  expect([old.destroyed, young.destroyed]).toEqual([true, false]);
  clock.advance(60_000);
  expect([young.destroyed, unsent.stats()]).toEqual([true, { bytes: 0, cut: 2 }]);
});
