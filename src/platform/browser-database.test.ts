// The one way to open a database of the browser: makes way for an upgrade, reports what blocks it, opens again what was
// closed, and does not wait for ever.

import "fake-indexeddb/auto";
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { expect, test } from "vitest";
import { ManualClock } from "../testing/network-clock.ts";
import { blockedDatabases, BrowserDatabase, browserDatabase, OPEN_MS, WORK_MS } from "./browser-database.ts";

interface Schema extends DBSchema {
  texts: { key: string; value: string };
}

let count = 0;
const upgrade = (fresh: IDBPDatabase<Schema>) => void fresh.createObjectStore("texts");

function fresh() {
  const name = `database-${count++}`;
  const clock = new ManualClock();
  const open = () => browserDatabase<Schema>(name, upgrade, clock.after.bind(clock));
  return { name, clock, open };
}

const put = (database: BrowserDatabase<Schema>, value: string) =>
  database.run((db) => db.put("texts", value, "key"));
const get = (database: BrowserDatabase<Schema>) => database.run((db) => db.get("texts", "key"));

test("closes for another tab that upgrades, and then says that this page is outdated", async () => {
  const { name, open } = fresh();
  const database = open();
  await put(database, "one");
  const newer = await openDB<Schema>(name, 2);
  expect(await newer.get("texts", "key")).toBe("one");
  await expect(get(database)).rejects.toMatchObject({
    code: "outdated",
    message: expect.stringMatching(/newer/) as string,
  });
  newer.close();
});

test("opens again after another tab has deleted the database", async () => {
  const { name, open } = fresh();
  const database = open();
  await put(database, "one");
  const deleted = new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onblocked = () => reject(new Error("blocked"));
  });
  await deleted;
  expect(await get(database)).toBeUndefined();
  await put(database, "two");
  expect(await get(database)).toBe("two");
});

test("blocked by another tab: reported after 3 s, and opened once that tab closes", async () => {
  const { name, clock } = fresh();
  const old = await openDB<Schema>(name, 1, { upgrade });
  const database = new BrowserDatabase<Schema>({
    name,
    open: (callbacks) => openDB<Schema>(name, 2, callbacks),
    after: clock.after.bind(clock),
  });
  const first = get(database);
  const blocked = new Promise<void>((resolve) => {
    const stop = blockedDatabases.subscribe(() => {
      stop();
      resolve();
    });
  });
  await blocked;
  expect(blockedDatabases.getSnapshot()).toEqual([name]);
  clock.advance(OPEN_MS);
  await expect(first).rejects.toMatchObject({
    code: "blocked",
    message: expect.stringMatching(/another tab/) as string,
  });
  const second = get(database);
  old.close();
  expect(await second).toBeUndefined();
  expect(blockedDatabases.getSnapshot()).toEqual([]);
});

test("a connection that the browser has closed is opened again, and the work is run once more", async () => {
  const { open } = fresh();
  const database = open();
  await put(database, "one");
  await database.run(async (db) => db.close());
  expect(await get(database)).toBe("one");
});

test("a connection lost under way: reads are run again, what must not run twice is not", async () => {
  const { open } = fresh();
  const database = open();
  await put(database, "one");
  const losing = () => {
    let runs = 0;
    return {
      runs: () => runs,
      work: async (db: IDBPDatabase<Schema>) => {
        if (++runs === 1)
          throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
        return db.get("texts", "key");
      },
    };
  };
  const [reading, adding] = [losing(), losing()];
  expect(await database.run(reading.work)).toBe("one");
  await expect(database.run(adding.work, false)).rejects.toMatchObject({ name: "UnknownError" });
  expect([reading.runs(), adding.runs()]).toEqual([2, 1]);
});

test("work that never ends is given up after 20 s, and the next is done", async () => {
  const { clock, open } = fresh();
  const database = open();
  await put(database, "one");
  let hanging: Promise<never> | undefined;
  await new Promise<void>((started) => {
    hanging = database.run(() => {
      started();
      return new Promise<never>(() => undefined);
    });
  });
  clock.advance(WORK_MS);
  await expect(hanging).rejects.toMatchObject({ code: "timeout" });
  expect(await get(database)).toBe("one");
});

test("what the work throws of its own is passed on, and not run again", async () => {
  const { open } = fresh();
  const database = open();
  let runs = 0;
  const failing = database.run(async () => {
    runs++;
    throw new RangeError("no such value");
  });
  await expect(failing).rejects.toBeInstanceOf(RangeError);
  expect(runs).toBe(1);
});
