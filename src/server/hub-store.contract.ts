// What every store behind the Hub's server must do. `reopen` closes it and opens what it left.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { jsonBytes, MAX_LEVELS, type Store } from "./hub-store.ts";
import { OVERHEAD, UNLIMITED, type Quota, type QuotaOptions, type Usage } from "./quota.ts";

const alice: Address = `0x${"a1".repeat(20)}`;
const bob: Address = `0x${"b2".repeat(20)}`;
const MANY = 1024 * 1024;

export interface FreshStore {
  readonly store: Store;
  /** Undefined where nothing outlives closing. */
  readonly reopen: (() => Promise<Store>) | undefined;
  readonly cleanUp: () => void | Promise<void>;
}

export function storeContract(
  name: string,
  fresh: (quota: QuotaOptions) => FreshStore | Promise<FreshStore>,
): void {
  describe(`store: ${name}`, () => {
    let store: Store;
    let reopen: FreshStore["reopen"];
    let cleanUp: FreshStore["cleanUp"];
    let quota: Quota;
    let exempt: Address | undefined;
    beforeEach(async () => {
      quota = UNLIMITED;
      exempt = undefined;
      const current = {
        get quota() {
          return quota;
        },
        exempt: (owner: Address) => owner === exempt,
      };
      ({ store, reopen, cleanUp } = await fresh(current));
      await store.makeBucket("a", alice, "memory");
      await store.makeBucket("b", bob, "memory");
    });
    afterEach(async () => {
      await store.close();
      await cleanUp();
    });

    const put = (key: string, text: string, owner = alice, bucket = "a") =>
      store.put(owner, bucket, key, utf8(text), 1_000);
    const get = async (key: string, owner = alice) => {
      const object = await store.get(owner, key);
      return object === undefined ? undefined : fromUtf8(object.value);
    };

    test("buckets: first come, first served", async () => {
      expect(await store.makeBucket("a", alice, "memory")).toBe("there");
      expect(await store.makeBucket("a", alice, "other")).toBe("conflict");
      expect(await store.makeBucket("a", bob, "memory")).toBe("forbidden");
      expect(await store.bucket("a")).toEqual({ owner: alice, kind: "memory" });
      expect(await store.bucket("none")).toBeUndefined();
    });

    test("writes need the writer's own bucket", async () => {
      expect(await put("k", "v", alice, "none")).toBe("no-bucket");
      expect(await put("k", "v", alice, "b")).toBe("forbidden");
      expect(await get("k")).toBeUndefined();
      expect(await put("k", "v")).toBe("stored");
      expect(await store.get(alice, "k")).toMatchObject({ bucket: "a", createdAt: 1_000 });
    });

    test("the last value under owner and key wins, whatever the bucket", async () => {
      await store.makeBucket("a2", alice, "memory");
      await put("k", "one");
      await put("k", "two", alice, "a2");
      expect(await get("k")).toBe("two");
      expect((await store.get(alice, "k"))?.bucket).toBe("a2");
      expect(await get("k", bob)).toBeUndefined();
    });

    test("what was read stays as it was, whatever is read or written afterwards", async () => {
      const long = "x".repeat(60_000);
      await put("short", "é");
      await put("long", long);
      await put("short", "bob's", bob, "b");
      const value = async (key: string, owner = alice) => store.value(owner, key);
      const read = [
        await value("short"),
        await value("long"),
        await value("short", bob),
        (await store.get(alice, "short"))?.value,
      ];
      await put("short", "ü");
      const after = [
        await value("short"),
        await value("long"),
        await value("none"),
        await value("k".repeat(2_000)),
      ];
      expect(after.map(Boolean)).toEqual([true, true, false, false]);
      expect(read.map((bytes) => fromUtf8(bytes!))).toEqual(["é", long, "bob's", "é"]);
    });

    test("pages are in the order of writing, from any row, to any length", async () => {
      const texts = Array.from({ length: 30 }, (_, i) => `text ${i}`);
      for (const text of texts) await put(`log_${29 - texts.indexOf(text)}`, text);
      await put("log.x_1", "another conversation");
      expect(await store.page(alice, "log", 0, 100, MANY)).toEqual(texts);
      expect(await store.page(alice, "log", 10, 5, MANY)).toEqual(texts.slice(10, 15));
      expect(await store.page(alice, "log", 30, 5, MANY)).toEqual([]);
      expect(await store.page(bob, "log", 0, 5, MANY)).toEqual([]);
    });

    test("a page beyond every row is empty, however far", async () => {
      await put("k_1", "x");
      for (const offset of [1, 2 ** 48 - 1, 2 ** 48, 999_999_999_999_999])
        for (const id of ["k", "k_", "none"])
          expect(await store.page(alice, id, offset, 9, MANY)).toEqual([]);
    });

    test("conversations lie within each other", async () => {
      await put("a_b_1", "inner");
      await put("a_1", "outer");
      await put("ab_1", "neither");
      expect(await store.page(alice, "a", 0, 9, MANY)).toEqual(["inner", "outer"]);
      expect(await store.page(alice, "a_b", 0, 9, MANY)).toEqual(["inner"]);
      expect(await store.page(alice, "", 0, 9, MANY)).toEqual([]);
    });

    test("a page ends before its texts are too long, and never without one", async () => {
      for (let i = 0; i < 4; i++) await put(`log_${i}`, "x".repeat(100));
      expect(await store.page(alice, "log", 0, 9, 250)).toHaveLength(2);
      expect(await store.page(alice, "log", 0, 9, 10)).toHaveLength(1);
    });

    test("deleting a bucket takes its objects, and no others", async () => {
      await store.makeBucket("a2", alice, "memory");
      await put("log_1", "one");
      await put("log_2", "two", alice, "a2");
      expect(await store.deleteBucket("a", bob)).toBe("forbidden");
      expect(await store.deleteBucket("none", alice)).toBe("no-bucket");
      expect(await store.deleteBucket("a", alice)).toBe("deleted");
      expect(await get("log_1")).toBeUndefined();
      expect(await store.page(alice, "log", 0, 9, MANY)).toEqual(["two"]);
      expect(await put("log_1", "again")).toBe("no-bucket");
      expect(await store.makeBucket("a", bob, "memory")).toBe("made");
    });

    test("the version changes with every writing and deleting", async () => {
      const seen = new Set([await store.version(alice, "log")]);
      for (const key of ["log_1", "log_2", "log_1", "log_x_1"]) {
        await put(key, "text");
        seen.add(await store.version(alice, "log"));
      }
      await put("log_1", "bob's", bob, "b");
      expect(seen.has(await store.version(alice, "log"))).toBe(true);
      await store.deleteBucket("a", alice);
      seen.add(await store.version(alice, "log"));
      expect(seen.size).toBe(6);
    });

    test("a page is bounded in bytes as sent: control characters are six bytes of JSON each", async () => {
      for (let i = 0; i < 9; i++) await put(`log_${i}`, "\u0001".repeat(1_000));
      const page = await store.page(alice, "log", 0, 9, 20_000);
      expect(page).toHaveLength(3);
      expect(JSON.stringify(page).length).toBeLessThan(20_000);
    });

    test("conversations nest so many levels deep and no deeper, each in the order of writing", async () => {
      for (const key of ["a_b_c_d_e_2", "a_b_1", "a_b_c_d_e_1", "a_b_c_d_3"]) await put(key, key);
      expect(await store.page(alice, "a_b_c_d", 0, 9, MANY)).toEqual([
        "a_b_c_d_e_2",
        "a_b_c_d_e_1",
        "a_b_c_d_3",
      ]);
      expect(await store.page(alice, "a_b", 1, 2, MANY)).toEqual(["a_b_1", "a_b_c_d_e_1"]);
      expect(MAX_LEVELS).toBe(4);
      expect(await store.page(alice, "a_b_c_d_e", 0, 9, MANY)).toEqual([]);
    });

    describe("logs and mirrors are append-only", () => {
      const hash = `0x${"9e".repeat(32)}`;
      const keys = ["coop1_00000000000000000000", `mirror1.${hash}_${bob}.00000000000000000003`, "coop1_x"];
      const sha256 = "89e674b01e5f5f7edb286b33dc2a0ae5887bddd5ba6853a34745ed8a4409c9fc"; // of "one!"

      test.each(keys)("%s: other bytes are refused with the SHA-256 that is there", async (key) => {
        expect(await put(key, "one!")).toBe("stored");
        expect(await put(key, "two!")).toEqual({ kept: key, sha256 });
        await store.makeBucket("a2", alice, "memory");
        expect(await put(key, "two!", alice, "a2")).toEqual({ kept: key, sha256 });
        expect(await get(key)).toBe("one!");
        expect(await put(key, "two!", bob, "b")).toBe("stored");
      });

      test.each(keys)("%s: the same bytes again are stored, and add no row", async (key) => {
        for (let i = 0; i < 3; i++) expect(await put(key, "one!")).toBe("stored");
        expect(await store.page(alice, key.slice(0, key.indexOf("_")), 0, 9, MANY)).toEqual(["one!"]);
        expect(await store.usage(alice)).toMatchObject({ objects: 1, rows: 1 });
      });

      test.each(keys)("%s: is not deleted with its bucket, nor is anything beside it", async (key) => {
        await put("beside", "it");
        await put(key, "one!");
        expect(await store.deleteBucket("a", alice)).toEqual({ kept: key, sha256 });
        expect([await get(key), await get("beside"), (await store.bucket("a"))?.owner]).toEqual([
          "one!",
          "it",
          alice,
        ]);
      });

      test.each(["coop1", "coop10_1", "mirror1", "xcoop1_1", "Coop1_1"])("%s is no such key", async (key) => {
        await put(key, "one");
        expect(await put(key, "two")).toBe("stored");
        expect(await store.deleteBucket("a", alice)).toBe("deleted");
        expect(await get(key)).toBeUndefined();
      });

      test("of two at once the first is kept", async () => {
        const results = await Promise.all([put("coop1_1", "one!"), put("coop1_1", "two!")]);
        expect(results).toEqual(["stored", { kept: "coop1_1", sha256 }]);
        expect(await get("coop1_1")).toBe("one!");
      });
    });

    describe("quotas", () => {
      const limited = (of: keyof Quota, member: keyof Usage, limit: number) =>
        (quota = { ...UNLIMITED, [of]: { ...UNLIMITED[of], [member]: limit } });

      test("what a wallet uses is counted, and given back when its bucket is deleted", async () => {
        await put("k", "value");
        await put("log_1", "12345");
        await put("log_1", "123");
        const bytes = 2 * OVERHEAD + 1 + 5 + 5 + 3;
        expect(await store.usage(alice)).toEqual({ bytes, objects: 2, buckets: 1, rows: 2 });
        expect(await store.usage()).toEqual({ bytes, objects: 2, buckets: 2, rows: 2 });
        await store.deleteBucket("a", alice);
        expect(await store.usage(alice)).toEqual({ bytes: 0, objects: 0, buckets: 0, rows: 2 });
      });

      test.each<[keyof Usage, number, string]>([
        ["bytes", OVERHEAD + 20, "other"],
        ["objects", 1, "other"],
        ["rows", 1, "log_1"],
      ])("a wallet at its limit of %s is refused, and no other wallet is", async (member, limit, key) => {
        limited("wallet", member, limit);
        expect(await put("log_1", "value")).toBe("stored");
        expect(await put(key, "value")).toEqual({ full: member, of: "wallet", limit });
        expect(await get("other")).toBeUndefined();
        expect(await put("log_1", "value", bob, "b")).toBe("stored");
      });

      test("so is one with too many buckets", async () => {
        limited("wallet", "buckets", 2);
        expect(await store.makeBucket("a2", alice, "memory")).toBe("made");
        expect(await store.makeBucket("a3", alice, "memory")).toMatchObject({
          full: "buckets",
          of: "wallet",
        });
        expect(await store.makeBucket("a", alice, "memory")).toBe("there");
        expect(await store.makeBucket("b2", bob, "memory")).toBe("made");
      });

      test("the limit of all holds for everybody; an exempt wallet has no limit of its own", async () => {
        exempt = bob;
        quota = {
          wallet: { ...UNLIMITED.wallet, objects: 1 },
          all: { ...UNLIMITED.all, objects: 3 },
        };
        await put("k", "v");
        expect(await put("k2", "v")).toEqual({ full: "objects", of: "wallet", limit: 1 });
        for (const key of ["k", "k2"]) expect(await put(key, "v", bob, "b")).toBe("stored");
        expect(await put("k3", "v", bob, "b")).toEqual({ full: "objects", of: "all", limit: 3 });
      });

      test("at the limit, the same key takes a value of the same size, and deleting makes room", async () => {
        limited("wallet", "objects", 1);
        await put("k", "one");
        expect(await put("k", "two")).toBe("stored");
        expect(await put("k2", "v")).toMatchObject({ full: "objects" });
        await store.deleteBucket("a", alice);
        await store.makeBucket("a", alice, "memory");
        expect(await put("k2", "v")).toBe("stored");
      });
    });

    test("deleting a bucket of many objects takes them all, and its name is free afterwards", async () => {
      const keys = Array.from({ length: 200 }, (_, i) => `log_${i}`);
      await Promise.all(keys.map((key) => put(key, key)));
      await store.makeBucket("a2", alice, "memory");
      await put("log_150", "moved", alice, "a2");
      const deleting = store.deleteBucket("a", alice);
      const making = store.makeBucket("a", bob, "memory");
      expect([await deleting, await making]).toEqual(["deleted", "made"]);
      const left = await Promise.all(keys.map(async (key) => ((await get(key)) === undefined ? [] : [key])));
      expect(left.flat()).toEqual(["log_150"]);
      expect(await store.page(alice, "log", 0, 9, MANY)).toEqual(["moved", "moved"]);
    });

    test("concurrent writes are all kept, each in a row of its own", async () => {
      const keys = Array.from({ length: 200 }, (_, i) => `log_${i}`);
      const results = await Promise.all(keys.map((key) => put(key, key)));
      expect(new Set(results)).toEqual(new Set(["stored"]));
      expect([...(await store.page(alice, "log", 0, 999, MANY))].sort()).toEqual([...keys].sort());
    });

    test("what is returned is not what is kept", async () => {
      const bytes = utf8("value");
      await store.put(alice, "a", "k", bytes, 1);
      bytes[0] = 0;
      expect(await get("k")).toBe("value");
    });

    test("everything is there after reopening, and rows go on", async () => {
      if (reopen === undefined) return;
      await put("log_1", "one");
      await put("log_2", "two");
      store = await reopen();
      expect(await get("log_1")).toBe("one");
      expect(await store.bucket("a")).toEqual({ owner: alice, kind: "memory" });
      await put("log_3", "three");
      expect(await store.page(alice, "log", 0, 9, MANY)).toEqual(["one", "two", "three"]);
      expect(await store.usage()).toMatchObject({ objects: 3, buckets: 2, rows: 3 });
    });
  });
}

describe("bytes of a text as JSON", () => {
  test.each(["", "plain", '"\\', "\b\f\n\r\t", "\u0000\u001f\u007f", "é", "\u2028€", "\u{1f3b2}x"])(
    "%j",
    (text) => expect(jsonBytes(text)).toBe(utf8(JSON.stringify(text)).length),
  );
});
