// Records of a store: from LMDB to a backup and back, to PostgreSQL, and what a damaged backup is.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { PgliteDatabase } from "../testing/sql.pglite.ts";
import { LmdbStore } from "./hub-store.lmdb.ts";
import { PostgresStore } from "./hub-store.postgres.ts";
import type { Store } from "./hub-store.ts";
import { dumpLmdb, loadLmdb } from "./lmdb-dump.ts";
import { loadPostgres, withDump } from "./postgres-dump.ts";
import { sqlRetry } from "./postgres-open.ts";
import type { SqlDatabase } from "./sql.ts";
import { backupLines, readBackup, sumOf, type StoreRecord } from "./store-dump.ts";

const [alice, bob] = ["a1", "b2"].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address];
let folder: string;
let engine: PgliteDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "coop-dump-"));
  engine = await PgliteDatabase.open();
  const store = new LmdbStore(join(folder, "a"));
  await fill(store);
  await store.close();
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

/** Logs, a mirror, overwritten values, bytes that are no text, a deleted bucket, strange keys. */
async function fill(store: Store): Promise<void> {
  for (const [name, owner] of [
    ["a", alice],
    ["gone", alice],
    ["b", bob],
  ] as const)
    await store.makeBucket(name, owner, "memory");
  for (let seq = 0; seq < 1_200; seq++)
    await store.put(alice, "a", `coop1_${String(seq).padStart(20, "0")}`, utf8(`entry ${seq}`), seq);
  await store.put(bob, "b", `mirror1.x_${alice}.1`, utf8("mirrored"), 7);
  for (const text of ["one", "two"]) await store.put(alice, "a", "note_a_b", utf8(text), 8);
  await store.put(alice, "gone", "note_gone", utf8("gone"), 9);
  await store.put(bob, "b", "\u0000\u202ekey_", new Uint8Array([0xff, 0, 1]), 10);
  await store.deleteBucket("gone", alice);
}

async function everythingOf(store: Store) {
  const page = async (owner: Address, id: string, offset = 0) => store.page(owner, id, offset, 1024, 1e6);
  return {
    pages: [
      await page(alice, "coop1"),
      await page(alice, "coop1", 1024),
      await page(alice, "note"),
      await page(alice, "note_a"),
      await page(bob, "mirror1.x"),
    ],
    values: [await store.get(bob, "\u0000\u202ekey_"), await store.get(alice, "note_gone")],
    buckets: [await store.bucket("a"), await store.bucket("b"), await store.bucket("gone")],
    usage: [await store.usage(alice), await store.usage(bob), await store.usage()],
    kept: [
      await store.deleteBucket("a", alice),
      await store.put(alice, "a", "coop1_" + "0".repeat(20), utf8("x"), 1),
    ],
  };
}

const records = async (): Promise<StoreRecord[]> => {
  const found: StoreRecord[] = [];
  for await (const record of dumpLmdb(join(folder, "a"))) found.push(record);
  return found;
};
async function* lines(text: string): AsyncGenerator<string> {
  yield* text.split("\n").slice(0, -1);
}
const backup = async (): Promise<string> => {
  let text = "";
  for await (const line of backupLines(dumpLmdb(join(folder, "a")))) text += line;
  return text;
};

/** PGlite without what another test left, kept open by the stores that are closed on it. */
async function emptied(): Promise<SqlDatabase> {
  await engine.script("DROP SCHEMA public CASCADE; CREATE SCHEMA public;");
  return {
    query: (text, values) => engine.query(text, values),
    script: (text) => engine.script(text),
    transaction: (work) => engine.transaction(work),
    close: async () => undefined,
  };
}

test("a restored folder holds the same, and goes on from there", async () => {
  const text = await backup();
  await loadLmdb(join(folder, "b"), readBackup(lines(text)));
  const [original, restored] = ["a", "b"].map((name) => new LmdbStore(join(folder, name)));
  expect(await everythingOf(restored!)).toEqual(await everythingOf(original!));
  await restored!.put(alice, "a", "coop1_next", utf8("next"), 1);
  expect(restored!.page(alice, "coop1", 1_200, 9, 1e6)).toEqual(["next"]);
  await original!.close();
  await restored!.close();
  await expect(loadLmdb(join(folder, "b"), readBackup(lines(text)))).rejects.toThrow("holds a store already");
});

test("PostgreSQL filled from LMDB holds the same by hash, and by every read", async () => {
  const database = await emptied();
  await loadPostgres(database, dumpLmdb(join(folder, "a")));
  expect(await withDump(database, sumOf)).toEqual(await sumOf(dumpLmdb(join(folder, "a"))));
  const store = await PostgresStore.open(database, sqlRetry(1_000));
  const original = new LmdbStore(join(folder, "a"));
  expect(await everythingOf(store)).toEqual(await everythingOf(original));
  await original.close();
});

test("a load that was cut off is begun again and ends with the same", async () => {
  const database = await emptied();
  const all = await records();
  async function* cutOff(): AsyncGenerator<StoreRecord> {
    yield* all.slice(0, 1_500);
    throw new Error("the cable was pulled");
  }
  await expect(loadPostgres(database, cutOff())).rejects.toThrow("cable");
  expect((await withDump(database, sumOf)).objects).toBeGreaterThan(0);
  await loadPostgres(database, dumpLmdb(join(folder, "a")));
  expect(await withDump(database, sumOf)).toEqual(await sumOf(dumpLmdb(join(folder, "a"))));
});

test("from PostgreSQL back to a folder it is the same again", async () => {
  const database = await emptied();
  await loadPostgres(database, dumpLmdb(join(folder, "a")));
  await withDump(database, (dump) => loadLmdb(join(folder, "c"), dump));
  expect(await sumOf(dumpLmdb(join(folder, "c")))).toEqual(await sumOf(dumpLmdb(join(folder, "a"))));
});

test.each<[string, (text: string) => string, string]>([
  ["cut off", (text) => text.slice(0, text.lastIndexOf('{"end"')), "cut off"],
  ["with a changed value", (text) => text.replace("ZW50cnkgNw==", "ZW50cnkgOA=="), "do not add up"],
  ["with a line left out", (text) => text.replace(/\["row".*\n/, ""), "do not add up"],
  ["of something else", () => "{}\n", "no backup of a Hub"],
  ["with a broken line", (text) => text.replace('["bucket"', '["bucke"'), "line 2 is no record"],
  ["with more after its end", (text) => `${text}["row"]\n`, "after the end"],
])("a backup %s is refused, and nothing is made", async (_what, change, message) => {
  const text = change(await backup());
  await expect(loadLmdb(join(folder, "damaged"), readBackup(lines(text)))).rejects.toThrow(message);
  await expect(sumOf(dumpLmdb(join(folder, "damaged")))).rejects.toThrow("holds no store");
});
