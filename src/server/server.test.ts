// The routes as any HTTP client sees them, down to the bytes of the request line.

import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signedText } from "../core/entry.ts";
import { checksumAddress } from "../core/values.ts";
import { bucketOf, paths } from "../hub/hub-api.ts";
import { authorization, signInText } from "../hub/sign-in.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import { MemoryStore } from "./hub-store.memory.ts";
import { QUOTA } from "./quota.ts";
import { startServer, systemClock, type RunningServer, type ServerOptions } from "./server.ts";
import type { Store } from "./hub-store.ts";

const alice = localWallet(`0x${"a1".repeat(32)}`);
const bob = localWallet(`0x${"b2".repeat(32)}`);
const NOW = Date.parse("2026-01-01T12:00:00Z");
const PUBLIC = "https://hub.example";
const clock = { ...systemClock, now: () => NOW };

let server: RunningServer;
beforeEach(() => start());
afterEach(() => server.close());

async function start(options: Partial<ServerOptions> = {}): Promise<void> {
  server = await startServer({ store: new MemoryStore(), clock, publicUrl: PUBLIC, ...options });
}

async function restart(options: Partial<ServerOptions>): Promise<void> {
  await server.close();
  await start(options);
}

function signIn(wallet: LocalWallet, at = NOW, domain = "hub.example", more = ""): string {
  const parts = {
    address: wallet.address,
    domain,
    uri: "https://hub.example",
    nonce: "abcdefgh12",
    issuedAt: at,
  };
  const text = signInText(parts) + more;
  return authorization(wallet.address, at, wallet.signTextNow(text), text);
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly headers: Headers;
}

async function call(
  method: string,
  path: string,
  { as, body, header }: { as?: LocalWallet; body?: string | Uint8Array; header?: string } = {},
): Promise<Answer> {
  const authorized = header ?? (as === undefined ? undefined : signIn(as));
  const response = await fetch(new URL(path, server.url), {
    method,
    ...(authorized !== undefined && { headers: { authorization: authorized } }),
    ...(body !== undefined && { body: body as BodyInit }),
  });
  const text = await response.text();
  let json: unknown = text;
  try {
    json = JSON.parse(text);
  } catch {
    // The text itself, then.
  }
  return { status: response.status, json, headers: response.headers };
}

/** Sends a request line as it is, which `fetch` would tidy up. */
async function raw(target: string, method = "GET", headers = ""): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port: server.port });
  await once(socket, "connect");
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n${headers}\r\n`);
  let text = "";
  socket.on("data", (part) => (text += part.toString()));
  await once(socket, "close");
  return text;
}

const mine = bucketOf(alice.address);
const makeBucket = (bucket = mine, as = alice) =>
  call("PUT", paths.bucket(bucket), { as, body: '{"kind":"memory"}' });
const object = (key: string) => paths.object(mine, key);

describe("buckets", () => {
  test("201 made, 200 there already, 403 another's, 400 no such kind", async () => {
    expect((await makeBucket()).status).toBe(201);
    expect((await makeBucket()).status).toBe(200);
    expect(await makeBucket(mine, bob)).toMatchObject({ status: 403, json: { Type: "Forbidden" } });
    for (const body of ["", "null", "[]", '"x"', '{"kind":"files"}', '{"kind":null}', "{"])
      expect(await call("PUT", paths.bucket("b"), { as: alice, body })).toMatchObject({ status: 400 });
  });

  test("GET says who has it, or 404", async () => {
    await makeBucket();
    expect(await call("GET", paths.bucket(mine))).toMatchObject({
      status: 200,
      json: { owner: alice.address },
    });
    expect(await call("GET", paths.bucket("none"))).toMatchObject({
      status: 404,
      json: { Type: "NotFound" },
    });
  });

  test("only its owner deletes one", async () => {
    await makeBucket();
    await call("PUT", object("k"), { as: alice, body: "v" });
    expect((await call("DELETE", paths.bucket(mine), { as: bob })).status).toBe(403);
    expect((await call("DELETE", paths.bucket(mine))).status).toBe(401);
    expect((await call("DELETE", paths.bucket(mine), { as: alice })).status).toBe(200);
    expect((await call("DELETE", paths.bucket(mine), { as: alice })).status).toBe(404);
    expect(
      (await call("GET", paths.content(mine, "k", alice.address).replace("&absent=200", ""))).status,
    ).toBe(404);
  });
});

describe("what others cannot take or undo", () => {
  test("buckets named after an address are made by that address alone", async () => {
    const fallback = bucketOf(alice.address, "0123abcd");
    for (const name of [mine, fallback, `${mine}x`, mine.toUpperCase().replace("COOP-0X", "coop-0x")]) {
      expect(await makeBucket(name, bob)).toMatchObject({ status: 403, json: { Type: "Forbidden" } });
      expect((await makeBucket(name, alice)).status).toBe(201);
    }
    expect((await makeBucket("coop-0x12", bob)).status).toBe(201);
  });

  test("409 names the SHA-256 under a log's key, 202 for the same bytes, and its bucket stays", async () => {
    await makeBucket();
    const key = "coop1_00000000000000000000";
    const sha256 = "cd42404d52ad55ccfa9aca4adc828aa5800ad9d385a0671fbcbf724118320619";
    expect((await call("PUT", object(key), { as: alice, body: "value" })).status).toBe(202);
    expect((await call("PUT", object(key), { as: alice, body: "value" })).status).toBe(202);
    for (const refused of [
      await call("PUT", object(key), { as: alice, body: "other" }),
      await call("DELETE", paths.bucket(mine), { as: alice }),
    ]) {
      expect(refused).toMatchObject({ status: 409, json: { Type: "Conflict" } });
      expect((refused.json as { Message: string }).Message).toContain(sha256);
    }
    expect((await call("GET", paths.content(mine, key, alice.address))).json).toBe("value");
  });

  test("507 says what is full, whose it is, and until when; others go on", async () => {
    const quota = { ...QUOTA, wallet: { ...QUOTA.wallet, objects: 1 } };
    await restart({ store: new MemoryStore({ quota, exempt: () => false }) });
    await makeBucket();
    await makeBucket("b", bob);
    expect((await call("PUT", object("k"), { as: alice, body: "v" })).status).toBe(202);
    const full = await call("PUT", object("k2"), { as: alice, body: "v" });
    expect(full).toMatchObject({ status: 507, json: { Type: "Full" } });
    expect((full.json as { Message: string }).Message).toBe(
      "this wallet has its 1 objects here; there is no room until it deletes a bucket or the operator raises --wallet-objects",
    );
    expect((await call("PUT", paths.object("b", "k"), { as: bob, body: "v" })).status).toBe(202);
  });
});

describe("limits by address", () => {
  const from = (address: string, path = "/v1/info") =>
    fetch(new URL(path, server.url), { headers: { "x-forwarded-for": address } });

  test("a forged or counting first address passes no limit; another client has its own", async () => {
    await restart({ trustProxy: true, limits: { perSecond: 1, burst: 3 } });
    const statuses: number[] = [];
    for (const first of ["127.0.0.1", "1.1.1.1", "1.1.1.2", "1.1.1.3"])
      statuses.push((await from(`${first}, 203.0.113.9`)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await from("203.0.113.10")).status).toBe(200);
  });

  test("IPv6 counts by /64, and a header without a trusted proxy makes nobody another", async () => {
    await restart({ trustProxy: ["127.0.0.1"], limits: { perSecond: 1, burst: 1 } });
    expect((await from("2001:db8::1")).status).toBe(200);
    expect((await from("2001:db8::ffff:2")).status).toBe(429);
    expect((await from("2001:db8:0:1::1")).status).toBe(200);
    await restart({ limits: { perSecond: 1, burst: 1 } });
    expect([(await from("192.0.2.1")).status, (await from("192.0.2.2")).status]).toEqual([200, 429]);
  });

  test("429 for too many bytes to store, and for bodies under way beside each other", async () => {
    await restart({ limits: { loopback: true, writeBytesPerSecond: 100, writeBytesBurst: 150 } });
    await makeBucket();
    const put = () => call("PUT", object("k"), { as: alice, body: "x".repeat(100) });
    expect((await put()).status).toBe(202);
    const refused = await put();
    expect(refused).toMatchObject({ status: 429, json: { Type: "RateLimited" } });
    expect((refused.json as { Message: string }).Message).toMatch(
      /^too many bytes to store: try again in 1 s$/,
    );

    await restart({ limits: { loopback: true, incomingBytesPerAddress: 1_000 } });
    const socket = connect({ host: "127.0.0.1", port: server.port });
    await once(socket, "connect");
    socket.write("PUT /v1/buckets/b HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nab");
    await call("GET", paths.info);
    expect(await call("PUT", object("k"), { as: alice, body: "x".repeat(200) })).toMatchObject({
      status: 429,
    });
    socket.destroy();
    await once(socket, "close");
  });

  test("one connection too many of an address gets 429 with Retry-After, and is closed", async () => {
    await restart({ limits: { loopback: true, connectionsPerAddress: 2 } });
    const sockets = [0, 1].map(() => connect({ host: "127.0.0.1", port: server.port }));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    const refused = await raw("/v1/info");
    expect(refused).toMatch(/^HTTP\/1.1 429 /);
    expect(refused).toContain("retry-after: 10");
    sockets[0]!.destroy();
    await once(sockets[0]!, "close");
    sockets[1]!.destroy();
    await once(sockets[1]!, "close");
  });
});

describe("objects", () => {
  test("202 with a receipt; then the receipt with time and hash, and the bytes", async () => {
    await makeBucket();
    const put = await call("PUT", object("k"), { as: alice, body: "value" });
    expect(put.status).toBe(202);
    expect(put.json).toEqual({
      bucket: mine,
      key: "k",
      size: 5,
      status: "stored",
      availability: "available",
    });
    const receipt = await call("GET", paths.object(mine, "k", alice.address));
    expect(receipt.json).toEqual({
      ...(put.json as object),
      createdAt: "2026-01-01T12:00:00.000Z",
      sha256: "cd42404d52ad55ccfa9aca4adc828aa5800ad9d385a0671fbcbf724118320619",
    });
    const content = await call("GET", paths.content(mine, "k", alice.address));
    expect(content.json).toBe("value");
    expect(content.headers.get("content-type")).toBe("application/octet-stream");
  });

  test("an owner's address is read in any case, and no other text", async () => {
    await makeBucket();
    await call("PUT", object("k"), { as: alice, body: "value" });
    const at = (owner: string) => `/v1/buckets/${mine}/objects/k/content?owner=${owner}`;
    expect((await call("GET", at(checksumAddress(alice.address)))).json).toBe("value");
    expect((await call("GET", at("alice"))).status).toBe(400);
  });

  test("404 without a bucket, 403 in another's, 400 empty, 413 too large", async () => {
    expect(await call("PUT", object("k"), { as: alice, body: "v" })).toMatchObject({ status: 404 });
    await makeBucket();
    expect(await call("PUT", object("k"), { as: bob, body: "v" })).toMatchObject({ status: 403 });
    expect(await call("PUT", object("k"), { as: alice, body: "" })).toMatchObject({ status: 400 });
    const largest = await call("PUT", object("k"), { as: alice, body: "x".repeat(65_536) });
    expect(largest.status).toBe(202);
    const over = await call("PUT", object("k"), { as: alice, body: "x".repeat(65_537) });
    expect(over).toMatchObject({ status: 413, json: { Type: "TooLarge" } });
  });

  test("request lines that go astray elsewhere are refused", async () => {
    await makeBucket();
    const header = `Authorization: ${signIn(alice)}\r\nContent-Length: 0\r\n`;
    for (const key of [".", "..", "%2e%2e", "%2E", "", "%ZZ", "%ff"]) {
      const answer = await raw(`/v1/buckets/${mine}/objects/${key}`, "PUT", header);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('"Type":"BadRequest"');
    }
    for (const path of ["/%ZZ", "/v1/%ZZ"]) expect(await raw(path)).toMatch(/^HTTP\/1.1 400 /);
    for (const path of [
      "/v1",
      "/v1/",
      "/v1/nothing",
      `/v1/buckets/${mine}/objects/a/b`,
      "/v1/buckets/b/things/k",
    ])
      expect(await raw(path)).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe("conversations", () => {
  test("messages from an offset, 1,024 by default", async () => {
    const store = new MemoryStore();
    await restart({ store });
    await store.makeBucket(mine, alice.address, "memory");
    for (let i = 0; i < 1025; i++)
      await store.put(alice.address, mine, `log_${i}`, new TextEncoder().encode(`t${i}`), NOW);
    const page = async (query: string) => {
      const answer = await call("GET", `/v1/conversations/log?owner=${alice.address}${query}`);
      expect(answer.json).toMatchObject({ conversation: "log" });
      return (answer.json as { messages: string[] }).messages;
    };
    expect(await page("")).toHaveLength(1024);
    expect(await page("&offset=1024")).toEqual(["t1024"]);
    expect(await page("&offset=1025")).toEqual([]);
    expect(await page("&offset=3&length=2")).toEqual(["t3", "t4"]);
    expect((await call("GET", `/v1/conversations/log?owner=${alice.address}&offset=-1`)).status).toBe(400);
    expect((await call("GET", "/v1/conversations/log")).status).toBe(400);
  });
});

describe("names and numbers at their limits are refused or answered, never an inner failure", () => {
  // Over the durable store, whose keys and numbers have widths.
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "coop-limits-"));
    await server.close();
    server = await startServer({ dataDir: folder, clock, publicUrl: PUBLIC });
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ["x".repeat(128), 201, 202],
    ["é".repeat(64), 201, 202],
    ["x".repeat(129), 400, 400],
    ["é".repeat(65), 400, 400],
    ["é".repeat(128), 400, 400],
    ["\u{1f600}".repeat(64), 400, 400],
  ])("a bucket named %s", async (name, made, stored) => {
    const bucket = `/v1/buckets/${encodeURIComponent(name)}`;
    expect((await call("PUT", bucket, { as: alice, body: '{"kind":"memory"}' })).status).toBe(made);
    expect((await call("PUT", `${bucket}/objects/k`, { as: alice, body: "v" })).status).toBe(stored);
  });

  test.each([
    ["x".repeat(1024), "", 200],
    ["x".repeat(1025), "", 400],
    ["é".repeat(513), "", 400],
    ["x".repeat(14_000), "", 400],
    ["coop1", "&offset=281474976710655", 200],
    ["coop1", "&offset=281474976710656", 200],
    ["coop1", "&offset=999999999999999", 200],
    ["coop1", "&offset=1000000000000000", 400],
    ["coop1", "&length=999999999999999", 200],
    ["a_b", "&offset=999999999999999", 200],
    ["a_b_c_d", "", 200],
    ["a_b_c_d_e", "", 400],
  ])("conversation %s%s", async (id, query, status) => {
    const answer = await call(
      "GET",
      `/v1/conversations/${encodeURIComponent(id)}?owner=${alice.address}${query}`,
    );
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.json).toEqual({ conversation: id, messages: [] });
  });
});

test("a request that cannot be read at all gets an answer of the Hub's form", async () => {
  const answers = [
    await raw("/v1/info", "FOO"),
    await raw("/v1/info", "GET", `X: ${"a".repeat(40_000)}\r\n`),
    await raw("/v1/é"),
    await raw("/v1/buckets/b", "PUT", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
    await raw("/v1/buckets/b", "PUT", "Content-Type: ;;;\r\nContent-Length: 1\r\n\r\nx"),
  ];
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1.1 4(00|31) /);
    expect(answer).toMatch(/\{"Message":"[^"]+","Type":"BadRequest"\}/);
  }
});

describe("sign-in", () => {
  const entry = { wallet: alice.address, seq: 0, prev_hash: null, refs: [], type: "tick", body: {} } as const;

  test("small skew passes, large skew says to check the clock", async () => {
    for (const minutes of [-9, 9])
      expect(
        (
          await call("PUT", paths.bucket("b"), {
            header: signIn(alice, NOW + minutes * 60_000),
            body: '{"kind":"memory"}',
          })
        ).status,
      ).toBeLessThan(202);
    for (const minutes of [-11, 11]) {
      const answer = await call("PUT", paths.bucket("b"), { header: signIn(alice, NOW + minutes * 60_000) });
      expect(answer).toMatchObject({ status: 401, json: { Type: "Unauthorized" } });
      expect((answer.json as { Message: string }).Message).toContain("check your clock");
    }
  });

  test("a sign-in runs out, also after it was used", async () => {
    let now = NOW;
    await restart({ clock: { ...systemClock, now: () => now } });
    const header = signIn(alice);
    const body = '{"kind":"memory"}';
    expect((await call("PUT", paths.bucket("b"), { header, body })).status).toBe(201);
    now += 600_000;
    expect((await call("PUT", paths.bucket("b"), { header, body })).status).toBe(200);
    now += 1;
    expect((await call("PUT", paths.bucket("b"), { header, body })).status).toBe(401);
  });

  test.each<[string, string]>([
    ["nothing", ""],
    ["no JSON", "Bearer x"],
    ["null", "null"],
    ["a list", "[]"],
    [
      "an entry's signature",
      authorization(alice.address, NOW, alice.signTextNow(signedText(entry)), signedText(entry)),
    ],
    ["another's signature", signIn(alice).replace(/"Sign":"0x\w+"/, `"Sign":"${bob.signTextNow("x")}"`)],
    [
      "another's address",
      signIn(alice).replaceAll(checksumAddress(alice.address), checksumAddress(bob.address)),
    ],
    ["another type", signIn(alice).replace("personal_sign", "ed25519")],
    ["a changed time", signIn(alice).replace(/"Time":\d+/, `"Time":${NOW / 1000 - 3600}`)],
  ])("refuses %s", async (_what, header) => {
    const answer = await call("PUT", paths.bucket("b"), { header, body: '{"kind":"memory"}' });
    expect(answer).toMatchObject({ status: 401, json: { Type: "Unauthorized" } });
  });

  const makes = (header: string) => call("PUT", paths.bucket("b"), { header, body: '{"kind":"memory"}' });

  test("any site's login is no permission: the domain must be the Hub's own host", async () => {
    for (const domain of [
      "opensea.io",
      "hub.example.evil",
      "evil.hub.example",
      "hub.example:8080",
      "localhost",
    ]) {
      const answer = await makes(signIn(alice, NOW, domain));
      expect(answer).toMatchObject({ status: 401, json: { Type: "Unauthorized" } });
      expect((answer.json as { Message: string }).Message).toContain(
        `names ${domain}, and this Hub is hub.example`,
      );
    }
    for (const domain of ["hub.example", "HUB.example:443"])
      expect((await makes(signIn(alice, NOW, domain))).status).toBeLessThan(202);
  });

  test("without a public URL the domain is the request's Host", async () => {
    await restart({ store: new MemoryStore() });
    await server.close();
    server = await startServer({ store: new MemoryStore(), clock });
    expect((await makes(signIn(alice))).status).toBe(401);
    expect((await makes(signIn(alice, NOW, new URL(server.url).host))).status).toBe(201);
  });

  test("a program on this machine signs in to the address that it asks, beside the public host", async () => {
    const { host } = new URL(server.url);
    expect((await makes(signIn(alice, NOW, host))).status).toBe(201);
    const forwarded = { authorization: signIn(bob, NOW, host), "x-forwarded-for": "192.0.2.1" };
    const answer = await fetch(new URL(paths.bucket("c"), server.url), {
      method: "PUT",
      headers: forwarded,
      body: '{"kind":"memory"}',
    });
    expect(answer.status).toBe(401);
  });

  test("an Expiration Time that is over and a Not Before to come are refused", async () => {
    for (const more of ["\nExpiration Time: 2001-01-01T00:00:00Z", "\nNot Before: 2026-01-01T12:00:01Z"])
      expect((await makes(signIn(alice, NOW, "hub.example", more))).status).toBe(401);
    for (const more of ["\nExpiration Time: 2026-01-01T12:00:00Z", "\nNot Before: 2026-01-01T12:00:00Z"])
      expect((await makes(signIn(alice, NOW, "hub.example", more))).status).toBeLessThan(202);
  });

  test("one dated in the future lives no longer from its first use on", async () => {
    let now = NOW;
    await restart({ clock: { ...systemClock, now: () => now } });
    const header = signIn(alice, NOW + 590_000);
    expect((await makes(header)).status).toBe(201);
    now += 600_000;
    expect((await makes(header)).status).toBe(200);
    now += 1;
    for (let i = 0; i < 2; i++) expect((await makes(header)).status).toBe(401);
  });

  test("v 0 and 1 are read as 27 and 28", async () => {
    const old = signIn(alice).replace(/1b"/, '00"').replace(/1c"/, '01"');
    expect((await call("PUT", paths.bucket("b"), { header: old, body: '{"kind":"memory"}' })).status).toBe(
      201,
    );
  });
});

describe("the whole server", () => {
  test("two Host headers are refused, by Hub, page and relay", async () => {
    const upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    for (const path of ["/v1/info", "/config.json", "/none"])
      expect(await raw(path, "GET", "hOST: other\r\n")).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw("/relay", "GET", `Host: other\r\n${upgrade}`)).toMatch(/^HTTP\/1.1 400 /);
  });

  test("HSTS behind TLS alone, and no features of the browser", async () => {
    expect((await call("GET", "/config.json")).headers.get("strict-transport-security")).toBe(
      "max-age=31536000",
    );
    expect((await call("GET", paths.info)).headers.get("permissions-policy")).toContain("camera=()");
    await restart({ publicUrl: "http://hub.example" });
    expect((await call("GET", paths.info)).headers.get("strict-transport-security")).toBeNull();
  });

  test("under a prefix, whether the proxy takes it off or not, Hub, config and relay answer", async () => {
    await restart({ publicUrl: "https://hub.example/coop/" });
    for (const prefix of ["", "/coop"]) {
      expect((await call("GET", `${prefix}/v1/info`)).json).toMatchObject({ status: "ok" });
      expect((await call("GET", `${prefix}/config.json`)).json).toMatchObject({ hub: "./", relay: "relay" });
      expect(await raw(`${prefix}/relay`, "GET", "Upgrade: x\r\nConnection: Upgrade\r\n")).toMatch(
        /^HTTP\/1.1 (400|426) /,
      );
    }
    expect((await call("GET", "/cooper/v1/info")).status).toBe(404);
    await expect(startServer({ store: new MemoryStore(), publicUrl: "hub.example" })).rejects.toThrow(
      "the public URL",
    );
  });

  test("any origin may call, and reads what it needs", async () => {
    const preflight = await call("OPTIONS", paths.bucket("b"));
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
    const refused = await call("PUT", paths.bucket("b"));
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("access-control-expose-headers")).toBe("Date, Retry-After");
  });

  test("answers carry a policy that runs nothing", async () => {
    for (const path of [paths.info, "/v1/none", paths.bucket("none")]) {
      const { headers } = await call("GET", path);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  test("503 while read-only, reads go on", async () => {
    await restart({ readOnly: () => true });
    expect(await makeBucket()).toMatchObject({ status: 503, json: { Type: "ReadOnly" } });
    expect((await call("GET", paths.info)).status).toBe(200);
  });

  test("599 when the store fails, without its words", async () => {
    const logged: string[] = [];
    const store: Store = Object.assign(new MemoryStore(), {
      makeBucket: () => Promise.reject(new Error("disk on fire")),
    });
    await restart({ store, log: (message) => logged.push(message) });
    const answer = await makeBucket();
    expect(answer).toMatchObject({ status: 599, json: { Type: "InternalError" } });
    expect(JSON.stringify(answer.json)).not.toContain("fire");
    expect(logged.join()).toContain("disk on fire");
  });

  test("429 with Retry-After for who asks too fast", async () => {
    await restart({ limits: { perSecond: 1, burst: 3, loopback: true } });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await call("GET", paths.info)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const answer = await call("GET", paths.info);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.json).toMatchObject({ Type: "RateLimited" });
  });

  test("429 for who signs in anew all the time, not for who signs in once", async () => {
    await restart({ limits: { loopback: true, signInsBurst: 2, signInsPerSecond: 1 } });
    for (let i = 0; i < 5; i++) expect((await makeBucket()).status).toBeLessThan(202);
    expect((await makeBucket("b", bob)).status).toBe(201);
    const third = localWallet(`0x${"c3".repeat(32)}`);
    expect((await makeBucket("c", third)).status).toBe(429);
  });

  test("closing answers what is under way, then takes no more", async () => {
    let release = (): void => undefined;
    let asked = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    const makeSlowly = () => {
      asked();
      return new Promise<"made">((resolve) => (release = () => resolve("made")));
    };
    await restart({ store: Object.assign(new MemoryStore(), { makeBucket: makeSlowly }) });
    const under = makeBucket();
    await arrived;
    const closed = server.close();
    release();
    expect((await under).status).toBe(201);
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
  });
});

describe("closing does not wait for a client that", () => {
  test.each([
    ["sends nothing", ""],
    ["has sent half a request line", "GET /v1/in"],
    ["has sent half an upgrade", "GET /relay HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"],
    ["keeps its connection", "GET /v1/info HTTP/1.1\r\nHost: x\r\n\r\n"],
  ])("%s", async (_what, text) => {
    // The grace for what is under way never ends here, so that nothing but the rule itself can close.
    const never = { ...clock, after: () => () => undefined };
    await restart({ clock: never });
    const socket = connect({ host: "127.0.0.1", port: server.port });
    const ended = once(socket, "close");
    socket.resume();
    await once(socket, "connect");
    if (text !== "") socket.write(text);
    // An answer to another shows that the server has seen this connection.
    await call("GET", "/v1/info");
    await server.close();
    await ended;
  });

  test("sends half a body, once the grace is over", async () => {
    const ends: (() => void)[] = [];
    await restart({ clock: { ...clock, after: (_ms, work) => (ends.push(work), () => undefined) } });
    const socket = connect({ host: "127.0.0.1", port: server.port });
    const ended = once(socket, "close");
    socket.resume();
    await once(socket, "connect");
    socket.write(`PUT /v1/buckets/b HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab`);
    await call("GET", "/v1/info");
    const closed = server.close();
    // What these set up anew (the next ping) is not called.
    for (const end of ends.splice(0)) end();
    await closed;
    await ended;
  });
});

describe("the app", () => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "coop-app-"));
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<!doctype html><head><title>app</title></head>");
    writeFileSync(join(folder, "assets", "main-abc.js"), "export {};");
    writeFileSync(join(folder, "assets", "main-abc.js.br"), brotliCompressSync("export {};"));
    await restart({ appDir: folder, bot: () => ({ address: bob.address, games: ["rps"] }) });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("files come with a strict policy, and hashed ones may be kept", async () => {
    const page = await call("GET", "/");
    expect(page.json).toContain("<title>app");
    const policy = page.headers.get("content-security-policy")!;
    for (const part of [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain("unsafe-inline");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const script = await call("GET", "/assets/main-abc.js");
    expect(script.headers.get("content-type")).toContain("javascript");
    expect(script.headers.get("cache-control")).toContain("immutable");
    expect(script.headers.get("content-security-policy")).toBe(policy);
  });

  test("only /embed may be framed", async () => {
    const page = await call("GET", "/embed");
    expect(page.json).toContain("<title>app");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors *");
  });

  test("the page carries its config, at every path of it", async () => {
    for (const path of ["/", "/index.html", "/embed"])
      expect((await call("GET", path)).json).toContain(
        `<meta name="coop-config" content="{&quot;hub&quot;:&quot;./&quot;,&quot;relay&quot;:&quot;relay&quot;,&quot;bot&quot;:{&quot;address&quot;:&quot;${bob.address}&quot;`,
      );
  });

  test("a file that the build compressed is sent so to who takes it", async () => {
    const asked = (encoding: string) =>
      fetch(new URL("/assets/main-abc.js", server.url), { headers: { "accept-encoding": encoding } });
    const small = await asked("br");
    expect(small.headers.get("content-encoding")).toBe("br");
    expect(small.headers.get("content-type")).toContain("javascript");
    expect(small.headers.get("cache-control")).toContain("immutable");
    expect(await small.text()).toBe("export {};");
    expect((await asked("identity")).headers.get("content-encoding")).toBeNull();
  });

  test("the config names Hub, relay and bot", async () => {
    const { json } = await call("GET", "/config.json");
    expect(json).toEqual({ hub: "./", relay: "relay", bot: { address: bob.address, games: ["rps"] } });
  });

  test("nothing outside the folder is served", async () => {
    for (const path of ["/../package.json", "/%2e%2e/package.json", "/assets/../../package.json"])
      expect(await raw(path)).not.toContain("coop-explorer");
    expect((await call("GET", "/none")).status).toBe(404);
  });
});
