// What is noted of each answer: a line of the structured log (fastify's pino) and the metrics. A line names the kind of
// route, never the path, a header or a body: those are texts of strangers, and some are secrets.

import type { FastifyInstance } from "fastify";
import type { RouteLabel, ServerMetrics } from "./metrics.ts";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Logging {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
}

export function loggerOf({ level, write }: Logging) {
  return { level, stream: { write } };
}

/** Counts and notes every answer. On a node that takes leave it also ends the connection, so that the client goes elsewhere. */
export function watchAnswers(app: FastifyInstance, metrics: ServerMetrics, isDraining: () => boolean): void {
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isDraining()) reply.header("connection", "close");
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const ms = reply.elapsedTime;
    const route = labelOf(request.raw.url ?? "", request.routeOptions.url);
    metrics.answered(request.method, route, reply.statusCode, ms / 1000);
    app.log.info({ method: request.method, route, status: reply.statusCode, ms }, "answered");
    done();
  });
}

const OPERATIONS: ReadonlySet<string | undefined> = new Set([
  ...["/healthz", "/readyz", "/metrics", "/config.json", "/openapi.json"],
]);

/** By the raw path, undecoded: this runs for every answer. */
function labelOf(raw: string, pattern: string | undefined): RouteLabel {
  if (OPERATIONS.has(pattern)) return "operation";
  if (pattern !== "/v1/*") return pattern === undefined ? "unknown" : "page";
  const parts = raw.split("?", 1)[0]!.split("/", 8);
  const [, , what, , inside] = parts;
  if (what === "info") return "info";
  if (what === "conversations") return "conversation";
  if (what !== "buckets") return "unknown";
  if (inside === undefined) return "bucket";
  return parts[6] === "content" ? "content" : "object";
}

/** Of a fault inside: its code and where it arose, without its message, which may quote what a client sent. */
export function faultFields(error: unknown): object {
  if (!(error instanceof Error)) return { fault: typeof error };
  const at = /\n +at (.+)/.exec(error.stack ?? "")?.[1];
  return { fault: error.name, ...("code" in error && { code: error.code }), at };
}
