import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LmdbStore } from "./hub-store.lmdb.ts";
import { MemoryStore } from "./hub-store.memory.ts";
import { storeContract } from "./hub-store.contract.ts";

const folder = () => mkdtempSync(join(tmpdir(), "coop-store-"));

storeContract("memory", () => ({ store: new MemoryStore(), reopen: undefined, cleanUp: () => undefined }));

storeContract("LMDB", () => {
  const dir = folder();
  const store = new LmdbStore(dir);
  const reopen = async () => {
    await store.close();
    return new LmdbStore(dir);
  };
  return { store, reopen, cleanUp: () => rmSync(dir, { recursive: true }) };
});

test("a folder has one server at a time", async () => {
  const dir = folder();
  const store = new LmdbStore(dir);
  expect(() => new LmdbStore(dir)).toThrow("already open");
  await store.close();
  await new LmdbStore(dir).close();
  rmSync(dir, { recursive: true });
});

test("a dead server's lock is taken over, a living one's is not", async () => {
  const dir = folder();
  // In a container the next process may have the number of the dead one.
  writeFileSync(join(dir, "hub.lock"), String(process.pid));
  await new LmdbStore(dir).close();
  writeFileSync(join(dir, "hub.lock"), String(process.ppid));
  expect(() => new LmdbStore(dir)).toThrow(`in use by process ${process.ppid}`);
  rmSync(dir, { recursive: true });
});

test("a closed store takes no writes", async () => {
  const dir = folder();
  const store = new LmdbStore(dir);
  await store.close();
  await expect(store.makeBucket("a", `0x${"a1".repeat(20)}`, "memory")).rejects.toThrow("closed");
  rmSync(dir, { recursive: true });
});
