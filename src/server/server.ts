// One process, one port: the Hub, the relay and the app. Everything the server needs of the world comes by argument.

import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import type { Clock } from "../channel/clock.ts";
import { MAX_RECORD_BYTES } from "../core/entry.ts";
import { appFiles, configRoute, type HouseInfo } from "./app-files.ts";
import { PAGE_HEADERS } from "./headers.ts";
import { hubRoutes, sendFailure } from "./hub-routes.ts";
import { LmdbStore } from "./lmdb-store.ts";
import { attachRelay, type Relay } from "./relay.ts";
import type { RelayLimits } from "./relay-limits.ts";
import { REQUEST_LIMITS, type RequestLimits } from "./request-limits.ts";
import type { Store } from "./store.ts";

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
  /** Asked at every `GET /config.json`: the house bot may come and go. */
  readonly house?: () => HouseInfo | null;
  readonly readOnly?: () => boolean;
  /** Whether a proxy in front names the client (X-Forwarded-For). */
  readonly trustProxy?: boolean;
  readonly log?: (message: string) => void;
}

export interface RunningServer {
  /** With a final slash. */
  readonly url: string;
  readonly port: number;
  readonly relay: Relay;
  /** Takes no more requests, answers those under way, and resolves once the store is closed. */
  close(): Promise<void>;
}

const RELAY_PATH = "/relay";

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** @throws where the store cannot be opened, the app is missing, or the port is taken */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const store = options.store ?? openStore(options.dataDir);
  const app = newApp(options);
  try {
    await addRoutes(app, store, options);
    const relay = attachRelay(app.server, {
      path: RELAY_PATH,
      clock: options.clock ?? systemClock,
      ...(options.relayLimits !== undefined && { limits: options.relayLimits }),
    });
    app.addHook("preClose", async () => relay.close());
    const host = options.host ?? "127.0.0.1";
    await app.listen({ host, port: options.port ?? 0 });
    const { port } = app.server.address() as AddressInfo;
    let closing: Promise<void> | undefined;
    return {
      url: `http://${hostOf(host)}:${port}/`,
      port,
      relay,
      close: () => (closing ??= app.close().then(() => store.close())),
    };
  } catch (error) {
    await app.close();
    await store.close();
    throw error;
  }
}

function openStore(dataDir: string | undefined): Store {
  if (dataDir === undefined) throw new Error("a server needs a store or a folder for one");
  return new LmdbStore(dataDir);
}

function newApp(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: MAX_RECORD_BYTES,
    trustProxy: options.trustProxy ?? false,
    forceCloseConnections: "idle",
    requestTimeout: 30_000,
    keepAliveTimeout: 30_000,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, _request, reply) => {
      void sendFailure(reply, error.statusCode ?? 400, "BadRequest", error.message);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
    const status = error.statusCode ?? 599;
    if (status >= 500) options.log?.(`request failed: ${error.message}`);
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

async function addRoutes(app: FastifyInstance, store: Store, options: ServerOptions): Promise<void> {
  hubRoutes(app, {
    store,
    now: () => (options.clock ?? systemClock).now(),
    limits: { ...REQUEST_LIMITS, ...options.limits },
    readOnly: options.readOnly ?? (() => false),
    onError: (error) =>
      options.log?.(`hub: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  configRoute(app, () => ({ hub: "/", relay: RELAY_PATH, house: options.house?.() ?? null }));
  if (options.appDir !== undefined) await appFiles(app, options.appDir);
}

function hostOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
