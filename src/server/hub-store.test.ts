import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { expect, test } from "vitest";
import type { Address } from "../core/values.ts";
import { LmdbStore } from "./hub-store.lmdb.ts";
import { MemoryStore } from "./hub-store.memory.ts";
import { storeContract } from "./hub-store.contract.ts";
import { objectKey, rowKey, rowPrefix } from "./lmdb-records.ts";

const alice: Address = `0x${"a1".repeat(20)}`;

const folder = () => mkdtempSync(join(tmpdir(), "coop-store-"));

storeContract("memory", (quota) => ({
  store: new MemoryStore(quota),
  reopen: undefined,
  cleanUp: () => undefined,
}));

storeContract("LMDB", (quota) => {
  const dir = folder();
  const store = new LmdbStore(dir, quota);
  const reopen = async () => {
    await store.close();
    return new LmdbStore(dir, quota);
  };
  return { store, reopen, cleanUp: () => rmSync(dir, { recursive: true }) };
});

test("a folder has one server at a time", async () => {
  const dir = folder();
  const store = new LmdbStore(dir);
  expect(() => new LmdbStore(dir)).toThrow(`${dir} is in use by another server`);
  await store.close();
  await new LmdbStore(dir).close();
  rmSync(dir, { recursive: true });
});

test("a store of the first format gets its indexes when it is opened, once", async () => {
  const dir = folder();
  await writeFirstFormat(dir);
  for (let opened = 0; opened < 2; opened++) {
    const store = new LmdbStore(dir);
    expect(store.page(alice, "a", 0, 9, 999)).toEqual(["second", "first"]);
    expect(store.page(alice, "a_b", 0, 9, 999)).toEqual(["second"]);
    expect(store.usage(alice)).toEqual({ bytes: 2 * 200 + 5 + 3 + 11, objects: 2, buckets: 1, rows: 3 });
    expect(store.usage()).toEqual(store.usage(alice));
    await store.close();
  }
  const store = new LmdbStore(dir);
  expect(await store.deleteBucket("a", alice)).toBe("deleted");
  expect(store.page(alice, "a", 0, 9, 999)).toEqual([]);
  await store.close();
  rmSync(dir, { recursive: true });
});

/** A bucket with two objects, as written before there were indexes: `a_b_1` first, then `a_1`. */
async function writeFirstFormat(dir: string): Promise<void> {
  const root = open<Uint8Array, Uint8Array>({
    path: join(dir, "hub.mdb"),
    encoding: "binary",
    keyEncoding: "binary",
    maxDbs: 8,
  });
  const table = (name: string) =>
    root.openDB<Uint8Array, Uint8Array>({ name, encoding: "binary", keyEncoding: "binary" });
  const [buckets, objects, rows, counts] = ["buckets", "objects", "rows", "counts"].map(table);
  const object = (text: string) =>
    Buffer.concat([Buffer.alloc(8), Buffer.from([1]), Buffer.from("a"), Buffer.from(text)]);
  root.transactionSync(() => {
    void buckets!.put(Buffer.from("a"), Buffer.from(`${alice}memory`));
    for (const [row, [key, text]] of [
      ["a_b_1", "second"],
      ["a_1", "first"],
    ].entries()) {
      void objects!.put(objectKey(alice, key!), object(text!));
      void rows!.put(rowKey(rowPrefix(alice, "a"), row), Buffer.from(key!));
    }
    void counts!.put(rowPrefix(alice, "a"), Buffer.from([0, 0, 0, 0, 0, 2]));
  });
  await root.close();
}

test("a closed store takes no writes", async () => {
  const dir = folder();
  const store = new LmdbStore(dir);
  await store.close();
  await expect(store.makeBucket("a", `0x${"a1".repeat(20)}`, "memory")).rejects.toThrow("closed");
  rmSync(dir, { recursive: true });
});
