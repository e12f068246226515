// Load on an HTTP server: so many connections, each with one request under way. Raw sockets, because Node's own
// HTTP client would be slower than the server that it measures.

import { connect } from "node:net";

export interface LoadResult {
  /** Requests answered. */
  readonly count: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
  readonly failed: number;
}

/** Sends `request(i)` for i = 0, 1, … for so long; every answer must have the status `expected`. */
export async function load(
  url: string,
  connections: number,
  milliseconds: number,
  expected: number,
  request: (i: number) => Buffer,
): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const times: number[] = [];
  let next = 0;
  let failed = 0;
  const start = performance.now();
  const end = start + milliseconds;
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let parts: Buffer[] = [];
      let have = 0;
      let need = -1;
      let sent = 0;
      const send = () => {
        sent = performance.now();
        if (sent >= end) return void socket.end(resolve);
        socket.write(request(next++));
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (part) => {
        parts.push(part);
        have += part.length;
        if (need < 0) {
          const head = parts.length === 1 ? part : Buffer.concat(parts);
          const body = head.indexOf("\r\n\r\n");
          if (body < 0) return;
          const text = head.toString("latin1", 0, body).toLowerCase();
          if (Number(text.slice(9, 12)) !== expected) failed++;
          const length = /content-length: (\d+)/.exec(text);
          if (length === null) return reject(new Error(`no content-length in:\n${text}`));
          need = body + 4 + Number(length[1]);
        }
        if (have < need) return;
        times.push(performance.now() - sent);
        parts = [];
        have = 0;
        need = -1;
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, run));
  const seconds = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { count: times.length, perSecond: times.length / seconds, median: at(0.5), p99: at(0.99), failed };
}
