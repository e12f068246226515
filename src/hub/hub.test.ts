import "fake-indexeddb/auto";
import { expect, test } from "vitest";
import { MemoryStore } from "../server/hub-store.memory.ts";
import { startServer } from "../server/server.ts";
import { FaultyHub } from "../testing/hub-faults.ts";
import { systemHubEnvironment } from "./hub-environment.ts";
import { HttpHub } from "./hub.http.ts";
import { alice, hubCode, hubContract } from "./hub.contract.ts";
import { openBrowserHub } from "./hub.indexeddb.ts";
import { MemoryHub } from "./hub.memory.ts";

let databases = 0;

hubContract("memory", async () => ({ hub: new MemoryHub(), close: () => undefined }));

hubContract("one that may misbehave and does not", async () => ({
  hub: new FaultyHub(new MemoryHub()),
  close: () => undefined,
}));

hubContract("IndexedDB", async () => {
  const hub = await openBrowserHub(`hub-${databases++}`);
  return { hub, close: () => hub.close() };
});

hubContract("HTTP, against our server", async () => {
  const server = await startServer({ store: new MemoryStore() });
  return { hub: new HttpHub(server.url, systemHubEnvironment()), close: () => server.close() };
});

test("a browser's Hub is there again after closing", async () => {
  const first = await openBrowserHub("kept");
  await first.put(alice, "log_1", new TextEncoder().encode("one"));
  first.close();
  const second = await openBrowserHub("kept");
  expect(await second.page(alice.address, "log", 0, 10)).toEqual(["one"]);
  await second.put(alice, "log_2", new TextEncoder().encode("two"));
  expect(await second.page(alice.address, "log", 0, 10)).toEqual(["one", "two"]);
  second.close();
});

test("a browser without storage is told so", async () => {
  const there = globalThis.indexedDB;
  Reflect.deleteProperty(globalThis, "indexedDB");
  try {
    expect(await hubCode(openBrowserHub("nowhere"))).toBe("no-storage");
  } finally {
    globalThis.indexedDB = there;
  }
});
