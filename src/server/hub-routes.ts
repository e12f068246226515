// The Hub's routes (protocol section 7) over a store. The raw path is parsed here, not by the router, so that a key
// means the same to client and server to the last percent sign.

import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fromUtf8 } from "../core/bytes.ts";
import { isObject, own, parseJson } from "../core/canonical.ts";
import { isAddress, type Address } from "../core/values.ts";
import {
  BUCKET_KIND,
  bucketReservedFor,
  ABSENT,
  errorBody,
  NOT_FOUND,
  PAGE_LENGTH,
  parsePath,
  type HubRoute,
} from "../hub/hub-api.ts";
import { AccessCheck } from "./access.ts";
import type { ClientAddresses } from "./client-address.ts";
import { API_HEADERS, LASTING_HEADERS, PREFLIGHT_HEADERS } from "./headers.ts";
import { PageCache } from "./page-cache.ts";
import {
  isAppendOnly,
  isConversation,
  MAX_LEVELS,
  StoreUnavailable,
  type Kept,
  type Store,
} from "./hub-store.ts";
import { fail, type Failure } from "./hub-failure.ts";
import { HubGate } from "./hub-gate.ts";
import type { Full } from "./quota.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { UnsentAnswers } from "./unsent-answers.ts";

export interface HubRouteOptions {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly limits: RequestLimits;
  readonly addresses: ClientAddresses;
  readonly unsent: UnsentAnswers;
  /** The Hub's own host as its clients write it; undefined: the one that the request names. */
  readonly host: string | undefined;
  readonly readOnly: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Texts of one page end before so many bytes as sent: a short page is not the end. */
const PAGE_BYTES = 2 * 1024 * 1024;
const MAX_PAGE = 1024;
/** Bytes of page bodies kept for the next who asks. */
const PAGE_CACHE = 32 * 1024 * 1024;

interface Found {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly json?: true;
  /** No later write can change it. */
  readonly lasting?: boolean;
}

type Answer = Found | Failure;

export function hubRoutes(app: FastifyInstance, options: HubRouteOptions): void {
  const routes = new HubRoutes(options);
  app.options("/v1/*", (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send());
  app.route({
    method: ["GET", "PUT", "DELETE"],
    url: "/v1/*",
    onRequest: async (request, reply) => {
      const refused = routes.gate.refuse(request, reply);
      if (refused !== undefined) await send(reply, refused);
    },
    handler: async (request, reply) => {
      let answer: Answer;
      try {
        answer = await routes.answer(request);
      } catch (error) {
        options.onError(error);
        answer =
          error instanceof StoreUnavailable
            ? UNAVAILABLE
            : { status: 599, type: "InternalError", message: "the Hub failed inside" };
      }
      if ("body" in answer && Buffer.isBuffer(answer.body))
        options.unsent.add(reply.raw, options.addresses.of(request.raw).group, answer.body);
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
  if (answer.lasting === true) reply.headers(LASTING_HEADERS);
  const json = typeof answer.body === "string" || answer.json === true;
  reply.type(json ? "application/json" : "application/octet-stream");
  return reply.send(answer.body);
}

/** The client tries again: a write of the same bytes is the same write. */
const UNAVAILABLE: Failure = {
  ...fail(503, "Unavailable", "the Hub's store does not answer: try again in 1 s"),
  retryAfter: 1,
};
const NO_OBJECT = fail(404, NOT_FOUND, "there is no such object");
/** The same for a reader that has asked for it: no error in a browser's console. */
const ABSENCE: Answer = { status: 200, body: errorBody(NOT_FOUND, NO_OBJECT.message) };

class HubRoutes {
  readonly gate: HubGate;
  readonly #options: HubRouteOptions;
  readonly #access: AccessCheck;
  readonly #pages = new PageCache(PAGE_CACHE);

  constructor(options: HubRouteOptions) {
    this.#options = options;
    this.#access = new AccessCheck(options.now);
    this.gate = new HubGate(options, this.#access);
  }

  async answer(request: FastifyRequest): Promise<Answer> {
    const raw = request.raw.url ?? "";
    const at = raw.indexOf("?");
    const route = parsePath(at < 0 ? raw : raw.slice(0, at));
    if (route === null) return fail(404, "NotFound", "there is no such path");
    if (typeof route === "string") return fail(400, "BadRequest", route);
    const query = new URLSearchParams(at < 0 ? "" : raw.slice(at + 1));
    if (request.method === "GET" || request.method === "HEAD") return this.#read(route, query);
    const access = this.#access.check(request.headers.authorization, this.#hostsOf(request));
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

  /** The public host, else the one that the request names; for a program on this machine a loopback name, too. */
  #hostsOf(request: FastifyRequest): string[] {
    const { host, addresses } = this.#options;
    const named = request.headers.host ?? "";
    if (host === undefined) return [named];
    const isHere = addresses.of(request.raw).local && /^(127\.[\d.]+|localhost|\[::1\])(:\d+)?$/i.test(named);
    return isHere ? [host, named] : [host];
  }

  async #read(route: HubRoute, query: URLSearchParams): Promise<Answer> {
    const { store } = this.#options;
    if (route.at === "info") return json({ name: "coop hub", version: 1, status: "ok" });
    if (route.at === "bucket") {
      const bucket = await store.bucket(route.bucket);
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
    const owner = named ?? (await store.bucket(route.bucket))?.owner;
    if (route.at === "content") {
      const value = owner === undefined ? undefined : await store.value(owner, route.key);
      if (value === undefined) return query.get(ABSENT) === "200" ? ABSENCE : NO_OBJECT;
      return { status: 200, body: value, lasting: isLasting(named, route.key) };
    }
    const object = owner === undefined ? undefined : await store.get(owner, route.key);
    if (object === undefined) return NO_OBJECT;
    return json({
      ...receipt(object.bucket, route.key, object.value.length),
      createdAt: new Date(object.createdAt).toISOString(),
      sha256: createHash("sha256").update(object.value).digest("hex"),
    });
  }

  async #conversation(id: string, owner: Address, query: URLSearchParams): Promise<Answer> {
    const offset = count(query.get("offset"), 0);
    const length = count(query.get("length"), PAGE_LENGTH);
    if (offset === undefined || length === undefined)
      return fail(400, "BadRequest", "offset and length are whole numbers");
    if (!isConversation(id))
      return fail(400, "BadRequest", `a conversation's name has fewer than ${MAX_LEVELS} _`);
    const most = Math.min(length === 0 ? PAGE_LENGTH : length, MAX_PAGE);
    const { store } = this.#options;
    const version = await store.version(owner, id);
    const body = await this.#pages.get(`${owner} ${offset} ${most} ${id}`, version, async () => {
      const messages = await store.page(owner, id, offset, most, PAGE_BYTES);
      return Buffer.from(JSON.stringify({ conversation: id, messages }));
    });
    return { status: 200, body, json: true };
  }

  async #makeBucket(owner: Address, bucket: string, body: Buffer): Promise<Answer> {
    const value = parseJson(fromUtf8(body) ?? "");
    const kind = isObject(value) ? own(value, "kind") : undefined;
    if (kind !== BUCKET_KIND) return fail(400, "BadRequest", `the kind of a bucket is "${BUCKET_KIND}"`);
    const reserved = bucketReservedFor(bucket);
    if (reserved !== undefined && reserved !== owner)
      return fail(403, "Forbidden", `only ${reserved} makes a bucket of that name`);
    const result = await this.#options.store.makeBucket(bucket, owner, kind);
    if (typeof result === "object") return full(result);
    if (result === "forbidden") return fail(403, "Forbidden", "that bucket is another owner's");
    if (result === "conflict") return fail(409, "Conflict", "that bucket is of another kind");
    return json({ bucket, kind, owner }, result === "made" ? 201 : 200);
  }

  async #deleteBucket(owner: Address, bucket: string): Promise<Answer> {
    const result = await this.#options.store.deleteBucket(bucket, owner);
    if (typeof result === "object") return appendOnly(result);
    if (result === "no-bucket") return fail(404, "NotFound", "there is no such bucket");
    if (result === "forbidden") return fail(403, "Forbidden", "that bucket is another owner's");
    return json({ bucket, status: "deleted" });
  }

  async #put(owner: Address, bucket: string, key: string, value: Buffer): Promise<Answer> {
    if (value.length === 0) return fail(400, "BadRequest", "a value is not empty");
    const result = await this.#options.store.put(owner, bucket, key, value, this.#options.now());
    if (typeof result === "object") return "kept" in result ? appendOnly(result) : full(result);
    if (result === "no-bucket") return fail(404, "NotFound", "there is no such bucket");
    if (result === "forbidden") return fail(403, "Forbidden", "that bucket is another owner's");
    return json(receipt(bucket, key, value.length), 202);
  }
}

/** Without `owner` it is whoever has the bucket, which can change. */
function isLasting(owner: Address | undefined, key: string): boolean {
  return owner !== undefined && isAppendOnly(key);
}

function receipt(bucket: string, key: string, size: number) {
  return { bucket, key, size, status: "stored", availability: "available" };
}

/** What is there under a key of logs and mirrors stays there. */
function appendOnly({ kept, sha256 }: Kept): Failure {
  const message = `${kept.slice(0, 200)} is append-only and holds the value with SHA-256 ${sha256}`;
  return fail(409, "Conflict", message);
}

const UNIT = { bytes: "bytes", objects: "objects", buckets: "buckets", rows: "writings" } as const;
const OPTION = { bytes: "mib", objects: "objects", buckets: "buckets", rows: "writes" } as const;

function full({ full: what, of, limit }: Full): Failure {
  const whose = of === "wallet" ? "this wallet has" : "this Hub holds";
  const until =
    of === "wallet" && what !== "rows" ? "it deletes a bucket or the operator raises" : "the operator raises";
  const option = `--${of === "wallet" ? "wallet" : "total"}-${OPTION[what]}`;
  const message = `${whose} its ${limit} ${UNIT[what]} here; there is no room until ${until} ${option}`;
  return fail(507, "Full", message);
}

function json(value: object, status = 200): Answer {
  return { status, body: JSON.stringify(value) };
}

function count(text: string | null, otherwise: number): number | undefined {
  if (text === null || text === "") return otherwise;
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}
