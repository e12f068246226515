// What an operator's machines see of a node: health, metrics, the log, and how it takes leave.

import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { bucketOf, paths } from "../hub/hub-api.ts";
import { authorization, signInText } from "../hub/sign-in.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { MemoryStore } from "./hub-store.memory.ts";
import { startServer, systemClock, type RunningServer, type ServerOptions } from "./server.ts";

const alice = localWallet(`0x${"a1".repeat(32)}`);
const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({ store: new MemoryStore(), ...options });
  running.push(server);
  return server;
}

async function get(server: RunningServer, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, server.url), { headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function write(server: RunningServer, path: string, body: string): Promise<number> {
  const issuedAt = Date.now();
  const domain = new URL(server.url).host;
  const text = signInText({
    address: alice.address,
    domain,
    uri: server.url,
    nonce: "abcdefgh12",
    issuedAt,
  });
  const header = authorization(alice.address, issuedAt, alice.signTextNow(text), text);
  const response = await fetch(new URL(path, server.url), {
    method: "PUT",
    headers: { authorization: header },
    body,
  });
  return response.status;
}

const bucket = bucketOf(alice.address);

test("a node that serves is alive and ready; one without its store is alive alone", async () => {
  const server = await start();
  for (const path of ["/healthz", "/readyz"])
    expect(await get(server, path)).toMatchObject({ status: 200, text: '{"status":"ok","store":"up"}' });
  const broken = new MemoryStore();
  broken.usage = () => {
    throw new Error("postgres://secret@host is away");
  };
  const without = await start({ store: broken });
  expect(await get(without, "/healthz")).toMatchObject({
    status: 200,
    text: '{"status":"ok","store":"down"}',
  });
  expect(await get(without, "/readyz")).toMatchObject({
    status: 503,
    text: '{"status":"not ready","store":"down"}',
  });
});

test("metrics count answers under labels of ours alone", async () => {
  const server = await start();
  await write(server, paths.bucket(bucket), '{"kind":"memory"}');
  for (const path of ["/v1/info", "/v1/stranger-1", "/v1/stranger-2", "/stranger-3", "/v1/conversations/s"])
    await get(server, path);
  const { status, text } = await get(server, "/metrics");
  expect(status).toBe(200);
  expect(text).toContain('coop_http_requests_total{method="PUT",route="bucket",status="201"} 1');
  expect(text).toContain('coop_http_requests_total{method="GET",route="unknown",status="404"} 3');
  expect(text).toContain('coop_http_requests_total{method="GET",route="info",status="200"} 1');
  expect(text).toContain("coop_relay_connections 0");
  expect(text).toMatch(/coop_process_cpu_user_seconds_total \d/);
  expect(text).not.toContain("stranger");
});

test("metrics are for this machine, or for those that show the token", async () => {
  const server = await start();
  expect(await get(server, "/metrics", { "x-forwarded-for": "192.0.2.1" })).toMatchObject({ status: 404 });
  const guarded = await start({ metricsToken: "s3cret" });
  expect(await get(guarded, "/metrics")).toMatchObject({ status: 404, text: "not found" });
  expect(await get(guarded, "/metrics", { authorization: "Bearer s3cre" })).toMatchObject({ status: 404 });
  expect(await get(guarded, "/metrics", { authorization: "Bearer s3cret" })).toMatchObject({ status: 200 });
});

test("the log has a line for each answer, without what a client has written", async () => {
  const lines: string[] = [];
  const server = await start({ logging: { level: "info", write: (line) => lines.push(line) } });
  await get(server, "/v1/buckets/stranger\u202e/objects/k?owner=stranger", { "user-agent": "stranger" });
  await write(server, paths.object(bucket, "stranger"), "stranger");
  const answered = lines.map((line) => JSON.parse(line) as object).filter((line) => "route" in line);
  expect(answered).toMatchObject([
    { method: "GET", route: "object", status: 400, msg: "answered" },
    { method: "PUT", route: "object", status: 404 },
  ]);
  expect(lines.join("")).not.toMatch(/stranger|personal_sign|0x/);
});

test("a fault inside is logged by its kind and its line, without its message", async () => {
  const lines: string[] = [];
  const store = new MemoryStore();
  store.bucket = () => {
    throw new RangeError("what a stranger wrote");
  };
  const server = await start({ store, logging: { level: "error", write: (line) => lines.push(line) } });
  expect(await get(server, paths.bucket("b"))).toMatchObject({ status: 599 });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 50, fault: "RangeError", msg: "hub failed" },
  ]);
  expect(lines[0]).toContain("operations.test.ts");
  expect(lines[0]).not.toContain("stranger");
});

test("values of logs and mirrors may be cached for good; what can change may not", async () => {
  const server = await start();
  await write(server, paths.bucket(bucket), '{"kind":"memory"}');
  for (const key of ["coop1_1", "k"]) await write(server, paths.object(bucket, key), "value");
  const cache = async (path: string) => (await get(server, path)).headers.get("cache-control");
  expect(await cache(paths.content(bucket, "coop1_1", alice.address))).toBe(
    "public, max-age=31536000, immutable",
  );
  for (const path of [
    paths.content(bucket, "k", alice.address),
    paths.content(bucket, "coop1_2", alice.address), // there is none yet
    `/v1/buckets/${bucket}/objects/coop1_1/content`, // whose it is can change
    paths.conversation(alice.address, "coop1", 0, 9),
    paths.object(bucket, "coop1_1", alice.address),
  ])
    expect(await cache(path)).toBe("no-store");
});

test("a node that stops says so, sends its sockets elsewhere and serves until the drain is over", async () => {
  let over = (): void => undefined;
  const clock = {
    ...systemClock,
    after: (ms: number, work: () => void) => {
      if (ms !== 3_000) return systemClock.after(ms, work);
      over = work;
      return () => undefined;
    },
  };
  const server = await start({ clock, drainMs: 3_000 });
  const socket = new WebSocket(`${server.url.replace("http", "ws")}relay`);
  await once(socket, "open");
  const closed = once(socket, "close");
  const stopped = server.close();
  expect((await closed)[0]).toBe(1012); // RFC 6455 registry: service restart
  expect(await get(server, "/readyz")).toMatchObject({ status: 503 });
  expect(await get(server, "/healthz")).toMatchObject({ status: 200 });
  expect(await write(server, paths.bucket(bucket), '{"kind":"memory"}')).toBe(201);
  expect((await get(server, "/v1/info")).headers.get("connection")).toBe("close");
  const late = new WebSocket(`${server.url.replace("http", "ws")}relay`);
  const [error] = (await once(late, "error")) as [Error];
  expect(error.message).toContain("503");
  over();
  await stopped;
  await expect(get(server, "/healthz")).rejects.toThrow();
});
