// One process, one port: the Hub, the relay and the app. Everything the server needs of the world comes by argument.

import type { Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import type { Clock } from "../platform/clock.ts";
import { MAX_RECORD_BYTES } from "../core/entry.ts";
import { appFiles, configRoute, type BotInfo } from "./app-files.ts";
import { ClientAddresses, type ProxyTrust } from "./client-address.ts";
import { limitConnections, writeRawError } from "./connection-limits.ts";
import { API_HEADERS, PAGE_HEADERS, TRANSPORT_SECURITY } from "./headers.ts";
import { healthRoutes } from "./health.ts";
import { openApi } from "./hub-openapi.ts";
import { hubRoutes, sendFailure } from "./hub-routes.ts";
import { LmdbStore } from "./hub-store.lmdb.ts";
import type { RelayBus } from "./relay-bus.ts";
import { ServerMetrics } from "./metrics.ts";
import { attachRelay, type Relay } from "./relay.ts";
import type { RelayLimits } from "./relay-limits.ts";
import { REQUEST_LIMITS, type RequestLimits } from "./request-limits.ts";
import { PublicUrl, hasOneHost } from "./public-url.ts";
import { QUOTA, type Quota } from "./quota.ts";
import { UnsentAnswers } from "./unsent-answers.ts";
import { faultFields, loggerOf, watchAnswers, type Logging } from "./server-log.ts";
import type { Store } from "./hub-store.ts";

export interface ServerOptions {
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** Folder of the durable store. Either this or `store`. */
  readonly dataDir?: string;
  /** A store of the caller's choice. It is closed with the server. */
  readonly store?: Store;
  /** Folder of the built app; without it only Hub, relay and config are served. */
  readonly appDir?: string;
  /** `now` in milliseconds since 1970. */
  readonly clock?: Clock;
  readonly limits?: Partial<RequestLimits>;
  readonly relayLimits?: Partial<RelayLimits>;
  /** Asked at every `GET /config.json`: the bot may come and go. */
  readonly bot?: () => BotInfo | null;
  readonly readOnly?: () => boolean;
  /** What the store takes, of one wallet and of all; for a store of the server's own making. */
  readonly quota?: Quota;
  /** Proxies in front that name the client (X-Forwarded-For): how many, or their addresses. `true` is one. */
  readonly trustProxy?: boolean | ProxyTrust;
  /** Where the server is reached from outside, with its prefix: its host is what sign-ins must name. */
  readonly publicUrl?: string;
  /** Notes for people. */
  readonly log?: (message: string) => void;
  /** Structured log: one line of JSON for each request and each fault, without what a client has written. */
  readonly logging?: Logging;
  /** Who shows it may read `/metrics`; without one, programs on this machine may. */
  readonly metricsToken?: string;
  /** Joins the relay to those of other nodes. It is closed with the server. */
  readonly bus?: RelayBus;
  /** How long a node that stops still takes requests, so that a balancer sees in time that it is leaving. */
  readonly drainMs?: number;
}

export interface RunningServer {
  /** With a final slash. */
  readonly url: string;
  readonly port: number;
  readonly relay: Relay;
  /** The structured log, for what happens beside the server. */
  readonly note: (message: string) => void;
  /**
   * Sends the relay's clients elsewhere, goes on for `drainMs`, then takes no more requests, answers those under way, and
   * resolves once the store is closed.
   */
  close(): Promise<void>;
}

const RELAY_PATH = "/relay";
/** How long stopping waits for requests under way; less than a service manager's patience. */
const GRACE_MS = 5_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** @throws where the store cannot be opened, the app is missing, or the port is taken */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { trustProxy = 0, clock = systemClock } = options;
  const publicUrl = new PublicUrl(options.publicUrl);
  const addresses = new ClientAddresses(typeof trustProxy === "boolean" ? Number(trustProxy) : trustProxy);
  const limits = { ...REQUEST_LIMITS, ...options.limits };
  const store = options.store ?? openStore(options);
  const app = newApp(options, publicUrl);
  const unsent = new UnsentAnswers(limits, clock);
  const drain = { begun: false };
  try {
    limitConnections(app.server, addresses, limits);
    const relay = attachRelay(app.server, {
      path: [RELAY_PATH, `${publicUrl.prefix}${RELAY_PATH}`],
      clock,
      clientOf: (request) => {
        const { group, local } = addresses.of(request);
        return { address: group, limited: limits.loopback || !local };
      },
      ...(options.relayLimits !== undefined && { limits: options.relayLimits }),
      ...(options.bus !== undefined && { bus: options.bus }),
    });
    await addRoutes(app, { store, options, publicUrl, addresses, limits, unsent, relay, drain, clock });
    app.addHook("preClose", async () => {
      unsent.close();
      relay.close();
    });
    const host = options.host ?? "127.0.0.1";
    await app.listen({ host, port: options.port ?? 0 });
    const { port } = app.server.address() as AddressInfo;
    const underWay = requestsUnderWay(app.server);
    let closing: Promise<void> | undefined;
    return {
      url: `http://${hostOf(host)}:${port}/`,
      port,
      relay,
      note: (message) => app.log.info(message),
      close: () => {
        if (closing !== undefined) return closing;
        drain.begun = true;
        relay.drain();
        const halt = () =>
          stop(app, underWay, clock)
            .then(() => options.bus?.close())
            .then(() => store.close());
        const { drainMs = 0 } = options;
        if (drainMs === 0) return (closing = halt());
        return (closing = new Promise<void>((done) => clock.after(drainMs, done)).then(halt));
      },
    };
  } catch (error) {
    await app.close();
    await options.bus?.close();
    await store.close();
    throw error;
  }
}

interface UnderWay {
  /** Calls back once no request is under way, at once if none is. */
  whenNone(done: () => void): void;
}

/** Counts the requests whose answer has not been sent. */
function requestsUnderWay(server: Server): UnderWay {
  let count = 0;
  let done: (() => void) | undefined;
  server.on("request", (_request, response: ServerResponse) => {
    count++;
    response.once("close", () => {
      count--;
      if (count === 0) done?.();
    });
  });
  return {
    whenNone(then) {
      done = then;
      if (count === 0) then();
    },
  };
}

/**
 * Answers what is under way, for a while, and then ends every connection. Without the last, one client that connects and
 * sends nothing, as browsers do ahead of time, would keep the server up until a time-out.
 */
async function stop(app: FastifyInstance, underWay: UnderWay, clock: Clock): Promise<void> {
  app.server.on("connection", (socket: Socket) => socket.destroy());
  const closed = app.close();
  await new Promise<void>((resolve) => {
    const cancel = clock.after(GRACE_MS, resolve);
    underWay.whenNone(() => {
      cancel();
      resolve();
    });
  });
  app.server.closeAllConnections();
  await closed;
}

function openStore({ dataDir, quota = QUOTA, bot }: ServerOptions): Store {
  if (dataDir === undefined) throw new Error("a server needs a store or a folder for one");
  return new LmdbStore(dataDir, { quota, exempt: (owner) => bot?.()?.address === owner });
}

function newApp(options: ServerOptions, publicUrl: PublicUrl): FastifyInstance {
  const app = Fastify({
    logger: options.logging === undefined ? false : loggerOf(options.logging),
    logController: new LogController({ disableRequestLogging: true }), // its lines hold what the client has written
    bodyLimit: MAX_RECORD_BYTES,
    forceCloseConnections: "idle",
    requestTimeout: 30_000,
    keepAliveTimeout: 30_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    exposeHeadRoutes: true,
    rewriteUrl: (request) => publicUrl.withoutPrefix(request.url ?? "/"),
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, _request, reply) => {
      void sendFailure(reply, error.statusCode ?? 400, "BadRequest", error.message);
    },
  });
  app.addHook("onRequest", async (request, reply) => {
    if (publicUrl.isSecure) reply.header("strict-transport-security", TRANSPORT_SECURITY);
    if (!hasOneHost(request.raw)) await sendFailure(reply, 400, "BadRequest", "a request names one host");
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
    // The Hub's clients know no 415: an unreadable content type is a bad request like any other.
    const status = error.statusCode === 415 ? 400 : (error.statusCode ?? 599);
    if (status >= 500) {
      options.log?.(`request failed: ${error.message}`);
      app.log.error(faultFields(error), "request failed");
    }
    const type = status === 413 ? "TooLarge" : status < 500 ? "BadRequest" : "InternalError";
    const message = status === 413 ? `a value has at most ${MAX_RECORD_BYTES} bytes` : error.message;
    return sendFailure(
      reply,
      status < 500 ? status : 599,
      type,
      status < 500 ? message : "the Hub failed inside",
    );
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith("/v1")) return sendFailure(reply, 404, "NotFound", "there is no such path");
    return reply.code(404).headers(PAGE_HEADERS).type("text/plain").send("not found");
  });
  return app;
}

/** What the parser of HTTP refuses never comes to a route; it is answered in the Hub's form all the same. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const [status, why] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "the headers are too long"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "the request took too long"]
        : ["400 Bad Request", "this is no HTTP request"];
  writeRawError(socket, status, "BadRequest", why);
}

interface Parts {
  readonly store: Store;
  readonly options: ServerOptions;
  readonly publicUrl: PublicUrl;
  readonly addresses: ClientAddresses;
  readonly limits: RequestLimits;
  readonly unsent: UnsentAnswers;
  readonly relay: Relay;
  readonly drain: { readonly begun: boolean };
  readonly clock: Clock;
}

async function addRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const { options, publicUrl, store, relay, unsent, drain, clock } = parts;
  const now = () => clock.now();
  const isDraining = () => drain.begun;
  const { bus } = options;
  const metrics = new ServerMetrics({
    relay: () => relay.stats(),
    unsentBytes: () => unsent.stats().bytes,
    isDraining,
  });
  if (bus !== undefined) metrics.addBus(() => bus.stats());
  watchAnswers(app, metrics, isDraining);
  hubRoutes(app, {
    ...parts,
    host: publicUrl.host,
    now,
    readOnly: options.readOnly ?? (() => false),
    onError: (error) => {
      options.log?.(`hub: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      app.log.error(faultFields(error), "hub failed");
    },
  });
  healthRoutes(app, {
    checkStore: async () => store.usage(),
    bus: bus && (() => (bus.stats().isUp ? "up" : "down")),
    isDraining,
    now,
    metrics,
    metricsToken: options.metricsToken,
    addresses: parts.addresses,
  });
  app.get("/openapi.json", (_request, reply) => reply.headers(API_HEADERS).send(openApi()));
  const config = () => ({ hub: "./", relay: RELAY_PATH.slice(1), bot: options.bot?.() ?? null });
  configRoute(app, config);
  if (options.appDir !== undefined) await appFiles(app, options.appDir, config);
}

function hostOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
