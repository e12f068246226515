import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../core/values.ts";
import { createIndexedCache } from "./findings-cache.indexeddb.ts";
import { createMemoryCache, readFinding, RULES_VERSION, type FindingCache } from "./findings-cache.ts";
import { breakSig } from "./verifier.contract.ts";
import type { Finding } from "./findings.ts";
import { createInlineVerifier } from "./verifier.inline.ts";
import { plainMethods } from "./engine.ts";
import { sampleEntries } from "../testing/signed-entries.ts";

const entries = sampleEntries(12, 2);
const wires = entries.map((entry) => entry.wire);
const place = { wallet: entries[0]!.wallet, seq: 0, prev: null, hash: entries[0]!.hash };
const good: Finding = { state: "verified", place };

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

/** Counts what reaches the engine. */
function counting(cache: FindingCache) {
  let checked = 0;
  const hashing = {
    ...plainMethods.hashing,
    keccak: (...parts: readonly Uint8Array[]) => {
      checked++;
      return plainMethods.hashing.keccak(...parts);
    },
  };
  const verifier = createInlineVerifier({ methods: { ...plainMethods, hashing }, cache });
  return { verifier, checked: () => checked };
}

describe.each([
  ["memory", () => createMemoryCache()],
  ["IndexedDB", () => createIndexedCache()],
])("cache in %s", (_name, create) => {
  test("what was verified is not checked again; other bytes are", async () => {
    const cache = create();
    const first = counting(cache);
    const report = await first.verifier.verify(wires, { level: "verified" });
    const again = counting(cache);
    const repeated = await again.verifier.verify(wires, { level: "verified" });
    expect([report.counts, again.checked()]).toEqual([repeated.counts, 0]);
    const broken = breakSig(entries[5]!);
    const other = await again.verifier.verify(wires.with(5, broken.wire), { level: "verified" });
    expect(other.counts).toEqual({ verified: 11, covered: 0, rejected: 1, unchecked: 0 });
    expect(again.checked()).toBeGreaterThan(0);
  });

  test("unchecked findings are not kept", async () => {
    const cache = create();
    await cache.putMany([[sha256("a"), { state: "unchecked", why: "killed" }]]);
    await cache.putMany([[sha256("b"), { state: "parsed", place }]]);
    expect(await cache.getMany([sha256("a"), sha256("b")])).toEqual([undefined, undefined]);
  });
});

test("memory holds no more than its bound, the latest kept", async () => {
  const cache = createMemoryCache(2);
  const keys = ["a", "b", "c"].map((text) => sha256(text));
  await cache.putMany(keys.map((key) => [key, good]));
  expect(await cache.getMany(keys)).toEqual([undefined, good, good]);
});

test("IndexedDB outlives the page, but not the rules", async () => {
  const key = sha256(wires[0]!);
  await createIndexedCache().putMany([[key, good]]);
  expect(await createIndexedCache().getMany([key])).toEqual([good]);
  expect(RULES_VERSION).toMatch(/^coop1-\d+$/);
});

test("findings of other rules are dropped", async () => {
  const key = sha256(wires[0]!);
  const request = indexedDB.open("coop-findings", 3);
  await new Promise<void>((resolve) => {
    request.onupgradeneeded = () => request.result.createObjectStore("coop0-9").put(good, key);
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
  expect(await createIndexedCache().getMany([key])).toEqual([undefined]);
});

test("without IndexedDB everything still works, from memory", async () => {
  globalThis.indexedDB = {
    open: () => {
      throw new Error("refused in a private window");
    },
  } as unknown as IDBFactory;
  const cache = createIndexedCache();
  await cache.putMany([[sha256("a"), good]]);
  expect(await cache.getMany([sha256("a")])).toEqual([good]);
});

test("what comes back from a store in another form is not taken", () => {
  expect(readFinding(good)).toEqual(good);
  for (const value of [
    undefined,
    null,
    "verified",
    true,
    {},
    { state: "covered" },
    { state: "verified" },
    { state: "verified", place: { ...place, hash: "0x" } },
    { state: "unchecked", why: "" },
  ])
    expect(readFinding(value)).toBeUndefined();
});
