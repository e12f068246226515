import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { openDB } from "idb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Ref } from "../../core/values.ts";
import { browserKnownHeads, memoryKnownHeads } from "./known-heads-store.ts";

const ref = (n: number): Ref => `0x${"a1".repeat(20)}:${n}:0x${n.toString(16).padStart(64, "0")}`;

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));

describe.each([
  ["memory", memoryKnownHeads],
  ["IndexedDB", () => browserKnownHeads()],
])("known heads in %s", (_, open) => {
  test("a session that was not seen has none", async () => {
    expect(await open().get(ref(1))).toEqual([]);
  });

  test("what was put last is read back, by session", async () => {
    const heads = open();
    await heads.put(ref(1), [ref(2)]);
    await heads.put(ref(1), [ref(3), ref(4)]);
    await heads.put(ref(2), [ref(5)]);
    expect(await heads.get(ref(1))).toEqual([ref(3), ref(4)]);
    expect(await heads.get(ref(2))).toEqual([ref(5)]);
  });
});

test("heads outlive the page", async () => {
  await browserKnownHeads().put(ref(1), [ref(2)]);
  expect(await browserKnownHeads().get(ref(1))).toEqual([ref(2)]);
});

test("what is damaged counts as not seen", async () => {
  await browserKnownHeads().put(ref(1), [ref(2)]);
  const db = await openDB("coop-known-heads");
  await db.put("heads", ["<b>"], ref(1));
  expect(await browserKnownHeads().get(ref(1))).toEqual([]);
});

test("without IndexedDB this page remembers, and nothing fails", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("no", "SecurityError");
    },
  });
  const heads = browserKnownHeads();
  await heads.put(ref(1), [ref(2)]);
  expect(await heads.get(ref(1))).toEqual([ref(2)]);
});

test("storage that does not answer is an error, not a session that was never seen", async () => {
  await browserKnownHeads().put(ref(1), [ref(2)]);
  const there = indexedDB;
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("Internal error opening backing store", "UnknownError");
    },
  });
  const heads = browserKnownHeads();
  await expect(heads.get(ref(1))).rejects.toMatchObject({ code: "failed" });
  await expect(heads.put(ref(1), [ref(3)])).rejects.toMatchObject({ code: "failed" });
  vi.stubGlobal("indexedDB", there);
  expect(await browserKnownHeads().get(ref(1))).toEqual([ref(2)]);
});
