// What an operator's machines ask a node: whether it lives (`/healthz`), whether it should get requests (`/readyz`), and
// its figures (`/metrics`). Health says up or down of each part and no more; metrics are for this machine's own programs
// and for those that show the token.

import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ClientAddresses } from "./client-address.ts";
import { API_HEADERS } from "./headers.ts";
import type { ServerMetrics } from "./metrics.ts";

export type PartState = "up" | "down";

export interface HealthOptions {
  /** Rejects where the store does not answer. */
  readonly checkStore: () => Promise<unknown>;
  /** Undefined: this node has no bus. */
  readonly bus: (() => PartState) | undefined;
  readonly isDraining: () => boolean;
  readonly now: () => number;
  readonly metrics: ServerMetrics;
  readonly metricsToken: string | undefined;
  readonly addresses: ClientAddresses;
}

/** The store is asked at most this often, however many ask for its state. */
const CHECK_EVERY_MS = 1_000;
/** A store that takes longer counts as down. */
const CHECK_MS = 2_000;

export function healthRoutes(app: FastifyInstance, options: HealthOptions): void {
  const { isDraining, metrics, addresses, metricsToken } = options;
  const storeState = storeCheck(options);
  const answer = (reply: FastifyReply, status: number, body: object) =>
    reply.code(status).headers(API_HEADERS).type("application/json").send(JSON.stringify(body));
  const parts = async () => ({
    store: await storeState(),
    ...(options.bus !== undefined && { bus: options.bus() }),
  });
  app.get("/healthz", async (_request, reply) =>
    answer(reply, 200, { status: isDraining() ? "draining" : "ok", ...(await parts()) }),
  );
  app.get("/readyz", async (_request, reply) => {
    const found = await parts();
    if (isDraining()) return answer(reply, 503, { status: "draining", ...found });
    // Without its bus a node serves its own clients, and the others poll: that is no reason to send clients away.
    const isReady = found.store === "up";
    return answer(reply, isReady ? 200 : 503, { status: isReady ? "ok" : "not ready", ...found });
  });
  app.get("/metrics", async (request, reply) => {
    const shown = request.headers.authorization;
    const isMeant =
      metricsToken === undefined
        ? addresses.of(request.raw).local
        : shown !== undefined && isSame(shown, `Bearer ${metricsToken}`);
    if (!isMeant) return reply.code(404).headers(API_HEADERS).type("text/plain").send("not found");
    return reply
      .headers(API_HEADERS)
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}

/** The store's state, as it was found within the last second. */
function storeCheck({ checkStore, now }: HealthOptions): () => Promise<PartState> {
  let at = Number.NEGATIVE_INFINITY;
  let state: Promise<PartState> = Promise.resolve("up");
  return () => {
    if (now() - at < CHECK_EVERY_MS) return state;
    at = now();
    const late = new Promise<PartState>((resolve) => setTimeout(resolve, CHECK_MS, "down").unref());
    const found = checkStore().then(
      (): PartState => "up",
      (): PartState => "down",
    );
    return (state = Promise.race([found, late]));
  };
}

/** In a time that says nothing about where the texts differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
