// The store on PostgreSQL: the contract in PGlite (in this process) and, where COOP_TEST_POSTGRES names one, in a real
// server; and what its tables refuse by themselves.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { PgliteDatabase } from "../testing/sql.pglite.ts";
import { storeContract } from "./hub-store.contract.ts";
import { PostgresStore } from "./hub-store.postgres.ts";
import type { SqlDatabase, SqlRetry } from "./sql.ts";

const alice: Address = `0x${"a1".repeat(20)}`;
const retry: SqlRetry = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  random: () => 0.5,
  patienceMs: 2_000,
};

let engine: PgliteDatabase;
beforeAll(async () => {
  engine = await PgliteDatabase.open();
});
afterAll(() => engine.close());

/** The one engine, which outlives the stores opened on it. */
const kept = (): SqlDatabase => ({
  query: (text, values) => engine.query(text, values),
  script: (text) => engine.script(text),
  transaction: (work) => engine.transaction(work),
  close: async () => undefined,
});

async function emptied(): Promise<void> {
  await engine.script("DROP SCHEMA public CASCADE; CREATE SCHEMA public;");
}

storeContract("PostgreSQL (PGlite)", async (quota) => {
  await emptied();
  return {
    store: await PostgresStore.open(kept(), retry, quota),
    reopen: () => PostgresStore.open(kept(), retry, quota),
    cleanUp: () => undefined,
  };
});

describe("the tables themselves", () => {
  const insert = (table: string, key: string) =>
    engine.query(`INSERT INTO ${table} VALUES ($1, 'coop1', $2, 'a', 'value', 1)`, [
      Buffer.from(alice.slice(2), "hex"),
      Buffer.from(key),
    ]);
  const codeOf = (failed: Promise<unknown>) =>
    failed.then(
      () => "none",
      (error: { code: string }) => error.code,
    );

  test("no second value goes under a key of logs and mirrors, nor one beside its table", async () => {
    await emptied();
    const store = await PostgresStore.open(kept(), retry);
    await store.makeBucket("a", alice, "memory");
    expect(await store.put(alice, "a", "coop1_1", utf8("value"), 1)).toBe("stored");
    expect(await codeOf(insert("hub_entries", "coop1_1"))).toBe("23505"); // unique_violation
    expect(await codeOf(insert("hub_objects", "coop1_2"))).toBe("23514"); // check_violation
    expect(await codeOf(insert("hub_objects", "mirror1.x_2"))).toBe("23514");
    expect(await codeOf(insert("hub_entries", "other"))).toBe("23514");
  });

  test("a batch that meets a value written meanwhile is decided anew by what is there", async () => {
    await emptied();
    let raced = 0;
    const racing: SqlDatabase = {
      ...kept(),
      // Another node writes after this one has read: only a database without its locks lets that happen.
      transaction: (work) =>
        engine.transaction((session) =>
          work({
            script: (text) => session.script(text),
            query: async (text, values) => {
              if (text.includes("INSERT INTO hub_entries") && raced++ === 0) throw uniqueViolation;
              return session.query(text, values);
            },
          }),
        ),
    };
    const store = await PostgresStore.open(racing, retry);
    await store.makeBucket("a", alice, "memory");
    expect(await store.put(alice, "a", "coop1_1", utf8("value"), 1)).toBe("stored");
    expect(raced).toBe(2);
    expect(await store.usage(alice)).toMatchObject({ objects: 1, rows: 1 });
  });
});

const uniqueViolation = Object.assign(new Error("duplicate key"), { code: "23505" });
