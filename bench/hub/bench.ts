// The Hub's server with its durable store beside the same server over a plain map in memory: appends, reads and the
// range read of 1,024 entries over HTTP, 64 connections, load from another process than the server's.
// Run: node --import tsx bench/hub/bench.ts [seconds for each measurement]

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { authorization, signInText } from "../../src/hub/sign-in.ts";
import { bucketOf, paths } from "../../src/hub/api.ts";
import { appendKey } from "../../src/hub/log.ts";
import { localWallet } from "../../src/wallet/local-key.ts";
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

interface Figures {
  readonly append: Measured;
  readonly read: Measured;
  readonly range: Measured;
  readonly megabytes: number;
}

async function measure(kind: string): Promise<Figures> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", new URL("serve.ts", import.meta.url).pathname, kind],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const url = await line(child);
  const issuedAt = Date.now();
  const text = signInText({
    address: wallet.address,
    domain: "bench",
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
      `PUT ${paths.object(bucket, appendKey(i))} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${header}\r\n` +
        `Content-Type: application/octet-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  const usage = async () => {
    child.stdin.write("usage\n");
    return JSON.parse(await line(child)) as Usage;
  };
  const under = async (status: number, request: (i: number) => Buffer): Promise<Measured> => {
    const before = await usage();
    const result = await load(url, CONNECTIONS, seconds * 1000, status, request);
    const { cpu } = await usage();
    return { ...result, cpuPerRequest: (cpu - before.cpu) / result.count };
  };
  await load(url, CONNECTIONS, 1000, 202, (i) => put(i)); // warm
  let written = 0;
  const append = await under(202, (i) => put((written = i)));
  const read = await under(200, (i) =>
    get(paths.content(bucket, appendKey((i * 7919) % written), wallet.address)),
  );
  const pages = Math.max(1, Math.floor(written / 1024));
  const range = await under(200, (i) =>
    get(paths.conversation(wallet.address, "coop1", (i % pages) * 1024, 1024)),
  );
  const { megabytes } = await usage();
  child.stdin.end();
  await once(child, "exit");
  return { append, read, range, megabytes };
}

async function line(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout!, "data")) as [Buffer];
  return chunk.toString().trim();
}

function show(name: string, durable: Measured, plain: Measured, goal: number | undefined): void {
  const ratio = durable.perSecond / plain.perSecond;
  const text = (result: Measured) =>
    `${Math.round(result.perSecond).toString().padStart(6)}/s (p50 ${result.median.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, ${Math.round(result.cpuPerRequest)} us of cpu each)`;
  const verdict = goal === undefined ? "" : ratio >= goal ? `  reaches ${goal}` : `  below ${goal}`;
  console.log(
    `${name.padEnd(12)} lmdb ${text(durable)}   map ${text(plain)}   ratio ${ratio.toFixed(2)}${verdict}`,
  );
  if (durable.failed + plain.failed > 0) throw new Error(`${durable.failed + plain.failed} requests failed`);
}

const plain = await measure("memory");
const durable = await measure("lmdb");
show("append", durable.append, plain.append, 0.6);
show("read", durable.read, plain.read, 0.75);
show("range 1024", durable.range, plain.range, undefined);
console.log(
  `server's memory: lmdb ${durable.megabytes} MB (its map of the file included), map ${plain.megabytes} MB`,
);
