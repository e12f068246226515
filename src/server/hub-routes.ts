// The Hub's routes (protocol section 7) over a store. The raw path is parsed here, not by the router, so that a key
// means the same to client and server to the last percent sign.

import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fromUtf8 } from "../core/bytes.ts";
import { isObject, own, parseJson } from "../core/canonical.ts";
import { isAddress, type Address } from "../core/values.ts";
import { BUCKET_KIND, errorBody, PAGE_LENGTH, parsePath, type HubRoute } from "../hub/hub-api.ts";
import { AccessCheck } from "./access.ts";
import { API_HEADERS, PREFLIGHT_HEADERS } from "./headers.ts";
import { PageCache } from "./page-cache.ts";
import { Buckets, type RequestLimits } from "./request-limits.ts";
import type { Store } from "./hub-store.ts";

export interface HubRouteOptions {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly limits: RequestLimits;
  readonly readOnly: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Texts of one page end before so many UTF-16 units: a short page is not the end. */
const PAGE_UNITS = 8 * 1024 * 1024;
const MAX_PAGE = 4096;
/** Bytes of page bodies kept for the next who asks. */
const PAGE_CACHE = 64 * 1024 * 1024;

interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly retryAfter?: number;
}

type Answer = { readonly status: number; readonly body: string | Uint8Array; readonly json?: true } | Failure;

export function hubRoutes(app: FastifyInstance, options: HubRouteOptions): void {
  const routes = new HubRoutes(options);
  app.options("/v1/*", (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send());
  app.route({
    method: ["GET", "PUT", "DELETE"],
    url: "/v1/*",
    onRequest: async (request, reply) => {
      const wait = routes.tooFast(request);
      if (wait !== undefined) await send(reply, wait);
    },
    handler: async (request, reply) => {
      let answer: Answer;
      try {
        answer = await routes.answer(request);
      } catch (error) {
        options.onError(error);
        answer = { status: 599, type: "InternalError", message: "the Hub failed inside" };
      }
      return send(reply, answer);
    },
  });
}

/** Sends an error of the Hub's form for what the framework refuses by itself. */
export function sendFailure(
  reply: FastifyReply,
  status: number,
  type: string,
  message: string,
): FastifyReply {
  return send(reply, { status, type, message });
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).headers(API_HEADERS);
  if ("type" in answer) {
    if (answer.retryAfter !== undefined) reply.header("retry-after", String(answer.retryAfter));
    return reply.type("application/json").send(errorBody(answer.type, answer.message));
  }
  const json = typeof answer.body === "string" || answer.json === true;
  reply.type(json ? "application/json" : "application/octet-stream");
  return reply.send(answer.body);
}

const NO_OBJECT = fail(404, "NotFound", "there is no such object");

class HubRoutes {
  readonly #options: HubRouteOptions;
  readonly #access: AccessCheck;
  readonly #requests: Buckets;
  readonly #signIns: Buckets;
  readonly #pages = new PageCache(PAGE_CACHE);

  constructor(options: HubRouteOptions) {
    const { limits } = options;
    this.#options = options;
    this.#access = new AccessCheck(options.now);
    this.#requests = new Buckets(limits.perSecond, limits.burst);
    this.#signIns = new Buckets(limits.signInsPerSecond, limits.signInsBurst);
  }

  /** The answer to a client that asks too often, or undefined. */
  tooFast(request: FastifyRequest): Failure | undefined {
    const { limits, now } = this.#options;
    if (limits.perSecond === 0 || (!limits.loopback && isLoopback(request.ip))) return undefined;
    let wait = this.#requests.take(request.ip, now());
    const header = request.headers.authorization;
    if (wait === 0 && header !== undefined && !this.#access.knows(header))
      wait = this.#signIns.take(request.ip, now());
    if (wait === 0) return undefined;
    return { ...fail(429, "RateLimited", `too many requests: try again in ${wait} s`), retryAfter: wait };
  }

  async answer(request: FastifyRequest): Promise<Answer> {
    const raw = request.raw.url ?? "";
    const at = raw.indexOf("?");
    const route = parsePath(at < 0 ? raw : raw.slice(0, at));
    if (route === null) return fail(404, "NotFound", "there is no such path");
    if (typeof route === "string") return fail(400, "BadRequest", route);
    const query = new URLSearchParams(at < 0 ? "" : raw.slice(at + 1));
    if (request.method === "GET" || request.method === "HEAD") return this.#read(route, query);
    const access = this.#access.check(request.headers.authorization);
    if (!access.ok) return fail(401, "Unauthorized", access.why);
    if (this.#options.readOnly()) return fail(503, "ReadOnly", "the Hub takes no writes now");
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (route.at === "bucket" && request.method === "PUT")
      return this.#makeBucket(access.address, route.bucket, body);
    if (route.at === "bucket") return this.#deleteBucket(access.address, route.bucket);
    if (route.at === "object" && request.method === "PUT")
      return this.#put(access.address, route.bucket, route.key, body);
    return fail(404, "NotFound", "there is no such path to write to");
  }

  #read(route: HubRoute, query: URLSearchParams): Answer {
    const { store } = this.#options;
    if (route.at === "info") return json({ name: "coop hub", version: 1, status: "ok" });
    if (route.at === "bucket") {
      const bucket = store.bucket(route.bucket);
      return bucket === undefined
        ? fail(404, "NotFound", "there is no such bucket")
        : json({ bucket: route.bucket, ...bucket });
    }
    const named = query.get("owner")?.toLowerCase();
    if (named !== undefined && !isAddress(named)) return fail(400, "BadRequest", "owner is not an address");
    if (route.at === "conversation") {
      if (named === undefined) return fail(400, "BadRequest", "owner is missing");
      return this.#conversation(route.id, named, query);
    }
    const owner = named ?? store.bucket(route.bucket)?.owner;
    if (route.at === "content") {
      const value = owner === undefined ? undefined : store.value(owner, route.key);
      return value === undefined ? NO_OBJECT : { status: 200, body: value };
    }
    const object = owner === undefined ? undefined : store.get(owner, route.key);
    if (object === undefined) return NO_OBJECT;
    return json({
      ...receipt(object.bucket, route.key, object.value.length),
      createdAt: new Date(object.createdAt).toISOString(),
      sha256: createHash("sha256").update(object.value).digest("hex"),
    });
  }

  #conversation(id: string, owner: Address, query: URLSearchParams): Answer {
    const offset = count(query.get("offset"), 0);
    const length = count(query.get("length"), PAGE_LENGTH);
    if (offset === undefined || length === undefined)
      return fail(400, "BadRequest", "offset and length are whole numbers");
    const most = Math.min(length === 0 ? PAGE_LENGTH : length, MAX_PAGE);
    const { store } = this.#options;
    const body = this.#pages.get(`${owner} ${offset} ${most} ${id}`, store.version(owner, id), () =>
      Buffer.from(
        JSON.stringify({ conversation: id, messages: store.page(owner, id, offset, most, PAGE_UNITS) }),
      ),
    );
    return { status: 200, body, json: true };
  }

  async #makeBucket(owner: Address, bucket: string, body: Buffer): Promise<Answer> {
    const value = parseJson(fromUtf8(body) ?? "");
    const kind = isObject(value) ? own(value, "kind") : undefined;
    if (kind !== BUCKET_KIND) return fail(400, "BadRequest", `the kind of a bucket is "${BUCKET_KIND}"`);
    const result = await this.#options.store.makeBucket(bucket, owner, kind);
    if (result === "forbidden") return fail(403, "Forbidden", "that bucket is another owner's");
    if (result === "conflict") return fail(409, "Conflict", "that bucket is of another kind");
    return json({ bucket, kind, owner }, result === "made" ? 201 : 200);
  }

  async #deleteBucket(owner: Address, bucket: string): Promise<Answer> {
    const result = await this.#options.store.deleteBucket(bucket, owner);
    if (result === "no-bucket") return fail(404, "NotFound", "there is no such bucket");
    if (result === "forbidden") return fail(403, "Forbidden", "that bucket is another owner's");
    return json({ bucket, status: "deleted" });
  }

  async #put(owner: Address, bucket: string, key: string, value: Buffer): Promise<Answer> {
    if (value.length === 0) return fail(400, "BadRequest", "a value is not empty");
    const result = await this.#options.store.put(owner, bucket, key, value, this.#options.now());
    if (result === "no-bucket") return fail(404, "NotFound", "there is no such bucket");
    if (result === "forbidden") return fail(403, "Forbidden", "that bucket is another owner's");
    return json(receipt(bucket, key, value.length), 202);
  }
}

function receipt(bucket: string, key: string, size: number) {
  return { bucket, key, size, status: "stored", availability: "available" };
}

function json(value: object, status = 200): Answer {
  return { status, body: JSON.stringify(value) };
}

function fail(status: number, type: string, message: string): Failure {
  return { status, type, message };
}

function count(text: string | null, otherwise: number): number | undefined {
  if (text === null || text === "") return otherwise;
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}
