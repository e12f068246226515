// What is refused before a request to the Hub is read: who asks, signs in or writes too fast, and bodies for which there
// is no room at once. Every refusal says which limit it is and until when.

import type { FastifyReply, FastifyRequest } from "fastify";
import { MAX_RECORD_BYTES } from "../core/entry.ts";
import type { AccessCheck } from "./access.ts";
import type { ClientAddresses } from "./client-address.ts";
import { fail, type Failure } from "./hub-failure.ts";
import { Buckets, Shares, type RequestLimits } from "./request-limits.ts";

export interface HubGateOptions {
  readonly now: () => number;
  readonly limits: RequestLimits;
  readonly addresses: ClientAddresses;
}

export class HubGate {
  readonly #options: HubGateOptions;
  readonly #access: AccessCheck;
  readonly #requests: Buckets;
  readonly #signIns: Buckets;
  readonly #writes: Buckets;
  readonly #bodies: Shares;

  constructor(options: HubGateOptions, access: AccessCheck) {
    const { limits } = options;
    this.#options = options;
    this.#access = access;
    this.#requests = new Buckets(limits.perSecond, limits.burst);
    this.#signIns = new Buckets(limits.signInsPerSecond, limits.signInsBurst);
    this.#writes = new Buckets(limits.writeBytesPerSecond, limits.writeBytesBurst);
    this.#bodies = new Shares(limits.incomingBytes, limits.incomingBytesPerAddress);
  }

  /** The answer to a request that is refused unread, or undefined. A body's room is taken until its answer is sent. */
  refuse(request: FastifyRequest, reply: FastifyReply): Failure | undefined {
    const { limits, addresses } = this.#options;
    const { group, local } = addresses.of(request.raw);
    const limited = limits.loopback || !local;
    const body = bodyBytes(request);
    const fast = limited ? this.#tooFast(request, group, body) : undefined;
    if (fast !== undefined || body === 0) return fast;
    const taken = this.#bodies.take(group, body, limited);
    if (taken === "address")
      return later(429, "RateLimited", "too many bodies of one address are on their way in", 1);
    if (taken === "all") return later(503, "Busy", "too many bodies are on their way in", 1);
    reply.raw.once("close", () => this.#bodies.release(group, body));
    return undefined;
  }

  #tooFast(request: FastifyRequest, group: string, body: number): Failure | undefined {
    const now = this.#options.now();
    const header = request.headers.authorization;
    const checks: readonly (readonly [string, () => number])[] = [
      ["too many requests", () => this.#requests.take(group, now)],
      [
        "too many new sign-ins",
        () => (header === undefined || this.#access.knows(header) ? 0 : this.#signIns.take(group, now)),
      ],
      ["too many bytes to store", () => (body === 0 ? 0 : this.#writes.take(group, now, body))],
    ];
    for (const [what, take] of checks) {
      const wait = take();
      if (wait > 0) return later(429, "RateLimited", what, wait);
    }
    return undefined;
  }
}

/** What a body may take of memory: its length, where it says one, up to the longest that is read. */
function bodyBytes({ headers }: FastifyRequest): number {
  const said = Number(headers["content-length"] ?? "0");
  if (headers["transfer-encoding"] !== undefined || !(said >= 0)) return MAX_RECORD_BYTES;
  return Math.min(said, MAX_RECORD_BYTES);
}

function later(status: number, type: string, what: string, seconds: number): Failure {
  return { ...fail(status, type, `${what}: try again in ${seconds} s`), retryAfter: seconds };
}
