// The store on a real PostgreSQL server, with several nodes at once: the contract, races for one key and for a quota, and a
// server that goes away and comes back.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { execute, startPostgres, type PostgresServer } from "../testing/postgres-server.ts";
import { storeContract } from "./hub-store.contract.ts";
import { BUCKET, ENTRY_ROWS, OBJECT_ROWS, PostgresStore, SWEEP, VERSION } from "./hub-store.postgres.ts";
import { FIND, LOCK } from "./postgres-batch.ts";
import { FIND_ENTRIES, FIND_OBJECTS } from "./postgres-reads.ts";
import { StoreUnavailable } from "./hub-store.ts";
import { OVERHEAD, QUOTA_OPTIONS, UNLIMITED, type QuotaOptions } from "./quota.ts";
import { openPostgres } from "./postgres-open.ts";

const owners = ["a1", "b2", "c3"].map((byte): Address => `0x${byte.repeat(20)}`);
const [alice] = owners as [Address];

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(["fsync=off"]);
});
afterAll(() => postgres.close());

const open = (url: string, quota: QuotaOptions = QUOTA_OPTIONS): Promise<PostgresStore> =>
  openPostgres({ url, connections: 4, patienceMs: 4_000 }, quota);

let contractUrl: string;
beforeAll(async () => {
  contractUrl = await postgres.newDatabase();
});
storeContract("PostgreSQL (server)", async (quota) => {
  await execute(contractUrl, "DROP SCHEMA public CASCADE; CREATE SCHEMA public;");
  return {
    store: await open(contractUrl, quota),
    reopen: () => open(contractUrl, quota),
    cleanUp: () => undefined,
  };
});

describe("several nodes on one database", () => {
  const nodes: PostgresStore[] = [];
  const start = async (count: number, quota?: QuotaOptions) => {
    const url = await postgres.newDatabase();
    nodes.push(...(await Promise.all(Array.from({ length: count }, () => open(url, quota)))));
    return nodes;
  };
  const stop = async () => {
    for (const node of nodes.splice(0)) await node.close();
  };

  test("nodes that start together on an empty database all come up", async () => {
    const [first] = await start(4);
    expect(await first!.makeBucket("a", alice, "memory")).toBe("made");
    for (const node of nodes) expect(await node.bucket("a")).toEqual({ owner: alice, kind: "memory" });
    await stop();
  });

  test("of different values under one key at two nodes at once one is kept, in every race", async () => {
    const [one, two] = await start(2);
    await one!.makeBucket("a", alice, "memory");
    const rounds = 60;
    let lostByFirst = 0;
    for (let seq = 0; seq < rounds; seq++) {
      const key = `coop1_${String(seq).padStart(20, "0")}`;
      const writes = [one!, two!].map((node, i) => node.put(alice, "a", key, utf8(`value ${i}`), 1));
      const results = await Promise.all(writes);
      const winner = results.indexOf("stored");
      expect(
        results.map((result) => (typeof result === "object" ? Object.keys(result) : result)).sort(),
      ).toEqual([...[["kept", "sha256"], "stored"]]);
      if (winner === 1) lostByFirst++;
      for (const node of nodes) expect(fromUtf8((await node.value(alice, key))!)).toBe(`value ${winner}`);
    }
    expect(lostByFirst).toBeGreaterThan(0); // else there was no race
    expect(await one!.page(alice, "coop1", 0, 1024, 1e6)).toHaveLength(rounds);
    expect(await one!.usage(alice)).toMatchObject({ objects: rounds, rows: rounds });
    await stop();
  });

  test("a wallet's and everybody's quota hold to the value, whichever node takes the writes", async () => {
    const quota = {
      quota: { wallet: { ...UNLIMITED.wallet, objects: 50 }, all: { ...UNLIMITED.all, objects: 120 } },
      exempt: () => false,
    };
    await start(3, quota);
    for (const [i, owner] of owners.entries()) await nodes[0]!.makeBucket(`b${i}`, owner, "memory");
    const writes = Array.from({ length: 70 }, (_, n) =>
      owners.map((owner, i) => nodes[(n + i) % 3]!.put(owner, `b${i}`, `key${n}`, utf8("v"), 1)),
    ).flat();
    const results = await Promise.all(writes);
    expect(results.filter((result) => result === "stored")).toHaveLength(120);
    const used = await Promise.all(owners.map((owner) => nodes[0]!.usage(owner)));
    for (const { objects } of used) expect(objects).toBeLessThanOrEqual(50);
    const [total] = await Promise.all([nodes[1]!.usage()]);
    expect(total).toMatchObject({ objects: 120, buckets: 3, rows: 0 });
    expect(total.bytes).toBe(used.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(total.bytes).toBeGreaterThan(120 * OVERHEAD);
    await stop();
  });

  test("a server that crashes and comes back loses no acknowledged write, and writes wait for it", async () => {
    const [node] = await start(1);
    await node!.makeBucket("a", alice, "memory");
    const put = (seq: number) => node!.put(alice, "a", `coop1_${seq}`, utf8(`value ${seq}`), 1);
    for (let seq = 0; seq < 20; seq++) expect(await put(seq)).toBe("stored");
    const during = Array.from({ length: 40 }, (_, i) => put(20 + i));
    await postgres.kill();
    const waiting = put(60);
    await postgres.start();
    expect(new Set(await Promise.all([...during, waiting]))).toEqual(new Set(["stored"]));
    for (let seq = 0; seq <= 60; seq++)
      expect(fromUtf8((await node!.value(alice, `coop1_${seq}`))!)).toBe(`value ${seq}`);
    expect(await node!.usage(alice)).toMatchObject({ objects: 61, rows: 61 });
    await stop();
  });

  test("a server that stays away fails reads and writes; both work once it is back", async () => {
    const url = await postgres.newDatabase();
    const node = await openPostgres({ url, connections: 2, patienceMs: 200 }, QUOTA_OPTIONS);
    await node.makeBucket("a", alice, "memory");
    await postgres.kill();
    await expect(node.put(alice, "a", "k", utf8("v"), 1)).rejects.toThrow(StoreUnavailable);
    await expect(node.value(alice, "k")).rejects.toThrow(StoreUnavailable);
    await postgres.start();
    expect(await node.put(alice, "a", "k", utf8("v"), 1)).toBe("stored");
    await node.close();
  });
});

test("no query of the store scans a table: of 20,000 entries each plan reads by an index alone", async () => {
  const url = await postgres.newDatabase();
  const store = await open(url);
  await store.makeBucket("a", alice, "memory");
  await execute(
    url,
    `
    INSERT INTO hub_entries SELECT o, 'coop1', convert_to('coop1_' || lpad(n::text, 20, '0'), 'UTF8'), 'a', 'v', 1
      FROM (VALUES ('\\xa1'::bytea), ('\\xb2'), ('\\xc3')) AS owners (o), generate_series(0, 19999) AS n;
    INSERT INTO hub_objects SELECT o, 'k', convert_to('k_' || n, 'UTF8'), 'a', 'v', 1
      FROM (VALUES ('\\xa1'::bytea), ('\\xb2'), ('\\xc3')) AS owners (o), generate_series(0, 19999) AS n;
    INSERT INTO hub_rows SELECT owner, conversation, substr(convert_from(key, 'UTF8'), 7)::bigint, key FROM hub_entries;
    INSERT INTO hub_conversations SELECT convert_to(n::text, 'UTF8'), 'coop1', n FROM generate_series(0, 19999) AS n;
    INSERT INTO hub_usage SELECT convert_to(n::text, 'UTF8') FROM generate_series(0, 19999) AS n;
    INSERT INTO hub_buckets SELECT convert_to(n::text, 'UTF8'), 'o', 'memory' FROM generate_series(0, 19999) AS n;
    ANALYZE;`,
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const key = Buffer.from("coop1_00000000000000000007");
  const [owner, coop1] = [Buffer.from([0xa1]), Buffer.from("coop1")];
  const one = [[owner], [coop1], [key]];
  const queries: [string, unknown[]][] = [
    [FIND_ENTRIES, one],
    [FIND_OBJECTS, one],
    [ENTRY_ROWS, [owner, coop1, 7, coop1, 1024, 2e6]],
    [OBJECT_ROWS, [owner, coop1, 7, coop1, 1024, 2e6]],
    [VERSION, [owner, coop1]],
    [BUCKET, [Buffer.from("7")]],
    [LOCK, [[owner]]],
    [FIND, [[Buffer.from("7")], [owner], [coop1], ...one, ...one]],
    [SWEEP, [owner, Buffer.from("b"), 200]],
  ];
  for (const [text, values] of queries) {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index/);
    expect(plan).not.toMatch(/Seq Scan/);
  }
  await client.end();
  await store.close();
});

describe("what cannot be opened", () => {
  test.each([
    ["postgres://coop@127.0.0.1:1/x", "does not answer at 127.0.0.1:1"],
    ["mysql://127.0.0.1/x", "postgres://user@host:5432/database"],
    ["postgres://", "postgres://user@host:5432/database"],
  ])("%s: %s", async (url, message) => {
    await expect(open(url)).rejects.toThrow(message);
  });

  test("a database that is missing is named, its password is not", async () => {
    const url = postgres.url.replace("coop@", "coop:s3cret@").replace(/postgres$/, "nothing");
    const failure = await open(url).then(
      () => "opened",
      (error: Error) => error.message,
    );
    expect(failure).toContain("nothing");
    expect(failure).not.toContain("s3cret");
  });

  test("a role without the right to make tables is named with what it needs", async () => {
    const url = await postgres.newDatabase();
    await execute(url, "CREATE ROLE reader LOGIN");
    await expect(open(url.replace("coop@", "reader@"))).rejects.toThrow(/may not|right/);
  });

  test("tables of others, and a newer form, are left as they are", async () => {
    const others = await postgres.newDatabase();
    await execute(others, "CREATE TABLE hub_entries (x int)");
    await expect(open(others)).rejects.toThrow("did not make");
    const newer = await postgres.newDatabase();
    await (await open(newer)).close();
    await execute(
      newer,
      "INSERT INTO hub_schema_version (version, name, md5, run_at) VALUES (99, 'x', 'x', now())",
    );
    await expect(open(newer)).rejects.toThrow("form 99");
  });
});
