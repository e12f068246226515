// A relay on a free port of 127.0.0.1, for tests, and plain clients that say exactly what they are told to.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { WebSocket, type ClientOptions } from "ws";
import { attachRelay, type Relay, type RelayOptions } from "../server/relay.ts";

export const realClock = {
  now: (): number => performance.now(),
  after: (ms: number, work: () => void): (() => void) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export interface Harness {
  readonly url: string;
  readonly relay: Relay;
  readonly server: Server;
  readonly close: () => Promise<void>;
}

export async function startRelay(options: Partial<RelayOptions> = {}, port = 0): Promise<Harness> {
  const server = createServer((_, response) => response.end("here"));
  const relay = attachRelay(server, { path: "/relay", clock: realClock, ...options });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${address.port}/relay`,
    relay,
    server,
    close: async () => {
      relay.close();
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, "close");
    },
  };
}

/** A client without manners: sends anything, keeps the texts that come. */
export class RawClient {
  readonly socket: WebSocket;
  readonly texts: string[] = [];
  closed: number | undefined;

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url, { perMessageDeflate: false, ...options });
    this.socket.on("message", (data: Buffer) => this.texts.push(data.toString()));
    this.socket.on("close", (code) => (this.closed = code));
    this.socket.on("error", () => undefined);
  }

  async opened(): Promise<this> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, "open");
    return this;
  }

  send(frame: unknown): void {
    this.socket.send(JSON.stringify(frame));
  }
}
