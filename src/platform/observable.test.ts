import { expect, test } from "vitest";
import { Observable } from "./observable.ts";

test("a listener is called after each change, not for the same value, and not after it left", () => {
  const value = new Observable(1);
  const seen: number[] = [];
  const stop = value.subscribe(() => seen.push(value.getSnapshot()));
  value.set(2);
  value.set(2);
  stop();
  value.set(3);
  expect([seen, value.isFollowed]).toEqual([[2], false]);
});

test("a listener that leaves during a change keeps no other from hearing of it", () => {
  const value = new Observable("a");
  const seen: string[] = [];
  const stop = value.subscribe(() => stop());
  value.subscribe(() => seen.push(value.getSnapshot()));
  value.set("b");
  expect(seen).toEqual(["b"]);
});

test("one function subscribed twice is called twice, and each leaves by itself", () => {
  const value = new Observable(0);
  let calls = 0;
  const listener = () => void calls++;
  const stop = value.subscribe(listener);
  value.subscribe(listener);
  value.set(1);
  stop();
  value.set(2);
  expect(calls).toBe(3);
});
