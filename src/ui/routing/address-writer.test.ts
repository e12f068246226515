import { expect, test } from "vitest";
import { AddressWriter, type AddressBar } from "./address-writer.ts";

/** An address bar as Safari has it: from the 101st change within 30 s it throws. Its clock is stepped by hand. */
class SafariBar implements AddressBar {
  hash = "#/";
  readonly written: number[] = [];
  refusals = 0;
  #now = 0;
  #timers: { readonly at: number; readonly work: () => void }[] = [];

  readonly #most: number;

  constructor(most = 100) {
    this.#most = most;
  }

  read(): string {
    return this.hash;
  }
  replace(hash: string): void {
    if (this.written.filter((at) => at > this.#now - 30_000).length >= this.#most) {
      this.refusals++;
      throw new Error("SecurityError: replaceState more than 100 times per 30 seconds");
    }
    this.written.push(this.#now);
    this.hash = hash;
  }
  now(): number {
    return this.#now;
  }
  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + ms, work };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((one) => one !== timer));
  }
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.at);
      next.work();
    }
    this.#now = end;
  }
}

test("500 steps of a slider: the page follows each, the bar never refuses and ends on the last", () => {
  const bar = new SafariBar();
  const writer = new AddressWriter(bar);
  for (let step = 1; step <= 500; step++) {
    writer.replace(`#/s/x?cut=${step}`);
    expect(writer.read()).toBe(`#/s/x?cut=${step}`);
    bar.pass(60);
  }
  bar.pass(1_000);
  expect([bar.hash, bar.refusals]).toEqual(["#/s/x?cut=500", 0]);
  expect(bar.written.length).toBeLessThanOrEqual(100);
});

test("the first change is written at once", () => {
  const bar = new SafariBar();
  new AddressWriter(bar).replace("#/s/x?tab=why");
  expect(bar.hash).toBe("#/s/x?tab=why");
});

test("a bar that refuses is asked again later; until then the page shows what it shows", () => {
  const bar = new SafariBar(2);
  const writer = new AddressWriter(bar);
  for (const step of [1, 2, 3, 4]) {
    writer.replace(`#/${step}`);
    bar.pass(500);
  }
  expect([bar.hash, writer.read()]).toEqual(["#/2", "#/4"]);
  expect(bar.refusals).toBeGreaterThan(0);
  bar.pass(40_000);
  expect([bar.hash, writer.read()]).toEqual(["#/4", "#/4"]);
});

test("after the reader went elsewhere, nothing old is written", () => {
  const bar = new SafariBar();
  const writer = new AddressWriter(bar);
  writer.replace("#/1");
  writer.replace("#/2");
  bar.hash = "#/settings";
  writer.forget();
  bar.pass(5_000);
  expect([bar.hash, writer.read()]).toEqual(["#/settings", "#/settings"]);
});
