// A cold link to its verdict in headless Chromium: an audit link opened with an empty cache over a link of 100 ms and
// 1.2 MB/s, and without throttling: `node --import tsx bench/open/bench.ts [entries…] [--before DIR] [--rounds N]
// [--waterfall]`, after `npm run build`. Default: 10 and 1000 entries, 5 rounds; --before: another checkout, built and
// with its packages installed, by turns in the same run. CHROMIUM names another browser than /usr/bin/chromium.
//
// Printed beside it is the limit: rounds × latency + bytes / bandwidth, where a round is a request that began after
// another had ended.

import { chromium, type Browser, type CDPSession } from "@playwright/test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../e2e/fixtures.ts";
import { utf8 } from "../../src/core/bytes.ts";
import { HttpHub } from "../../src/hub/hub.http.ts";
import { systemHubEnvironment } from "../../src/hub/hub-environment.ts";
import { appendKey } from "../../src/hub/log-keys.ts";
import { addressOf, NAMES, walletOf, type Drawing } from "../../src/testing/build.ts";
import { longSession } from "../../src/testing/long-session.ts";

const LATENCY_MS = 100;
const BYTES_PER_SECOND = 1_200_000;

interface Asked {
  readonly url: string;
  readonly begin: number;
  end: number;
  bytes: number;
}

interface Opened {
  /** Milliseconds until the verdict stood there, and until every signature was checked. */
  readonly shown: number;
  readonly verified: number;
  /** Until it was verified. */
  readonly requests: readonly Asked[];
}

interface Server {
  readonly name: string;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

async function main(): Promise<void> {
  const before = valueOf("--before");
  const rounds = Number(valueOf("--rounds") ?? 5);
  const given = process.argv
    .slice(2)
    .filter((_, i, args) => args[i - 1] !== "--rounds")
    .map(Number)
    .filter(Number.isFinite);
  const sizes = given.length > 0 ? given : [10, 1000];
  const data = mkdtempSync(join(tmpdir(), "coop-open-"));
  const start = async (name: string, folder?: string): Promise<Server> => ({
    name,
    ...(await startServer(["--port", "0", "--data", join(data, name)], folder)),
  });
  const servers = [...(before === undefined ? [] : [await start("before", before)]), await start("now")];
  try {
    for (const entries of sizes) {
      const drawing = longSession({ seed: entries, entries, refs: entries * 2, wallets: 2 });
      for (const server of servers) await publish(server.url, drawing);
      for (const throttled of [true, false]) await compare(servers, drawing, entries, throttled, rounds);
    }
  } finally {
    for (const server of servers) await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function publish(url: string, drawing: Drawing): Promise<void> {
  const hub = new HttpHub(url, systemHubEnvironment());
  for (const name of NAMES) {
    for (const wire of drawing.records()) {
      const { wallet, seq } = JSON.parse(wire) as { wallet: string; seq: number };
      if (wallet === addressOf(name)) await hub.put(walletOf(name), appendKey(seq), utf8(wire));
    }
  }
}

async function compare(
  servers: readonly Server[],
  drawing: Drawing,
  entries: number,
  throttled: boolean,
  rounds: number,
): Promise<void> {
  const all = new Map<string, Opened[]>(servers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const { name, url } of servers)
      all.get(name)!.push(await open(`${url}/#/s/${drawing.node("g").ref}`, throttled));
  console.log(
    `\n${entries} entries, ${throttled ? "100 ms and 1.2 MB/s" : "not throttled"}, medians of ${rounds}:`,
  );
  for (const [name, opened] of all) {
    const last = opened.at(-1)!;
    const bytes = sum(last.requests.map((one) => one.bytes));
    const rounds = roundsOf(last.requests);
    const limit = rounds * LATENCY_MS + (bytes / BYTES_PER_SECOND) * 1000;
    console.log(
      `${name}: verdict ${median(opened, "shown")} ms, verified ${median(opened, "verified")} ms, ` +
        `${last.requests.length} requests, ${Math.round(bytes / 1000)} kB, ${rounds} rounds` +
        (throttled ? `, limit ${Math.round(limit)} ms` : ""),
    );
    if (process.argv.includes("--waterfall")) printWaterfall(last.requests);
  }
}

/** Opens a link in a browser that has nothing yet. */
async function open(link: string, throttled: boolean): Promise<Opened> {
  const browser: Browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const session = await page.context().newCDPSession(page);
    const requests = await follow(session, throttled);
    const begin = performance.now();
    await page.goto(link, { waitUntil: "commit" });
    await page.waitForSelector('[data-testid="verdict"]');
    const shown = performance.now() - begin;
    await page.waitForSelector('[data-level="verified"]');
    return { shown, verified: performance.now() - begin, requests: [...requests.values()] };
  } finally {
    await browser.close();
  }
}

async function follow(session: CDPSession, throttled: boolean): Promise<Map<string, Asked>> {
  const requests = new Map<string, Asked>();
  session.on("Network.requestWillBeSent", ({ requestId, request, timestamp }) => {
    if (/^https?:/.test(request.url))
      requests.set(requestId, { url: request.url, begin: timestamp, end: timestamp, bytes: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request === undefined) return;
    request.end = timestamp;
    request.bytes = encodedDataLength;
  });
  await session.send("Network.enable");
  if (throttled)
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
  return requests;
}

/** The longest chain of requests of which each began after the one before had ended. */
function roundsOf(requests: readonly Asked[]): number {
  const byEnd = [...requests].sort((a, b) => a.end - b.end);
  let rounds = 0;
  let ended = Number.NEGATIVE_INFINITY;
  for (const { begin, end } of byEnd) {
    if (begin < ended) continue;
    rounds++;
    ended = end;
  }
  return rounds;
}

function printWaterfall(requests: readonly Asked[]): void {
  const first = Math.min(...requests.map(({ begin }) => begin));
  for (const { url, begin, end, bytes } of requests) {
    const { pathname } = new URL(url);
    const [from, to] = [begin, end].map((at) =>
      Math.round((at - first) * 1000)
        .toString()
        .padStart(5),
    );
    console.log(`  ${from} to ${to} ms ${(bytes / 1000).toFixed(1).padStart(7)} kB  ${pathname.slice(-80)}`);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function median(opened: readonly Opened[], part: "shown" | "verified"): number {
  const sorted = opened.map((one) => one[part]).sort((a, b) => a - b);
  return Math.round(sorted[sorted.length >> 1]!);
}

function valueOf(option: string): string | undefined {
  const at = process.argv.indexOf(option);
  return at < 0 ? undefined : process.argv[at + 1];
}

await main();
