// The server under load, in a process of its own: `ours` is the relay, on the bus at the URL after it if there is one, `bare` what one writes first with `ws`:
// client.send(text) for every client. It says its port, and its memory when asked.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { NatsBus } from "../../src/server/relay-bus.nats.ts";
import { attachRelay } from "../../src/server/relay.ts";

const server = createServer();
const kind = process.argv[2];

if (kind === "ours") {
  const clock = {
    now: (): number => performance.now(),
    after: (ms: number, work: () => void): (() => void) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  };
  // One publisher stands for many here, so its rate is not the thing measured.
  const url = process.argv[3];
  attachRelay(server, {
    path: "/",
    ...(url !== undefined && { bus: new NatsBus({ url, clock, note: () => undefined }) }),
    clock,
    limits: { framesPerSecond: 1e9, burst: 1e9, bufferedBytes: 64e6 },
  });
} else {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on("connection", (socket) => {
    socket.on("message", (data: Buffer) => {
      const text = data.toString().replace('"pub"', '"ref"');
      for (const client of sockets.clients) client.send(text);
    });
  });
}

server.listen(0, "127.0.0.1", 8192, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on("message", () => {
  globalThis.gc?.();
  setImmediate(() => {
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send?.({ rss, used: heapUsed + external });
  });
});
process.on("disconnect", () => process.exit(0));
