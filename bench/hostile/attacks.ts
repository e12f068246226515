// Every attack that one machine can make on the server, in bounded time: prints the attack, its bound and what was
// measured, and exits with 1 if a bound is broken. Clients come from many addresses of 127.0.0.0/8 (Linux).
// Run: node --import tsx bench/hostile/attacks.ts [--short]

import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";
import { bucketOf, paths } from "../../src/hub/hub-api.ts";
import { authorization, signInText } from "../../src/hub/sign-in.ts";
import { localWallet, type LocalWallet } from "../../src/wallet/wallet.local.ts";

const short = process.argv.includes("--short");
const ROWS = short ? 100_000 : 1_000_000;
const READERS = short ? 1_000 : 5_000;
const IDLE = short ? 2_000 : 10_000;

const child = fork(new URL("server-process.ts", import.meta.url).pathname, [String(ROWS)], {
  execArgv: ["--import", "tsx"],
});
const [{ port }] = (await once(child, "message")) as [{ port: number }];
const host = `127.0.0.1:${port}`;
const alice = localWallet(`0x${"a1".repeat(32)}`);
const mallory = localWallet(`0x${"e3".repeat(32)}`);
const ROWS_OWNER = "0x00000000000000000000000000000000000000a1";
let broken = 0;

function report(attack: string, bound: string, measured: string, holds: boolean): void {
  if (!holds) broken++;
  console.log(`${holds ? "holds " : "BROKEN"}  ${attack.padEnd(66)} ${bound.padEnd(24)} ${measured}`);
}

function signIn(wallet: LocalWallet, domain = host): string {
  const issuedAt = Date.now();
  const text = signInText({
    address: wallet.address,
    domain,
    uri: `http://${host}`,
    nonce: "hostile000",
    issuedAt,
  });
  return authorization(wallet.address, issuedAt, wallet.signTextNow(text), text);
}

async function call(
  method: string,
  path: string,
  as?: string,
  body?: string | Uint8Array,
): Promise<Response> {
  const headers = as === undefined ? {} : { authorization: as };
  return fetch(`http://${host}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: body as BodyInit }),
  });
}

const addressOf = (n: number) => `127.0.${1 + Math.floor(n / 200)}.${1 + (n % 200)}`;

/** `count` sockets from addresses of `perAddress` each, all of which connect or are turned away. */
async function sockets(count: number, perAddress: number, text: string, first = 0): Promise<Socket[]> {
  const open: Socket[] = [];
  for (let at = 0; at < count; at += 200)
    await Promise.all(
      Array.from({ length: Math.min(200, count - at) }, async (_, i) => {
        const localAddress = addressOf(first + Math.floor((at + i) / perAddress));
        const socket = connect({ host: "127.0.0.1", port, localAddress });
        socket.on("error", () => undefined);
        await Promise.race([once(socket, "connect"), once(socket, "close")]);
        socket.write(text);
        open.push(socket);
      }),
    );
  return open;
}

async function megabytes(): Promise<number> {
  child.send("usage");
  const [{ megabytes }] = (await once(child, "message")) as [{ megabytes: number }];
  return megabytes;
}

const ref = (n: number, by = "b2") => `0x${by.repeat(20)}:${n}:0x${n.toString(16).padStart(64, "0")}`;
async function relayClient(localAddress = "127.0.0.1") {
  const socket = new WebSocket(`ws://${host}/relay`, { localAddress, perMessageDeflate: false });
  const got = { bytes: 0, texts: new Set<string>() };
  socket.on("message", (data: Buffer) => {
    got.bytes += data.length;
    got.texts.add(data.toString());
  });
  await once(socket, "open");
  const send = (frame: unknown) => socket.send(JSON.stringify(frame));
  const settle = async () => {
    socket.ping();
    await once(socket, "pong");
  };
  return { socket, got, send, settle };
}

// Permissions
const bucket = bucketOf(alice.address);
const kind = '{"kind":"memory"}';
const login = await call("PUT", paths.bucket("b"), signIn(mallory, "opensea.io"), kind);
report("another site's login as a permission", "401", String(login.status), login.status === 401);
const squat = await call("PUT", paths.bucket(bucket), signIn(mallory), kind);
report("a stranger makes the bucket of an address", "403", String(squat.status), squat.status === 403);
const mine = signIn(alice);
await call("PUT", paths.bucket(bucket), mine, kind);
const log = paths.object(bucket, "coop1_00000000000000000000");
await call("PUT", log, mine, "one");
const rewritten = await call("PUT", log, mine, "two");
const deleted = await call("DELETE", paths.bucket(bucket), mine);
report(
  "a log rewritten, and deleted with its bucket",
  "409, 409",
  `${rewritten.status}, ${deleted.status}`,
  rewritten.status === 409 && deleted.status === 409,
);

// Cheap requests
await call("PUT", paths.bucket("empty"), mine, kind);
const cheap: [string, () => Promise<Response>][] = [
  [
    "a conversation that is the beginning of others' keys",
    () => call("GET", `/v1/conversations/a_zz1?owner=${ROWS_OWNER}`),
  ],
  [
    "a page far behind the end",
    () => call("GET", `/v1/conversations/a?owner=${ROWS_OWNER}&offset=999999999`),
  ],
  [
    "a page of rows in the middle",
    () =>
      call(
        "GET",
        `/v1/conversations/a?owner=${ROWS_OWNER}&offset=${50_000 + Math.floor(Math.random() * 9_999)}`,
      ),
  ],
  ["one key written again and again", () => call("PUT", paths.object("empty", "k_1"), mine, "x")],
];
for (const [attack, request] of cheap) {
  const times: number[] = [];
  for (let i = 0; i < 21; i++) {
    const began = performance.now();
    await (await request()).arrayBuffer();
    times.push(performance.now() - began);
  }
  const middle = times.sort((a, b) => a - b)[10]!;
  report(
    `${attack}, ${ROWS} rows`,
    "answer in 20 ms",
    `${middle.toFixed(1)} ms (median of 21)`,
    middle <= 20,
  );
}

// Relay
const [flood, genuine, reader] = [
  await relayClient("127.0.200.1"),
  await relayClient("127.0.200.2"),
  await relayClient("127.0.200.3"),
];
const topics = Array.from({ length: 12 }, (_, n) => ref(n));
for (const topic of topics) for (let n = 0; n < 64; n++) genuine.send({ op: "pub", topic, ref: ref(n) });
await genuine.settle();
reader.send({ op: "sub", topics });
await reader.settle();
await new Promise((resolve) => setTimeout(resolve, 500));
const once_ = reader.got.bytes;
for (let n = 0; n < 200; n++) {
  reader.send({ op: "sub", topics });
  reader.send({ op: "unsub", topics });
}
reader.send({ op: "sub", topics });
await reader.settle();
await new Promise((resolve) => setTimeout(resolve, 500));
const times = reader.got.bytes / Math.max(1, once_);
report(
  "12 topics with 64 kept refs followed 200 times",
  "4 times of once",
  `${times.toFixed(2)} times (${once_} bytes once)`,
  times <= 4 && once_ > 100_000,
);

const invented = async (topic: (n: number) => string, count: number, perSecond: number) => {
  for (let n = 0; n < count; n += perSecond / 10) {
    for (let i = 0; i < perSecond / 10; i++)
      flood.send({ op: "pub", topic: topic(n + i), ref: ref(n + i, "e3") });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
await invented((n) => ref(100_000 + n, "e3"), 2_100, 2_100);
const late = await relayClient("127.0.200.4");
late.send({ op: "sub", topics });
await late.settle();
await new Promise((resolve) => setTimeout(resolve, 500));
report(
  "2,100 publications to invented topics",
  "others' refs stay",
  `${late.got.texts.size} of ${12 * 64} kept`,
  late.got.texts.size === 12 * 64,
);

late.send({ op: "sub", topics: ["lobby"] });
await late.settle();
const flooding = invented(() => "lobby", short ? 1_500 : 5_000, 500);
await new Promise((resolve) => setTimeout(resolve, 1_000));
const invite = `{"op":"ref","topic":"lobby","ref":"${ref(7_777_777)}"}`;
const began = performance.now();
genuine.send({ op: "pub", topic: "lobby", ref: ref(7_777_777) });
while (!late.got.texts.has(invite) && performance.now() - began < 5_000) await once(late.socket, "message");
const waited = performance.now() - began;
await flooding;
const newcomer = await relayClient("127.0.200.5");
newcomer.send({ op: "sub", topics: ["lobby"] });
await newcomer.settle();
await new Promise((resolve) => setTimeout(resolve, 500));
const isKept = newcomer.got.texts.has(invite);
report(
  "500 invented refs a second on the lobby",
  "forwarded in 1 s, kept",
  `${waited.toFixed(0)} ms, ${isKept ? "kept" : "lost"}`,
  waited <= 1_000 && isKept,
);

// Memory
await call("PUT", paths.bucket("m"), mine, kind);
const control = new Uint8Array(65_536).fill(1);
for (let n = 0; n < 128; n++) await call("PUT", paths.object("m", `m_${n}`), mine, control);
const upgrade =
  "GET /relay HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
const idle = await sockets(IDLE, 250, upgrade);
const unread: Socket[] = [];
for (let part = 0; part < READERS; part += 100) {
  const page = `GET /v1/conversations/m?owner=${alice.address}&offset=${part / 100} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const some = await sockets(100, 100, page, 1_000 + part / 100);
  for (const socket of some) unread.push(socket.pause());
}
await new Promise((resolve) => setTimeout(resolve, 2_000));
const used = await megabytes();
report(
  `${READERS} sockets that do not read, ${IDLE} idle on the relay, ${ROWS} rows`,
  "600 MB resident",
  `${used.toFixed(0)} MB`,
  used <= 600,
);
const crowd = await sockets(600, 600, "", 2_000);
await new Promise((resolve) => setTimeout(resolve, 500));
for (const socket of crowd) socket.resume();
await new Promise((resolve) => setTimeout(resolve, 500));
const stayed = crowd.filter(
  (socket) => !socket.destroyed && !socket.readableEnded && socket.bytesRead === 0,
).length;
report("600 connections of one address", "at most 512", String(stayed), stayed <= 512);

for (const socket of [...idle, ...unread, ...crowd]) socket.destroy();
for (const { socket } of [flood, genuine, reader, late, newcomer]) socket.terminate();
child.disconnect();
await once(child, "exit");
process.exit(broken === 0 ? 0 : 1);
