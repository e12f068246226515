// The relay of protocol section 8, on an HTTP server that others use too. It carries refs between strangers and believes
// nothing. Origin rule: nothing that the relay sends carries authority, and nothing is done in anyone's name (there are no cookies
// and no sign-in), so a page of any origin may connect; an operator may list the origins that may. A client that
// sends no Origin is no page, and could claim any: it is let in either way.

import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import type { Clock } from "../platform/clock.ts";
import type { Topic } from "../channel/channel.ts";
import { MAX_FRAME } from "../channel/frames.ts";
import type { Ref } from "../core/values.ts";
import { clientOf } from "./client-address.ts";
import { KeptRefs, type Publisher } from "./kept-refs.ts";
import { hasOneHost } from "./public-url.ts";
import { Connection, type Hall } from "./relay-connection.ts";
import type { BusRef, RelayBus } from "./relay-bus.ts";
import { RELAY_LIMITS, type RelayLimits } from "./relay-limits.ts";
import { Topics } from "./relay-topics.ts";
import { Buckets, Shares } from "./request-limits.ts";

export interface RelayOptions {
  /** Path of the relay on the server, e.g. `/relay`, or several. */
  readonly path: string | readonly string[];
  readonly clock: Clock;
  /** Calls its argument once, soon: the batch of a turn is written then. */
  readonly later?: (work: () => void) => void;
  readonly origins?: "any" | readonly string[];
  readonly limits?: Partial<RelayLimits>;
  /** Whom a request comes from, and whether the limits by address hold there. By default not on this machine. */
  readonly clientOf?: (request: IncomingMessage) => RelayClient;
  /** Joins this relay to those of other nodes. */
  readonly bus?: RelayBus;
}

export interface RelayClient {
  readonly address: string;
  readonly limited: boolean;
}

export interface RelayStats {
  readonly connections: number;
  /** Topics with subscribers. */
  readonly topics: number;
  readonly retainedTopics: number;
  /** Counted since the start. */
  readonly published: number;
  readonly badFrames: number;
  readonly rateLimited: number;
  readonly slowReaders: number;
  readonly silent: number;
  readonly refused: number;
}

export interface Relay {
  stats(): RelayStats;
  /** Asks all clients to connect again (close code 1012, service restart) and takes no new ones. */
  drain(): void;
  /** Ends all connections and takes no more. The HTTP server stays. */
  close(): void;
}

export function attachRelay(server: Server, options: RelayOptions): Relay {
  const relay = new RelayServer(server, options);
  return { stats: () => relay.stats(), drain: () => relay.drain(), close: () => relay.close() };
}

/** Frames up to here are answered with an error; longer ones end the connection, unread (code 1009). */
const MAX_READ = 16 * MAX_FRAME;

type Counter = "published" | "badFrames" | "rateLimited" | "slowReaders" | "silent" | "refused";

class RelayServer implements Hall {
  readonly limits: RelayLimits;
  readonly topics: Topics;
  readonly counts: Record<Counter, number> = {
    published: 0,
    badFrames: 0,
    rateLimited: 0,
    slowReaders: 0,
    silent: 0,
    refused: 0,
  };
  readonly #connections = new Map<WebSocket, Connection>();
  readonly kept: KeptRefs;
  readonly subscriptions: Shares;
  readonly frameRates: Buckets;
  readonly refRates: Buckets;
  readonly #open: Shares;
  readonly #paths: ReadonlySet<string>;
  #numbers = 0;
  #draining = false;
  readonly #server: Server;
  readonly #options: RelayOptions;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false, // frames of 200 bytes, and a window of 300 KiB a connection
    maxPayload: MAX_READ,
    skipUTF8Validation: true, // the codec does it, so that bad text gets its answer
  });
  readonly #upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    this.#onUpgrade(request, socket, head);
  #cancelPing: () => void;

  constructor(server: Server, options: RelayOptions) {
    this.#server = server;
    this.#options = options;
    this.limits = { ...RELAY_LIMITS, ...options.limits };
    const { bus } = options;
    this.topics = new Topics(
      options.later ?? ((work) => void setImmediate(work)),
      bus === undefined ? undefined : (topic, wanted) => bus.setInterest(topic, wanted),
    );
    bus?.attach({ hear: (ref) => this.#hear(ref), keptOf: (topic) => this.#keptOf(topic) });
    const { limits } = this;
    this.kept = new KeptRefs(limits.retainedTopics);
    this.subscriptions = new Shares(limits.subscriptions, limits.subscriptionsPerAddress);
    this.frameRates = new Buckets(limits.framesPerSecondPerAddress, limits.burstPerAddress);
    this.refRates = new Buckets(limits.refsPerSecondPerAddress, limits.refsBurstPerAddress);
    this.#open = new Shares(limits.connections, limits.connectionsPerAddress);
    this.#paths = new Set([options.path].flat());
    server.on("upgrade", this.#upgrade);
    this.#cancelPing = this.#schedulePing();
  }

  now(): number {
    return this.#options.clock.now();
  }

  stats(): RelayStats {
    return {
      connections: this.#connections.size,
      topics: this.topics.size,
      retainedTopics: this.kept.size,
      ...this.counts,
    };
  }

  drain(): void {
    this.#draining = true;
    for (const connection of this.#connections.values()) connection.end(1012, "connect again elsewhere");
  }

  close(): void {
    this.#cancelPing();
    this.#server.off("upgrade", this.#upgrade);
    for (const connection of this.#connections.values()) {
      connection.end(1001, "the relay stops");
      connection.cut(); // without waiting for an answer that a dead client never gives
    }
  }

  publish(topic: Topic, ref: Ref, by: Publisher): void {
    this.counts.published++;
    this.kept.add(topic, ref, by);
    this.topics.publish(topic, ref);
    this.#options.bus?.publish({ topic, ref, by: markOf(by) });
  }

  /** A ref of another node's: kept and passed on like one of its own publisher, unless it is known here. */
  #hear({ topic, ref, by }: BusRef): void {
    if (this.kept.has(topic, ref)) return;
    this.kept.add(topic, ref, { address: by, connection: 0 });
    this.topics.publish(topic, ref);
  }

  #keptOf(topic: Topic): readonly BusRef[] {
    return this.kept.all(topic).map(([ref, by]) => ({ topic, ref, by: markOf(by) }));
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = (request.url ?? "").split("?", 1)[0];
    if (!this.#paths.has(path!)) {
      // Another listener's, unless there is none: then the socket would hang for ever.
      if (this.#server.listenerCount("upgrade") === 1) refuse(socket, "404 Not Found");
      return;
    }
    if (this.#draining) return this.#refuse(socket, "503 Service Unavailable", RETRY_AFTER);
    if (!hasOneHost(request)) return this.#refuse(socket, "400 Bad Request");
    const { origins = "any" } = this.#options;
    const { origin } = request.headers;
    const welcome = origins === "any" || origin === undefined || origins.includes(origin);
    if (!welcome) return this.#refuse(socket, "403 Forbidden");
    const client = (this.#options.clientOf ?? socketClient)(request);
    const taken = this.#open.take(client.address, 1, client.limited);
    if (taken === "address") return this.#refuse(socket, "429 Too Many Requests", RETRY_AFTER);
    if (taken === "all") return this.#refuse(socket, "503 Service Unavailable", RETRY_AFTER);
    socket.once("close", () => this.#open.release(client.address, 1));
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) =>
      this.#accept(webSocket, socket, client),
    );
  }

  #refuse(socket: Duplex, status: string, header?: string): void {
    this.counts.refused++;
    refuse(socket, status, header);
  }

  /** Listeners are shared by all connections: an idle one costs no closures. */
  #accept(webSocket: WebSocket, socket: Duplex, client: RelayClient): void {
    const connection = new Connection(this, webSocket, socket, client, ++this.#numbers);
    this.#connections.set(webSocket, connection);
    webSocket.on("message", this.#onMessage);
    webSocket.on("pong", this.#onPong);
    webSocket.on("error", ignore); // `ws` closes the connection itself
    webSocket.on("close", this.#onClose);
  }

  readonly #onMessage = messageListener((webSocket, data, binary) =>
    this.#connections.get(webSocket)?.receive(data, binary),
  );
  readonly #onPong = listener((webSocket) => this.#connections.get(webSocket)?.heard());
  readonly #onClose = listener((webSocket) => {
    this.#connections.get(webSocket)?.leave();
    this.#connections.delete(webSocket);
  });

  #schedulePing(): () => void {
    return this.#options.clock.after(this.limits.pingMs, () => {
      this.#pingSome(this.#connections.values());
      this.#cancelPing = this.#schedulePing();
    });
  }

  /** Some in each turn of the event loop, so that ten thousand do not hold it up. */
  #pingSome(connections: Iterator<Connection>): void {
    for (let i = 0; i < PINGS_A_TURN; i++) {
      const next = connections.next();
      if (next.done === true) return;
      next.value.ping();
    }
    setImmediate(() => this.#pingSome(connections));
  }
}

const PINGS_A_TURN = 500;
const RETRY_AFTER = "Retry-After: 10\r\n";

function refuse(socket: Duplex, status: string, header = ""): void {
  socket.on("error", ignore);
  socket.end(`HTTP/1.1 ${status}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

function socketClient(request: IncomingMessage): RelayClient {
  const { group, local } = clientOf(request.socket.remoteAddress);
  return { address: group, limited: !local };
}

/** The same for all connections of an address, so that it counts as one publisher at the other nodes, too. */
function markOf({ address }: Publisher): string {
  return /^[0-9a-f]{16}$/.test(address)
    ? address
    : createHash("sha256").update(address).digest("hex").slice(0, 16);
}

function ignore(): void {}

function listener(work: (webSocket: WebSocket) => void): (this: WebSocket) => void {
  return function () {
    work(this);
  };
}

function messageListener(
  work: (webSocket: WebSocket, data: RawData, binary: boolean) => void,
): (this: WebSocket, data: RawData, binary: boolean) => void {
  return function (data, binary) {
    work(this, data, binary);
  };
}
