// The Hub's server with its durable store beside the same server over a plain map in memory: appends, reads and the
// range read of 1,024 entries over HTTP, 64 connections, load from another process than the server's.
// Run: node --import tsx bench/hub/bench.ts [seconds for each measurement]

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { authorization, signInText } from "../../src/hub/sign-in.ts";
import { bucketOf, paths } from "../../src/hub/hub-api.ts";
import { appendKey } from "../../src/hub/log-keys.ts";
import { localWallet } from "../../src/wallet/wallet.local.ts";
import { load, type LoadResult } from "./load.ts";

const seconds = Number(process.argv[2] ?? 4);
const CONNECTIONS = 64;
const wallet = localWallet(`0x${"42".repeat(32)}`);
const bucket = bucketOf(wallet.address);
const entry = (seq: number) =>
  JSON.stringify({
    body: { commitment: `0x${"ab".repeat(32)}`, round: seq },
    prev_hash: `0x${"cd".repeat(32)}`,
    refs: [`${wallet.address}:${seq}:0x${"ef".repeat(32)}`, `${wallet.address}:${seq}:0x${"12".repeat(32)}`],
    seq,
    sig: `0x${"34".repeat(65)}`,
    type: "commit",
    wallet: wallet.address,
  });

interface Usage {
  readonly megabytes: number;
  /** Microseconds of processor time since the start. */
  readonly cpu: number;
}

type Measured = LoadResult & { readonly cpuPerRequest: number };

type Phase = "append" | "read" | "range";

interface Contestant {
  /** Puts load on for so long. */
  readonly run: (phase: Phase, milliseconds: number) => Promise<Measured>;
  readonly megabytes: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

async function begin(kind: string): Promise<Contestant> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", new URL("serve.ts", import.meta.url).pathname, kind],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const url = await line(child);
  const { host } = new URL(url);
  const issuedAt = Date.now();
  const text = signInText({
    address: wallet.address,
    domain: host,
    uri: url,
    nonce: "benchbench",
    issuedAt,
  });
  const header = authorization(wallet.address, issuedAt, wallet.signTextNow(text), text);
  const made = await fetch(new URL(paths.bucket(bucket), url), {
    method: "PUT",
    headers: { authorization: header },
    body: '{"kind":"memory"}',
  });
  if (made.status !== 201) throw new Error(`no bucket: ${made.status}`);
  const put = (i: number) => {
    const body = entry(i);
    return Buffer.from(
      `PUT ${paths.object(bucket, appendKey(i))} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${header}\r\n` +
        `Content-Type: application/octet-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const usage = async () => {
    child.stdin.write("usage\n");
    return JSON.parse(await line(child)) as Usage;
  };
  let written = 0;
  const requests: Record<Phase, (i: number) => Buffer> = {
    append: () => put(written++),
    read: (i) => get(paths.content(bucket, appendKey((i * 7919) % written), wallet.address)),
    range: (i) => {
      const pages = Math.max(1, Math.floor(written / 1024));
      return get(paths.conversation(wallet.address, "coop1", (i % pages) * 1024, 1024));
    },
  };
  return {
    run: async (phase, milliseconds) => {
      const before = await usage();
      const status = phase === "append" ? 202 : 200;
      const result = await load(url, CONNECTIONS, milliseconds, status, requests[phase]);
      const { cpu } = await usage();
      return { ...result, cpuPerRequest: (cpu - before.cpu) / result.count };
    },
    megabytes: async () => (await usage()).megabytes,
    stop: async () => {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

/** Both in turns of half a second, so that what else the machine does falls on both; the median of each's turns. */
async function measure(phase: Phase): Promise<[Measured, Measured]> {
  const turns: [Measured[], Measured[]] = [[], []];
  for (const one of [durable, plain]) await one.run(phase, 500); // warm
  for (let turn = 0; turn < 2 * seconds; turn++)
    for (const [i, one] of [durable, plain].entries()) turns[i]!.push(await one.run(phase, 500));
  return [middleOf(turns[0]), middleOf(turns[1])];
}

function middleOf(turns: readonly Measured[]): Measured {
  const middle = (pick: (turn: Measured) => number): number =>
    turns.map(pick).sort((a, b) => a - b)[Math.floor(turns.length / 2)]!;
  return {
    count: turns.reduce((sum, { count }) => sum + count, 0),
    failed: turns.reduce((sum, { failed }) => sum + failed, 0),
    perSecond: middle(({ perSecond }) => perSecond),
    median: middle(({ median }) => median),
    p99: middle(({ p99 }) => p99),
    cpuPerRequest: middle(({ cpuPerRequest }) => cpuPerRequest),
  };
}

async function line(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout!, "data")) as [Buffer];
  return chunk.toString().trim();
}

function show(name: string, [ours, map]: readonly [Measured, Measured], goal?: number): void {
  const ratio = ours.perSecond / map.perSecond;
  const text = (result: Measured) =>
    `${Math.round(result.perSecond).toString().padStart(6)}/s (p50 ${result.median.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, ${Math.round(result.cpuPerRequest)} us of cpu each)`;
  const verdict = goal === undefined ? "" : ratio >= goal ? `  reaches ${goal}` : `  below ${goal}`;
  console.log(
    `${name.padEnd(12)} lmdb ${text(ours)}   map ${text(map)}   ratio ${ratio.toFixed(2)}${verdict}`,
  );
  if (ours.failed + map.failed > 0) throw new Error(`${ours.failed + map.failed} requests failed`);
}

const plain = await begin("memory");
const durable = await begin("lmdb");
show("append", await measure("append"), 0.6);
show("read", await measure("read"), 0.75);
show("range 1024", await measure("range"));
console.log(
  `server's memory: lmdb ${await durable.megabytes()} MB (its map of the file included), map ${await plain.megabytes()} MB`,
);
await plain.stop();
await durable.stop();
