// What every store behind the Hub's server must do. `reopen` closes it and opens what it left.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import type { Store } from "./hub-store.ts";

const alice: Address = `0x${"a1".repeat(20)}`;
const bob: Address = `0x${"b2".repeat(20)}`;
const MANY = 1024 * 1024;

export interface FreshStore {
  readonly store: Store;
  /** Undefined where nothing outlives closing. */
  readonly reopen: (() => Promise<Store>) | undefined;
  readonly cleanUp: () => void;
}

export function storeContract(name: string, fresh: () => FreshStore): void {
  describe(`store: ${name}`, () => {
    let store: Store;
    let reopen: FreshStore["reopen"];
    let cleanUp: () => void;
    beforeEach(async () => {
      ({ store, reopen, cleanUp } = fresh());
      await store.makeBucket("a", alice, "memory");
      await store.makeBucket("b", bob, "memory");
    });
    afterEach(async () => {
      await store.close();
      cleanUp();
    });

    const put = (key: string, text: string, owner = alice, bucket = "a") =>
      store.put(owner, bucket, key, utf8(text), 1_000);
    const get = (key: string, owner = alice) => {
      const object = store.get(owner, key);
      return object === undefined ? undefined : fromUtf8(object.value);
    };

    test("buckets: first come, first served", async () => {
      expect(await store.makeBucket("a", alice, "memory")).toBe("there");
      expect(await store.makeBucket("a", alice, "other")).toBe("conflict");
      expect(await store.makeBucket("a", bob, "memory")).toBe("forbidden");
      expect(store.bucket("a")).toEqual({ owner: alice, kind: "memory" });
      expect(store.bucket("none")).toBeUndefined();
    });

    test("writes need the writer's own bucket", async () => {
      expect(await put("k", "v", alice, "none")).toBe("no-bucket");
      expect(await put("k", "v", alice, "b")).toBe("forbidden");
      expect(get("k")).toBeUndefined();
      expect(await put("k", "v")).toBe("stored");
      expect(store.get(alice, "k")).toMatchObject({ bucket: "a", createdAt: 1_000 });
    });

    test("the last value under owner and key wins, whatever the bucket", async () => {
      await store.makeBucket("a2", alice, "memory");
      await put("k", "one");
      await put("k", "two", alice, "a2");
      expect(get("k")).toBe("two");
      expect(store.get(alice, "k")?.bucket).toBe("a2");
      expect(get("k", bob)).toBeUndefined();
    });

    test("what was read stays as it was, whatever is read or written afterwards", async () => {
      const long = "x".repeat(60_000);
      await put("short", "é");
      await put("long", long);
      await put("short", "bob's", bob, "b");
      const value = (key: string, owner = alice) => store.value(owner, key);
      const read = [value("short"), value("long"), value("short", bob), store.get(alice, "short")?.value];
      await put("short", "ü");
      expect([value("short"), value("long"), value("none"), value("k".repeat(2_000))].map(Boolean)).toEqual([
        true,
        true,
        false,
        false,
      ]);
      expect(read.map((bytes) => fromUtf8(bytes!))).toEqual(["é", long, "bob's", "é"]);
    });

    test("pages are in the order of writing, from any row, to any length", async () => {
      const texts = Array.from({ length: 30 }, (_, i) => `text ${i}`);
      for (const text of texts) await put(`log_${29 - texts.indexOf(text)}`, text);
      await put("log.x_1", "another conversation");
      expect(store.page(alice, "log", 0, 100, MANY)).toEqual(texts);
      expect(store.page(alice, "log", 10, 5, MANY)).toEqual(texts.slice(10, 15));
      expect(store.page(alice, "log", 30, 5, MANY)).toEqual([]);
      expect(store.page(bob, "log", 0, 5, MANY)).toEqual([]);
    });

    test("a page beyond every row is empty, however far", async () => {
      await put("k_1", "x");
      for (const offset of [1, 2 ** 48 - 1, 2 ** 48, 999_999_999_999_999])
        for (const id of ["k", "k_", "none"]) expect(store.page(alice, id, offset, 9, MANY)).toEqual([]);
    });

    test("conversations lie within each other", async () => {
      await put("a_b_1", "inner");
      await put("a_1", "outer");
      await put("ab_1", "neither");
      expect(store.page(alice, "a", 0, 9, MANY)).toEqual(["inner", "outer"]);
      expect(store.page(alice, "a_b", 0, 9, MANY)).toEqual(["inner"]);
      expect(store.page(alice, "", 0, 9, MANY)).toEqual([]);
    });

    test("a page ends before its texts are too long, and never without one", async () => {
      for (let i = 0; i < 4; i++) await put(`log_${i}`, "x".repeat(100));
      expect(store.page(alice, "log", 0, 9, 250)).toHaveLength(2);
      expect(store.page(alice, "log", 0, 9, 10)).toHaveLength(1);
    });

    test("deleting a bucket takes its objects, and no others", async () => {
      await store.makeBucket("a2", alice, "memory");
      await put("log_1", "one");
      await put("log_2", "two", alice, "a2");
      expect(await store.deleteBucket("a", bob)).toBe("forbidden");
      expect(await store.deleteBucket("none", alice)).toBe("no-bucket");
      expect(await store.deleteBucket("a", alice)).toBe("deleted");
      expect(get("log_1")).toBeUndefined();
      expect(store.page(alice, "log", 0, 9, MANY)).toEqual(["two"]);
      expect(await put("log_1", "again")).toBe("no-bucket");
      expect(await store.makeBucket("a", bob, "memory")).toBe("made");
    });

    test("the version changes with every writing and deleting", async () => {
      const seen = new Set([store.version(alice, "log")]);
      for (const key of ["log_1", "log_2", "log_1", "log_x_1"]) {
        await put(key, "text");
        seen.add(store.version(alice, "log"));
      }
      await put("log_1", "bob's", bob, "b");
      expect(seen.has(store.version(alice, "log"))).toBe(true);
      await store.deleteBucket("a", alice);
      seen.add(store.version(alice, "log"));
      expect(seen.size).toBe(6);
    });

    test("concurrent writes are all kept, each in a row of its own", async () => {
      const keys = Array.from({ length: 200 }, (_, i) => `log_${i}`);
      const results = await Promise.all(keys.map((key) => put(key, key)));
      expect(new Set(results)).toEqual(new Set(["stored"]));
      expect(store.page(alice, "log", 0, 999, MANY).sort()).toEqual([...keys].sort());
    });

    test("what is returned is not what is kept", async () => {
      const bytes = utf8("value");
      await store.put(alice, "a", "k", bytes, 1);
      bytes[0] = 0;
      expect(get("k")).toBe("value");
    });

    test("everything is there after reopening, and rows go on", async () => {
      if (reopen === undefined) return;
      await put("log_1", "one");
      await put("log_2", "two");
      store = await reopen();
      expect(get("log_1")).toBe("one");
      expect(store.bucket("a")).toEqual({ owner: alice, kind: "memory" });
      await put("log_3", "three");
      expect(store.page(alice, "log", 0, 9, MANY)).toEqual(["one", "two", "three"]);
    });
  });
}
