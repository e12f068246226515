// Fan-out of 200-byte refs to 1,000 subscribers: the relay, two relays joined by NATS (refs published at one, subscribers at
// the other), a bare `ws` broadcast and nats-server over WebSocket, in one run; then the memory of an idle connection. The
// load runs here, each server in a process of its own.
//   node --import tsx bench/relay/bench.ts [--rounds N] [--subscribers N] [--idle N] [--only relay]

import { fork, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "../../src/testing/free-port.ts";
import { startNats } from "../../src/testing/nats-server.ts";
import { CountingClient } from "./raw-client.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    subscribers: { type: "string", default: "1000" },
    only: { type: "string" },
    idle: { type: "string", default: "5000" },
  },
});
const ROUNDS = Number(values.rounds);
const SUBSCRIBERS = Number(values.subscribers);
const IDLE = Number(values.idle);
const BYTES = 200; // of payload that a subscriber gets for each ref
const WINDOW = 256; // refs on their way at full load
const FULL_MS = 2_000;
const PACED_MS = 3_000;
const PACE = 20; // refs a second

const WALLET = `0x${"a1".repeat(20)}`;
const TOPIC = `0x${"70".repeat(20)}`;
const refFrame = (op: "pub" | "ref", n: number): string =>
  `{"op":"${op}","topic":"${TOPIC}","ref":"${WALLET}:${1e15 + n}:0x${"5e".repeat(32)}"}`;

/** How to speak to a server: the path, what a subscriber says first, and how a ref is published. */
interface Contestant {
  readonly name: string;
  readonly port: number;
  /** Where refs are published, if elsewhere. */
  readonly publishPort?: number;
  readonly hello: readonly string[];
  readonly publish: (n: number) => string;
  /** Bytes of payload that a subscriber receives for a ref. */
  readonly unit: number;
  readonly stop: () => void;
}

interface Figures {
  /** Refs a second delivered to all subscribers, at full load. */
  readonly rate: number;
  readonly fullP99: number;
  readonly median: number;
  readonly p99: number;
}

function forkServer(kind: string, bus?: string): ChildProcess {
  return fork(new URL("./server-process.ts", import.meta.url), [kind, ...(bus === undefined ? [] : [bus])], {
    execArgv: ["--import", "tsx", "--expose-gc"],
  });
}

async function node(kind: "ours" | "bare"): Promise<Contestant> {
  const child = forkServer(kind);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    name: kind === "ours" ? "relay" : "bare ws",
    port,
    hello: kind === "ours" ? [JSON.stringify({ op: "sub", topics: [TOPIC] })] : [],
    publish: (n) => refFrame("pub", n),
    unit: BYTES,
    stop: () => child.disconnect(),
  };
}

/** Two of our relays on one bus. */
async function joined(): Promise<Contestant | undefined> {
  if (natsBinary() === undefined) return undefined;
  const bus = await startNats();
  const children = [forkServer("ours", bus.url), forkServer("ours", bus.url)];
  const ports = await Promise.all(
    children.map(async (child) => ((await once(child, "message")) as [{ port: number }])[0].port),
  );
  return {
    name: "relays on NATS",
    port: ports[0]!,
    publishPort: ports[1]!,
    hello: [JSON.stringify({ op: "sub", topics: [TOPIC] })],
    publish: (n) => refFrame("pub", n),
    unit: BYTES,
    stop: () => {
      for (const child of children) child.disconnect();
      void bus.kill();
    },
  };
}

function natsBinary(): string | undefined {
  return ["nats-server", "/usr/sbin/nats-server"].find(
    (path) => spawnSync(path, ["-v"], { stdio: "ignore" }).status === 0,
  );
}

async function nats(): Promise<Contestant | undefined> {
  const binary = natsBinary();
  if (binary === undefined) return undefined;
  const [port, plain] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), "bench-relay-"));
  const config = join(folder, "nats.conf");
  writeFileSync(
    config,
    `listen: "127.0.0.1:${plain}"\nwebsocket { listen: "127.0.0.1:${port}", no_tls: true, compression: false }\n`,
  );
  const child = spawn(binary, ["-c", config], { stdio: ["ignore", "ignore", "pipe"] });
  await new Promise<void>((resolve) => {
    child.stderr.on("data", (text: Buffer) => {
      if (text.toString().includes("Server is ready")) resolve();
    });
  });
  const subject = "t";
  const message = (n: number): string => `${BYTES}\r\n${refFrame("ref", n)}\r\n`;
  return {
    name: "nats-server",
    port,
    hello: [`CONNECT {"verbose":false,"pedantic":false,"echo":false}\r\nSUB ${subject} 1\r\n`],
    publish: (n) => `PUB ${subject} ${message(n)}`,
    unit: `MSG ${subject} 1 ${message(0)}`.length,
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Times by tenths of a millisecond: a list of millions would stop the load for tens of milliseconds each time it grows. */
class Times {
  readonly #counts = new Uint32Array(600_001);
  #all = 0;

  add(ms: number): void {
    this.#counts[Math.min(600_000, Math.floor(ms * 10))]!++;
    this.#all++;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#all = 0;
  }

  quantile(q: number): number {
    let left = Math.floor(this.#all * q);
    const at = this.#counts.findIndex((count) => (left -= count) < 0);
    return at < 0 ? Number.NaN : at / 10;
  }
}

/** Subscribers that note, for every ref, how long it took. Refs come in order, so a count tells which one it is. */
class Crowd {
  deliveries = 0;
  readonly times = new Times();
  sentAt: number[] = [];
  readonly #clients: CountingClient[] = [];
  readonly #progress: () => void;

  constructor(progress: () => void) {
    this.#progress = progress;
  }

  async join(contestant: Contestant, size: number): Promise<void> {
    for (let i = 0; i < size; i++) {
      let bytes = 0;
      let count = 0;
      let started = this.#era;
      const client = await CountingClient.open(contestant.port, "/", (more) => {
        if (started !== this.#era) {
          started = this.#era;
          bytes = 0;
          count = 0;
        }
        if (!this.#measuring) return;
        bytes += more;
        const arrived = Math.floor(bytes / contestant.unit);
        if (arrived === count) return;
        const now = performance.now();
        for (let n = count; n < arrived; n++) this.times.add(now - this.sentAt[n]!);
        this.deliveries += arrived - count;
        count = arrived;
        this.#progress();
      });
      for (const text of contestant.hello) client.send(text);
      this.#clients.push(client);
    }
    await pause(500);
  }

  #era = 0;
  #measuring = false;

  /** From here on refs are counted from 0. Nothing may be on its way. */
  begin(): void {
    this.#era++;
    this.#measuring = true;
    this.deliveries = 0;
    this.times.clear();
    this.sentAt = [];
  }

  leave(): void {
    for (const client of this.#clients) client.end();
  }
}

function quantile(samples: readonly number[], q: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

async function measure(contestant: Contestant): Promise<Figures> {
  let progress = (): void => undefined;
  const crowd = new Crowd(() => progress());
  await crowd.join(contestant, SUBSCRIBERS);
  const publisher = await CountingClient.open(
    contestant.publishPort ?? contestant.port,
    "/",
    () => undefined,
  );
  if (contestant.name === "nats-server") publisher.send('CONNECT {"verbose":false,"echo":false}\r\n');
  await pause(200);

  const full = async (ms: number): Promise<{ rate: number; p99: number }> => {
    crowd.begin();
    let sent = 0;
    const start = performance.now();
    await new Promise<void>((resolve) => {
      progress = (): void => {
        const now = performance.now();
        const room = WINDOW - (sent - Math.floor(crowd.deliveries / SUBSCRIBERS));
        if (now - start > ms) {
          if (crowd.deliveries >= sent * SUBSCRIBERS) resolve();
          return;
        }
        if (room < WINDOW / 8) return;
        const batch: string[] = [];
        for (let i = 0; i < room; i++) {
          crowd.sentAt.push(now);
          batch.push(contestant.publish(sent++));
        }
        publisher.sendAll(batch);
      };
      progress();
    });
    const seconds = (performance.now() - start) / 1000;
    return { rate: sent / seconds, p99: crowd.times.quantile(0.99) };
  };

  await full(300); // warm
  const loaded = await full(FULL_MS);
  crowd.begin();
  progress = (): void => undefined;
  const total = (PACED_MS * PACE) / 1000;
  for (let n = 0; n < total; n++) {
    crowd.sentAt.push(performance.now());
    publisher.send(contestant.publish(n));
    await pause(1000 / PACE);
  }
  while (crowd.deliveries < total * SUBSCRIBERS) await pause(10);
  const figures = {
    rate: loaded.rate,
    fullP99: loaded.p99,
    median: crowd.times.quantile(0.5),
    p99: crowd.times.quantile(0.99),
  };
  crowd.leave();
  publisher.end();
  await pause(200);
  return figures;
}

async function idleMemory(kind: "ours" | "bare"): Promise<{ rss: number; used: number }> {
  const child = forkServer(kind);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const ask = async (): Promise<{ rss: number; used: number }> => {
    child.send("memory");
    const [answer] = (await once(child, "message")) as [{ rss: number; used: number }];
    return answer;
  };
  const clients: CountingClient[] = [];
  const join = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const client = await CountingClient.open(port, "/", () => undefined);
      // Bare ws would pass it on to all that are connected, for which nobody waits here.
      if (kind === "ours") client.send(JSON.stringify({ op: "sub", topics: ["lobby"] }));
      clients.push(client);
    }
    await pause(300);
  };
  await join(50); // what the first connections load is not theirs
  const before = await ask();
  await join(IDLE);
  const after = await ask();
  for (const client of clients) client.end();
  child.disconnect();
  return { rss: (after.rss - before.rss) / IDLE, used: (after.used - before.used) / IDLE };
}

function middleOf(figures: readonly Figures[]): Figures {
  const middle = (pick: (f: Figures) => number): number => quantile(figures.map(pick), 0.5);
  return {
    rate: middle((f) => f.rate),
    fullP99: middle((f) => f.fullP99),
    median: middle((f) => f.median),
    p99: middle((f) => f.p99),
  };
}

const results = new Map<string, Figures[]>();
for (let round = 0; round < ROUNDS; round++)
  for (const open of [
    (): Promise<Contestant> => node("ours"),
    (): Promise<Contestant> => node("bare"),
    joined,
    nats,
  ]) {
    const contestant = await open();
    if (values.only !== undefined && contestant?.name !== values.only) {
      contestant?.stop();
      continue;
    }
    if (contestant === undefined) {
      if (round === 0) console.log("nats-server is not installed (apt-get install nats-server): left out");
      continue;
    }
    const figures = await measure(contestant);
    contestant.stop();
    results.set(contestant.name, [...(results.get(contestant.name) ?? []), figures]);
    console.error(`round ${round + 1} ${contestant.name} ${JSON.stringify(figures)}`);
  }

console.log(`fan-out of ${BYTES}-byte refs to ${SUBSCRIBERS} subscribers, median of ${ROUNDS} rounds`);
const middles = new Map([...results].map(([name, figures]) => [name, middleOf(figures)]));
for (const [name, f] of middles)
  console.log(
    `${name.padEnd(12)} ${f.rate.toFixed(0).padStart(6)} refs/s to all (${((f.rate * SUBSCRIBERS) / 1e6).toFixed(2)} M deliveries/s), ` +
      `p99 there ${f.fullP99.toFixed(0)} ms; at ${PACE} refs/s median ${f.median.toFixed(1)} ms, p99 ${f.p99.toFixed(1)} ms`,
  );
for (const mine of ["relay", "relays on NATS"])
  for (const peer of ["bare ws", "nats-server"]) {
    const [ours, theirs] = [middles.get(mine), middles.get(peer)];
    if (ours === undefined || theirs === undefined) continue;
    console.log(
      `${mine} / ${peer}: refs/s ${(ours.rate / theirs.rate).toFixed(2)}, p99 at full load ${(ours.fullP99 / theirs.fullP99).toFixed(2)}, ` +
        `p99 at ${PACE} refs/s ${(ours.p99 / theirs.p99).toFixed(2)}`,
    );
  }
for (const kind of IDLE > 0 ? (["ours", "bare"] as const) : []) {
  const memory = await idleMemory(kind);
  console.log(
    `${kind === "ours" ? "relay" : "bare ws"}: an idle connection of ${IDLE} takes ${(memory.rss / 1024).toFixed(1)} KiB of the process ` +
      `(${(memory.used / 1024).toFixed(1)} KiB of live heap)`,
  );
}
