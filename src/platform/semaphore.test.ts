import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

test("no more tasks run at once than there are permits, in the order of their coming", async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = [0, 1, 2, 3].map((task) =>
    semaphore.run(async () => {
      started.push(task);
      await new Promise<void>((resolve) => ends.push(resolve));
      return task;
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  ends[1]!();
  await tasks[1];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  ends[0]!();
  await tasks[0];
  await Promise.resolve();
  ends[2]!();
  ends[3]!();
  expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
});

test("a task that fails gives its permit back", async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await semaphore.run(async () => 1)).toBe(1);
});
