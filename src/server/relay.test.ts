import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { refOf, until } from "../channel/channel.contract.ts";
import { decodeServerFrame, encodeTopics, type ServerFrame } from "../channel/frames.ts";
import { RelayChannel } from "../channel/channel.websocket.ts";
import { WebSocket } from "ws";
import { ManualClock } from "../testing/network-clock.ts";
import { RawClient, realClock, startRelay, type Harness } from "../testing/relay-harness.ts";
import { attachRelay, type RelayOptions } from "./relay.ts";
import { textFrame, Topics } from "./relay-topics.ts";

const open: Harness[] = [];
const clients: RawClient[] = [];

async function start(options: Partial<RelayOptions> = {}): Promise<Harness> {
  const harness = await startRelay(options);
  open.push(harness);
  return harness;
}

async function join(harness: Harness, headers: Record<string, string> = {}): Promise<RawClient> {
  const client = new RawClient(harness.url, { headers });
  clients.push(client);
  return client.opened();
}

/** What a client has been sent of one op, or the codes of its errors. */
const refs = (client: RawClient): string[] =>
  client.texts.map(decodeServerFrame).flatMap((frame) => (frame.op === "ref" ? [frame.ref] : []));
const errors = (client: RawClient): string[] =>
  client.texts
    .map(decodeServerFrame)
    .filter((frame): frame is ServerFrame & { op: "error" } => frame.op === "error")
    .map((frame) => frame.code);

/** Waits until the relay has read all that the client has sent: errors come in their turn. */
async function turn(client: RawClient): Promise<void> {
  const seen = errors(client).length;
  client.socket.send('{"op":"ping"}');
  await until(() => errors(client).length > seen);
  client.texts.splice(
    client.texts.findLastIndex((text) => text.includes("unknown-op")),
    1,
  );
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate();
  for (const harness of open.splice(0)) await harness.close();
});

describe("8 relay: bad frames", () => {
  it.each([
    ["]", "not-json"],
    ["null", "not-an-object"],
    ["[]", "not-an-object"],
    ['"x"', "not-an-object"],
    ["42", "not-an-object"],
    ["{}", "unknown-op"],
    ['{"refs":null}', "unknown-op"],
    ['{"op":"pub","topic":"lobby","ref":"0x', "not-json"],
    ['{"op":"pub","topic":"__proto__","ref":"x"}', "bad-topic"],
    ['{"op":"pub","topic":"lobby","ref":{}}', "bad-ref"],
    ['{"op":"sub","topics":[null]}', "bad-topic"],
    ["x".repeat(5_000), "too-large"],
  ])("%.40s is answered with %s; sender and others go on", async (text, code) => {
    const harness = await start();
    const [bad, other] = [await join(harness), await join(harness)];
    for (const client of [bad, other]) client.send({ op: "sub", topics: ["lobby"] });
    await turn(other);
    bad.socket.send(text);
    bad.send({ op: "pub", topic: "lobby", ref: refOf(1) });
    await until(() => refs(bad).length === 1 && refs(other).length === 1);
    expect(errors(bad)).toEqual([code]);
    expect(errors(other)).toEqual([]);
  });

  it("a binary frame is answered with not-text", async () => {
    const client = await join(await start());
    client.socket.send(Buffer.from('{"op":"sub","topics":["lobby"]}'), { binary: true });
    await until(() => errors(client).length === 1);
    expect(errors(client)).toEqual(["not-text"]);
  });

  it("invalid UTF-8 gets its error, then the end that RFC 6455 asks for; others go on", async () => {
    const harness = await start();
    const [bad, other] = [await join(harness), await join(harness)];
    bad.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
    await until(() => bad.closed !== undefined);
    expect([errors(bad), bad.closed]).toEqual([["not-utf8"], 1007]);
    await turn(other);
  });

  it("a frame beyond all measure, and bytes that are no frame, end that connection alone", async () => {
    const harness = await start();
    const [big, other] = [await join(harness), await join(harness)];
    big.socket.send("x".repeat(1_000_000));
    const raw = connect(Number(new URL(harness.url).port), "127.0.0.1");
    raw.on("error", () => undefined);
    raw.write(
      "GET /relay HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\xff\xff\xff\xff\xff\xff\xff",
      "latin1",
    );
    raw.resume();
    await once(raw, "close");
    await until(() => big.closed !== undefined);
    expect(big.closed).toBe(1009);
    await turn(other);
    expect(harness.relay.stats().connections).toBe(1);
  });
});

describe("8 relay: topics", () => {
  it("keeps the last 64 refs of a topic, without repetitions, for a new subscriber", async () => {
    const harness = await start();
    const [a, b] = [await join(harness), await join(harness)];
    for (let n = 0; n < 70; n++) a.send({ op: "pub", topic: "lobby", ref: refOf(n) });
    a.send({ op: "pub", topic: "lobby", ref: refOf(10) });
    await turn(a);
    b.send({ op: "sub", topics: ["lobby"] });
    await until(() => refs(b).length >= 64);
    const expected = Array.from({ length: 64 }, (_, i) => refOf(6 + i)).filter((ref) => ref !== refOf(10));
    expect(refs(b)).toEqual([...expected, refOf(10)]);
  });

  it("retains a bounded number of topics, the longest unused going first", async () => {
    const harness = await start({ limits: { retainedTopics: 3 } });
    const a = await join(harness);
    for (let n = 0; n < 5; n++) a.send({ op: "pub", topic: refOf(n), ref: refOf(n) });
    await turn(a);
    expect(harness.relay.stats().retainedTopics).toBe(3);
    a.send({ op: "sub", topics: [0, 1, 2, 3, 4].map((n) => refOf(n)) });
    await turn(a);
    expect(refs(a)).toEqual([2, 3, 4].map((n) => refOf(n)));
  });

  it("one connection has at most 1,024 topics; the frame that goes over does nothing", async () => {
    const harness = await start();
    const a = await join(harness);
    const topics = Array.from({ length: 1025 }, (_, n) => refOf(n));
    for (const frame of encodeTopics("sub", topics.slice(0, 1024))) a.socket.send(frame);
    await turn(a);
    expect(errors(a)).toEqual([]);
    a.send({ op: "sub", topics: [refOf(3), refOf(1024), refOf(1024)] });
    await turn(a);
    expect([errors(a), harness.relay.stats().topics]).toEqual([["too-many-topics"], 1024]);
    a.send({ op: "unsub", topics: [refOf(0), "lobby"] });
    a.send({ op: "sub", topics: [refOf(1024)] });
    await turn(a);
    expect([errors(a), harness.relay.stats().topics]).toEqual([["too-many-topics"], 1024]);
  });

  it("whoever leaves takes its topics along", async () => {
    const harness = await start();
    const a = await join(harness);
    a.send({ op: "sub", topics: ["lobby", refOf(1)] });
    await turn(a);
    expect(harness.relay.stats().topics).toBe(2);
    a.socket.terminate();
    await until(() => harness.relay.stats().connections === 0);
    expect(harness.relay.stats().topics).toBe(0);
  });
});

describe("8 relay: nobody's refs are pushed out, and nothing is sent twice", () => {
  it("sub of a topic followed already sends nothing again, nor does leaving and coming back", async () => {
    const harness = await start();
    const [a, b] = [await join(harness), await join(harness)];
    const topics = Array.from({ length: 20 }, (_, n) => refOf(n));
    for (const topic of topics) for (let n = 0; n < 64; n++) a.send({ op: "pub", topic, ref: refOf(n) });
    await turn(a);
    b.send({ op: "sub", topics });
    await until(() => refs(b).length === 20 * 64);
    for (let n = 0; n < 20; n++) b.send({ op: "sub", topics });
    for (let n = 0; n < 20; n++) {
      b.send({ op: "unsub", topics });
      b.send({ op: "sub", topics });
    }
    await turn(b);
    expect(refs(b)).toHaveLength(20 * 64);
    b.send({ op: "unsub", topics });
    await turn(b);
    a.send({ op: "pub", topic: topics[0], ref: refOf(99) });
    await turn(a);
    b.send({ op: "sub", topics });
    await until(() => refs(b).length === 20 * 64 + 1);
    expect(refs(b).at(-1)).toBe(refOf(99));
  });

  it("leaving more topics than are remembered brings nothing again either", async () => {
    const harness = await start({ limits: { topicsPerConnection: 4 } });
    const [a, b] = [await join(harness), await join(harness)];
    const topics = Array.from({ length: 12 }, (_, n) => refOf(n));
    for (const topic of topics) a.send({ op: "pub", topic, ref: refOf(1) });
    await turn(a);
    for (let round = 0; round < 3; round++)
      for (const topic of topics) {
        b.send({ op: "sub", topics: [topic] });
        b.send({ op: "unsub", topics: [topic] });
      }
    await turn(b);
    expect(refs(b).length).toBeLessThanOrEqual(12);
  });

  it("2,100 publications to invented topics flush nobody's kept refs but their publisher's", async () => {
    const harness = await start({ limits: { framesPerSecond: 1e6, burst: 1e6, retainedTopics: 100 } });
    const [genuine, flood, late] = [await join(harness), await join(harness), await join(harness)];
    genuine.send({ op: "pub", topic: "lobby", ref: refOf(7) });
    genuine.send({ op: "pub", topic: refOf(7), ref: refOf(8) });
    await turn(genuine);
    for (let n = 0; n < 2_100; n++) flood.send({ op: "pub", topic: refOf(1_000 + n), ref: refOf(n) });
    await turn(flood);
    expect(harness.relay.stats().retainedTopics).toBe(100);
    late.send({ op: "sub", topics: ["lobby", refOf(7)] });
    await until(() => refs(late).length === 2);
    expect(refs(late)).toEqual([refOf(7), refOf(8)]);
  });

  it("500 invented refs on the lobby push out their own: a genuine invite is kept and forwarded", async () => {
    const harness = await start({ limits: { framesPerSecond: 1e6, burst: 1e6 } });
    const [genuine, flood, listener, late] = [
      await join(harness),
      await join(harness),
      await join(harness),
      await join(harness),
    ];
    listener.send({ op: "sub", topics: ["lobby"] });
    await turn(listener);
    for (let n = 0; n < 250; n++) flood.send({ op: "pub", topic: "lobby", ref: refOf(n) });
    genuine.send({ op: "pub", topic: "lobby", ref: refOf(7_777) });
    await turn(genuine);
    for (let n = 250; n < 500; n++) flood.send({ op: "pub", topic: "lobby", ref: refOf(n) });
    await until(() => refs(listener).length === 501);
    expect(refs(listener)).toContain(refOf(7_777));
    late.send({ op: "sub", topics: ["lobby"] });
    await until(() => refs(late).length === 64);
    expect(refs(late)).toContain(refOf(7_777));
  });
});

describe("8 relay: limits by address", () => {
  const oneOf = (address: string) => ({ clientOf: () => ({ address, limited: true }) });

  it("connections of one address beyond their number are refused with 429", async () => {
    const harness = await start({ ...oneOf("192.0.2.1"), limits: { connectionsPerAddress: 1 } });
    const first = await join(harness);
    expect(await status(harness)).toBe(429);
    first.socket.terminate();
    await until(() => harness.relay.stats().connections === 0);
    await join(harness);
  });

  it("topics, frames and refs of one address are counted over its connections", async () => {
    const clock = new ManualClock();
    const limits = { subscriptionsPerAddress: 3, refsPerSecondPerAddress: 1, refsBurstPerAddress: 2 };
    const harness = await start({ ...oneOf("192.0.2.1"), clock, limits });
    const [a, b] = [await join(harness), await join(harness)];
    a.send({ op: "sub", topics: [refOf(1), refOf(2)] });
    await turn(a);
    b.send({ op: "sub", topics: [refOf(3), refOf(4)] });
    await turn(b);
    expect(errors(b)).toEqual(["too-many-topics"]);
    a.send({ op: "unsub", topics: [refOf(1)] });
    await turn(a);
    b.send({ op: "sub", topics: [refOf(3), refOf(4)] });
    for (const client of [a, a, b, b]) client.send({ op: "pub", topic: "lobby", ref: refOf(1) });
    await turn(a);
    await turn(b);
    expect(harness.relay.stats()).toMatchObject({ published: 2, rateLimited: 2, topics: 3 });
  });
});

describe("8 relay: limits", () => {
  it("frames over the rate are dropped, which is said once a second; who goes on is cut off", async () => {
    const clock = new ManualClock();
    const limits = { framesPerSecond: 10, burst: 20, droppedFrames: 30 };
    const harness = await start({ clock, limits });
    const [a, b] = [await join(harness), await join(harness)];
    b.send({ op: "sub", topics: ["lobby"] });
    await turn(b);
    for (let n = 0; n < 30; n++) a.send({ op: "pub", topic: "lobby", ref: refOf(n) });
    await until(() => harness.relay.stats().rateLimited === 10 && refs(b).length === 20);
    clock.advance(1_000);
    for (let n = 30; n < 45; n++) a.send({ op: "pub", topic: "lobby", ref: refOf(n) });
    await until(() => harness.relay.stats().rateLimited === 15 && refs(b).length === 30);
    await until(() => errors(a).length === 2);
    expect(errors(a)).toEqual(["rate-limited", "rate-limited"]);
    for (let n = 0; n < 40; n++) a.send({ op: "pub", topic: "lobby", ref: refOf(n) });
    await until(() => a.closed !== undefined);
    expect(a.closed).toBe(1008);
    expect(b.closed).toBeUndefined();
  });

  it("a silent client is cut off at the second ping; one that answers stays", async () => {
    const clock = new ManualClock();
    const harness = await start({ clock });
    const lively = await join(harness);
    const dead = new RawClient(harness.url, { autoPong: false });
    clients.push(dead);
    await dead.opened();
    const pinged = once(lively.socket, "ping");
    clock.advance(30_000);
    await pinged;
    await turn(lively);
    clock.advance(30_000);
    await until(() => dead.closed !== undefined);
    expect([harness.relay.stats().silent, harness.relay.stats().connections]).toEqual([1, 1]);
    await turn(lively);
  });

  it("a slow reader is cut off at a cap of waiting bytes, and others get everything", async () => {
    const harness = await start({
      limits: { bufferedBytes: 64 * 1024, framesPerSecond: 1e6, burst: 1e6 },
    });
    const [a, slow, good] = [await join(harness), await join(harness), await join(harness)];
    for (const client of [slow, good]) client.send({ op: "sub", topics: ["lobby"] });
    await turn(slow);
    await turn(good);
    slow.socket.pause();
    let sent = 0;
    let got = 0;
    good.texts.length = 0;
    while (harness.relay.stats().slowReaders === 0) {
      for (let n = 0; n < 500; n++) a.send({ op: "pub", topic: "lobby", ref: refOf(sent++) });
      await until(() => refs(good).length === sent - got || harness.relay.stats().slowReaders > 1);
      got += good.texts.length;
      good.texts.length = 0;
    }
    expect([harness.relay.stats().slowReaders, got]).toEqual([1, sent]);
    await until(() => harness.relay.stats().connections === 2);
    expect(good.closed).toBeUndefined();
  });

  it("connections are counted, and one too many is refused with 503", async () => {
    const harness = await start({ limits: { connections: 1 } });
    await join(harness);
    expect(await status(harness)).toBe(503);
    expect(harness.relay.stats()).toMatchObject({ connections: 1, refused: 1 });
  });
});

describe("8 relay: on an HTTP server", () => {
  it("any origin may connect by default, since nothing it sends carries authority", async () => {
    const harness = await start();
    await join(harness, { Origin: "https://anywhere.example" });
    await join(harness, { Origin: "null" });
    expect(harness.relay.stats().connections).toBe(2);
  });

  it("with an origin list other pages get 403; clients without Origin are let in", async () => {
    const harness = await start({ origins: ["https://app.example"] });
    await join(harness, { Origin: "https://app.example" });
    await join(harness);
    for (const Origin of ["https://app.example.evil", "http://app.example", "null"])
      expect(await status(harness, { Origin })).toBe(403);
    expect(harness.relay.stats()).toMatchObject({ connections: 2, refused: 3 });
  });

  it("another path is 404, a query changes nothing, and plain requests still get their answers", async () => {
    const harness = await start();
    const away = { ...harness, url: harness.url.replace("/relay", "/other") };
    expect(await status(away)).toBe(404);
    await join({ ...harness, url: `${harness.url}?x=1` });
    const answer = await fetch(harness.url.replace("ws:", "http:"));
    expect(await answer.text()).toBe("here");
  });

  it("another path is left to another listener, if there is one", async () => {
    const harness = await start();
    harness.server.on("upgrade", (request, socket) => {
      if (request.url === "/other") socket.end("HTTP/1.1 418 Taken\r\n\r\n");
    });
    expect(await status({ ...harness, url: harness.url.replace("/relay", "/other") })).toBe(418);
  });

  it("clients reconnect to a relay that restarts on its port and lose nothing announced", async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    const make = (): RelayChannel =>
      new RelayChannel({
        url: first.url,
        WebSocket,
        clock: realClock,
        random: Math.random,
        timing: { baseMs: 20, capMs: 50 },
      });
    const [a, b] = [make(), make()];
    const heard: string[] = [];
    b.subscribe("lobby", (ref) => heard.push(ref));
    await until(() => a.getState() === "live" && b.getState() === "live");
    await first.close();
    await until(() => a.getState() !== "live" && b.getState() !== "live");
    a.publish("lobby", refOf(1));
    open.push(await startRelay({}, port));
    await until(() => heard.length === 1);
    expect(b.getState()).toBe("live");
    a.close();
    b.close();
  });

  it("closing ends the connections at once and leaves the server to others", async () => {
    const server = createServer((_, response) => response.end("here"));
    const relay = attachRelay(server, { path: "/relay", clock: realClock });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const client = await new RawClient(`ws://127.0.0.1:${port}/relay`).opened();
    relay.close();
    await until(() => client.closed !== undefined && relay.stats().connections === 0);
    expect(client.closed).toBe(1001);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
});

describe("8 relay: fan-out", () => {
  it("refs of one turn are one write per subscriber; a new one gets only later refs", () => {
    let run = (): void => undefined;
    const topics = new Topics((work) => (run = work));
    const writes: Buffer[] = [];
    const late: Buffer[] = [];
    topics.add("lobby", { write: (frames) => writes.push(frames) });
    topics.publish("lobby", refOf(1));
    topics.publish("lobby", refOf(2));
    expect(writes).toEqual([]);
    run();
    expect(writes).toHaveLength(1);
    expect(writes[0]).toEqual(Buffer.concat([1, 2].map(frameOf)));
    topics.publish("lobby", refOf(3));
    topics.add("lobby", { write: (frames) => late.push(frames) });
    topics.publish("lobby", refOf(4));
    run();
    expect(late).toEqual([frameOf(4)]);
    expect(Buffer.concat(writes)).toEqual(Buffer.concat([1, 2, 3, 4].map(frameOf)));
  });
});

function frameOf(n: number): Buffer {
  return textFrame(`{"op":"ref","topic":"lobby","ref":"${refOf(n)}"}`);
}

/** The status that an upgrade is refused with. */
async function status(harness: Harness, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(harness.url, { headers });
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
  socket.terminate();
  return response.statusCode;
}
