// All stores under one contract, and how each says that it could not keep something.

import "fake-indexeddb/auto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { indexedDbStore } from "./key-value-store.indexeddb.ts";
import { memoryStore } from "./key-value-store.memory.ts";
import { fileStore } from "./key-value-store.node.ts";
import { sealedStore, type TextSealer } from "./key-value-store.sealed.ts";
import { storeContract } from "./key-value-store.contract.ts";

let count = 0;
const directories: string[] = [];
async function freshDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "coop-store-"));
  directories.push(directory);
  return join(directory, "store");
}
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

storeContract("memory", async () => {
  const store = memoryStore();
  return { reopen: async () => store };
});
storeContract("IndexedDB", async () => {
  const name = `store-${count++}`;
  return { reopen: () => indexedDbStore(name) };
});
storeContract("files", async () => {
  const directory = await freshDirectory();
  return { reopen: () => fileStore(directory) };
});

storeContract("sealed", async () => {
  const store = memoryStore();
  return { reopen: async () => sealedStore(store, reversing, [""]) };
});

/** Seals a text so that a test can read it: backwards, with its purpose. */
const reversing: TextSealer = {
  seal: async (purpose, text) => JSON.stringify([purpose, [...text].reverse().join("")]),
  open: async (purpose, sealed) => {
    const [of, text] = JSON.parse(sealed) as [string, string];
    return of === purpose ? [...text].reverse().join("") : undefined;
  },
};

test("secret texts lie sealed, others as they are, and plain ones of before are sealed", async () => {
  const inner = memoryStore();
  await inner.put("salt/old", "before");
  const store = sealedStore(inner, reversing, ["salt/", "domain/"]);
  await store.put("salt/new", "secret");
  await store.put("head", "public");
  expect(await inner.get("head")).toBe("public");
  expect(await inner.get("salt/new")).toBe('sealed:["salt/new","terces"]');
  await expect.poll(() => inner.get("salt/old")).toBe('sealed:["salt/old","erofeb"]');
  expect(await Promise.all(["salt/old", "salt/new"].map((key) => store.get(key)))).toEqual([
    "before",
    "secret",
  ]);
});

test("a sealed text under another key does not open", async () => {
  const inner = memoryStore();
  const store = sealedStore(inner, reversing, ["salt/", "domain/"]);
  await store.put("salt/a", "secret");
  await inner.put("salt/b", (await inner.get("salt/a"))!);
  expect(await store.get("salt/b")).toBeUndefined();
});

test("files are their owner's alone, and drafts of a crash are removed on opening", async () => {
  const directory = await freshDirectory();
  const store = await fileStore(directory);
  await store.put("salt", "secret");
  await writeFile(join(directory, ".draft-0011"), "half");
  await fileStore(directory);
  expect(await readdir(directory)).toEqual(["salt"]);
  expect((await stat(join(directory, "salt"))).mode & 0o777).toBe(0o600);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test("a place that cannot be a directory is unavailable", async () => {
  const directory = await freshDirectory();
  await writeFile(directory, "a file");
  await expect(fileStore(directory)).rejects.toMatchObject({ code: "unavailable" });
});

test("a browser without IndexedDB is unavailable, not silent", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("not here", "SecurityError");
    },
  });
  await expect(indexedDbStore("private")).rejects.toMatchObject({ code: "unavailable" });
  vi.unstubAllGlobals();
});
