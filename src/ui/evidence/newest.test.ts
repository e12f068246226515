import { expect, test } from "vitest";
import { newestOnly } from "./newest.ts";

/** A maker stepped by hand: `done` ends the piece under way. */
function bench() {
  const begun: {
    readonly asked: string;
    readonly signal: AbortSignal;
    readonly done: (made: string) => void;
  }[] = [];
  const shown: string[] = [];
  const failed: unknown[] = [];
  const ask = newestOnly<string, string>({
    make: (asked, signal) =>
      new Promise((done, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
        begun.push({
          asked,
          signal,
          done: (made) => (made === "bad" ? reject(new Error(made)) : done(made)),
        });
      }),
    show: (made) => shown.push(made),
    fail: (error) => failed.push(error),
  });
  const end = async (made: string) => {
    begun.at(-1)!.done(made);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { ask, end, begun, shown, failed };
}

test("of what is asked for meanwhile only the newest is made, after what is under way", async () => {
  const { ask, end, begun, shown } = bench();
  for (const asked of ["one", "two", "three"]) ask(asked);
  expect(begun.map(({ asked }) => asked)).toEqual(["one"]);
  await end("1");
  expect(begun.map(({ asked }) => asked)).toEqual(["one", "three"]);
  await end("3");
  expect(shown).toEqual(["1", "3"]);
  ask("four");
  await end("4");
  expect(shown).toEqual(["1", "3", "4"]);
});

test("null ends what is under way, and what is asked for next begins at once", async () => {
  const { ask, end, begun, shown, failed } = bench();
  ask("one");
  ask(null);
  expect(begun[0]!.signal.aborted).toBe(true);
  ask("two");
  expect(begun.map(({ asked }) => asked)).toEqual(["one", "two"]);
  await end("2");
  expect([shown, failed]).toEqual([["2"], []]);
});

test("a failure is reported and does not stop later runs", async () => {
  const { ask, end, shown, failed } = bench();
  ask("one");
  await end("bad");
  expect(failed).toEqual([new Error("bad")]);
  ask("two");
  await end("2");
  expect(shown).toEqual(["2"]);
});
