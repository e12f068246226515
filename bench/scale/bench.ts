// The store on PostgreSQL beside LMDB behind the same server, beside the bare driver doing the same inserts, and as it grows.
// A PostgreSQL server of its own, with fsync. Ratios hold within one run.
// Run: node --import tsx bench/scale/bench.ts [--seconds 4] [--entries 10000,100000,1000000]

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import pg from "pg";
import { authorization, signInText } from "../../src/hub/sign-in.ts";
import { bucketOf, paths } from "../../src/hub/hub-api.ts";
import { appendKey } from "../../src/hub/log-keys.ts";
import { openPostgres } from "../../src/server/postgres-open.ts";
import { QUOTA_OPTIONS } from "../../src/server/quota.ts";
import { execute, startPostgres } from "../../src/testing/postgres-server.ts";
import { localWallet } from "../../src/wallet/wallet.local.ts";
import { load, type LoadResult } from "../hub/load.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    entries: { type: "string", default: "10000,100000,1000000" },
  },
});
const TURNS = 2 * Number(values.seconds);
const SIZES = values.entries.split(",").map(Number);
const CONNECTIONS = 64;
const wallet = localWallet(`0x${"42".repeat(32)}`);
const bucket = bucketOf(wallet.address);
const body = (seq: number): string => JSON.stringify({ seq, text: "x".repeat(560) });

interface Contestant {
  readonly append: (ms: number) => Promise<LoadResult>;
  readonly read: (ms: number) => Promise<LoadResult>;
  readonly stop: () => Promise<void>;
}

async function served(kind: string): Promise<Contestant> {
  const program = new URL("../hub/serve.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", program, kind], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const url = await line(child);
  const issuedAt = Date.now();
  const text = signInText({
    ...{ address: wallet.address, domain: "bench", uri: url, nonce: "benchbench", issuedAt },
  });
  const header = authorization(wallet.address, issuedAt, wallet.signTextNow(text), text);
  const request = (method: string, path: string, content: string): Buffer =>
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${header}\r\nContent-Length: ${content.length}\r\n\r\n${content}`,
    );
  await load(url, 1, 50, 201, () => request("PUT", paths.bucket(bucket), '{"kind":"memory"}')).catch(
    () => undefined,
  );
  let written = 0;
  const put = (): Buffer => request("PUT", paths.object(bucket, appendKey(written)), body(written++));
  const get = (i: number): Buffer =>
    request("GET", paths.content(bucket, appendKey((i * 7919) % written), wallet.address), "");
  return {
    append: (ms) => load(url, CONNECTIONS, ms, 202, put),
    read: (ms) => load(url, CONNECTIONS, ms, 200, get),
    stop: async () => {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

async function line(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout!, "data")) as [Buffer];
  return chunk.toString().trim();
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

function show(
  what: string,
  names: readonly [string, string],
  rates: readonly number[][],
  goal: number,
): void {
  const [ours, peer] = [median(rates[0]!), median(rates[1]!)];
  const ratio = ours / peer;
  console.log(
    `${what.padEnd(24)} ${names[0]} ${ours.toFixed(0)}/s, ${names[1]} ${peer.toFixed(0)}/s: ${ratio.toFixed(2)} (goal ${goal}${ratio >= goal ? "" : ", below"})`,
  );
}

/** Work at once, for so long; how often a second it was done. */
async function rate(ms: number, work: (i: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let count = 0;
  const one = async (): Promise<void> => {
    while (performance.now() - begun < ms) await work(count++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return (count / (performance.now() - begun)) * 1000;
}

const postgres = await startPostgres(["shared_buffers=512MB", "max_wal_size=4GB"]);

process.env["BENCH_STORE"] = await postgres.newDatabase();
const pair = [await served("postgres"), await served("lmdb")];
for (const [phase, goal] of [
  ["append", 0.35],
  ["read", 0.5],
] as const) {
  const rates: number[][] = [[], []];
  for (const one of pair) await one[phase](500); // warm
  for (let turn = 0; turn < TURNS; turn++)
    for (const [i, one] of pair.entries()) rates[i]!.push((await one[phase](500)).perSecond);
  show(`${phase} over HTTP`, ["PostgreSQL", "LMDB"], rates, goal);
}
for (const one of pair) await one.stop();

const url = await postgres.newDatabase();
const store = await openPostgres({ url, connections: 10 }, QUOTA_OPTIONS);
await store.makeBucket(bucket, wallet.address, "memory");
const pool = new pg.Pool({ connectionString: url, max: 10 });
await pool.query("CREATE TABLE bare (LIKE hub_entries INCLUDING ALL)");
const owner = Buffer.from(wallet.address.slice(2), "hex");
let next = 0;
const ours = (): Promise<unknown> =>
  store.put(wallet.address, bucket, appendKey(next), Buffer.from(body(next++)), Date.now());
const bare = (i: number): Promise<unknown> =>
  pool.query({
    name: "insert",
    text: "INSERT INTO bare VALUES ($1, $2, $3, $4, $5, $6)",
    values: [
      owner,
      Buffer.from("coop1"),
      Buffer.from(appendKey(next++)),
      bucket,
      Buffer.from(body(i)),
      Date.now(),
    ],
  });
const rates: number[][] = [[], []];
for (let turn = 0; turn <= TURNS; turn++)
  for (const [i, work] of [ours, bare].entries()) {
    const found = await rate(500, work);
    if (turn > 0) rates[i]!.push(found);
  }
show("append in the process", ["store", "bare driver"], rates, 0.8);

console.log("\nentries of others      point read (median)   append (median)   page of 1,024");
const other = "decode(lpad(to_hex(n / 1000), 40, '0'), 'hex')";
let there = 0;
for (const size of SIZES) {
  const key = "convert_to('coop1_' || lpad((n % 1000)::text, 20, '0'), 'UTF8')";
  await execute(
    url,
    `INSERT INTO hub_entries SELECT ${other}, 'coop1', ${key}, 'x', convert_to(repeat('x', 560), 'UTF8'), 1 FROM generate_series(${there}, ${size - 1}) AS n;
     INSERT INTO hub_rows SELECT ${other}, 'coop1', n % 1000, ${key} FROM generate_series(${there}, ${size - 1}) AS n;
     ANALYZE hub_entries; ANALYZE hub_rows;`,
  );
  await execute(url, "CHECKPOINT"); // what the filling has left to write is not the store's
  there = size;
  const times = async (count: number, work: (i: number) => Promise<unknown>): Promise<string> => {
    const found: number[] = [];
    for (let i = 0; i < count; i++) {
      const begun = performance.now();
      await work(i);
      found.push(performance.now() - begun);
    }
    return `${median(found).toFixed(2)} ms`;
  };
  const read = await times(200, (i) => {
    const n = (i * 7919) % size;
    const address = `0x${Math.floor(n / 1000)
      .toString(16)
      .padStart(40, "0")}` as const;
    return store.value(address, appendKey(n % 1000));
  });
  const append = await times(100, ours);
  const page = await times(20, () => store.page(wallet.address, "coop1", 0, 1024, 2e6));
  console.log(`${String(size).padStart(17)}      ${read.padEnd(21)} ${append.padEnd(17)} ${page}`);
}
await pool.end();
await store.close();
await postgres.close();
