// The way to a Hub by HTTP, without sockets, and what can happen on it: a `fetch` that answers as section 7 of the
// protocol has it and, by chance from a seed or while it is told to, loses, delays, cuts, repeats or falsifies. Time
// is moved by hand. It counts requests, faults, and those that came sooner than Retry-After had asked.

import { utf8 } from "../core/bytes.ts";
import { isAddress, type Address } from "../core/values.ts";
import { errorBody, parsePath, type HubRoute } from "../hub/hub-api.ts";
import { HttpHub, type HttpHubOptions } from "../hub/hub.http.ts";
import type { Receipt, Signer } from "../hub/hub.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import type { ManualClock } from "./network-clock.ts";

export type WireFault =
  /** The request does not arrive. */
  | "drop"
  /** The request is carried out and its answer is lost. */
  | "lost-answer"
  /** Taken and never answered. */
  | "stall"
  /** Answered after 3 to 12 s. */
  | "slow"
  /** 429 without Retry-After. */
  | "rate-limited"
  /** 429 with Retry-After; every request of this client before then is answered likewise. */
  | "retry-after"
  /** 500, 503 or 599. */
  | "server-error"
  /** The answer ends early: with a broken connection, or as if that were all. */
  | "truncate"
  /** What was read first at that place, or nothing. */
  | "stale"
  /** One character of what was stored is another. */
  | "rewrite"
  /** A page's texts come twice; a write is carried out twice. */
  | "repeat"
  /** A page's texts come in reverse; answers overtake each other. */
  | "reorder";

export const WIRE_FAULTS: readonly WireFault[] = [
  "drop",
  "lost-answer",
  "stall",
  "slow",
  "rate-limited",
  "retry-after",
  "server-error",
  "truncate",
  "stale",
  "rewrite",
  "repeat",
  "reorder",
];

const RETRY_AFTER_S = 7;
const URL_OF_HUB = "https://hub.example";

/** A Hub in memory that remembers all that was ever written under a key: two texts in a log are a fork. */
export class Ledger extends MemoryHub {
  readonly #versions = new Map<string, Set<string>>();

  override put(signer: Signer, key: string, value: Uint8Array): Promise<Receipt> {
    const place = `${signer.address} ${key}`;
    const versions = this.#versions.get(place) ?? new Set();
    this.#versions.set(place, versions.add(new TextDecoder().decode(value)));
    return super.put(signer, key, value);
  }

  /** Places of logs that were written with more than one text. */
  get forks(): readonly string[] {
    return [...this.#versions].flatMap(([place, texts]) =>
      / coop1_/.test(place) && texts.size > 1 ? [place] : [],
    );
  }
}

interface Asked {
  readonly method: string;
  readonly route: HubRoute;
  readonly query: URLSearchParams;
  readonly init: RequestInit;
}

/** One client's way to the Hub. */
export class HubWire {
  /** How often each fault occurs, 0 to 1; it may change at any time. */
  rates: Partial<Record<WireFault, number>> = {};
  /** Every request meets this one. */
  always: WireFault | undefined;
  /** What is not shown, as if it were not there: logs by their owner's address, mirrors by that and ` mirror`. */
  hides: (space: string) => boolean = () => false;
  requests = 0;
  /** When a request was last answered as it should be. */
  answeredAt = 0;
  /** Requests made before Retry-After allowed, once it was told. */
  impatient = 0;
  readonly counts = new Map<WireFault, number>();
  readonly #hub: Ledger;
  readonly #clock: ManualClock;
  readonly #random: () => number;
  readonly #buckets = new Set<string>();
  readonly #first = new Map<string, string | null>();
  #restsUntil = 0;
  #saidAt = 0;

  constructor(hub: Ledger, clock: ManualClock, random: () => number) {
    this.#hub = hub;
    this.#clock = clock;
    this.#random = random;
  }

  /** The real client over this wire. */
  client(options: HttpHubOptions = {}): HttpHub {
    return new HttpHub(
      URL_OF_HUB,
      {
        fetch: (url, init) => this.#fetch(url, init),
        now: () => this.#clock.now(),
        timer: (ms, work) => this.#clock.after(ms, work),
        chance: this.#random,
        randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(this.#random() * 256)),
      },
      options,
    );
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    this.requests++;
    const { pathname, searchParams: query } = new URL(url);
    const route = parsePath(pathname);
    if (route === null || typeof route === "string") return failure(400, "no such path");
    const asked: Asked = { method: init.method ?? "GET", route, query, init };
    if (this.#clock.now() < this.#restsUntil) {
      // What was on its way when the Hub said so could not know.
      if (this.#clock.now() > this.#saidAt) this.impatient++;
      return this.#later();
    }
    const fault = this.always ?? this.#draw();
    if (fault !== undefined) this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    const early = await this.#early(fault, init);
    if (early !== undefined) return early;
    const text = await this.#answer(asked, fault);
    if (fault === "repeat" && asked.method === "PUT") await this.#answer(asked, undefined);
    if (fault === "lost-answer") throw new TypeError("the connection was closed");
    if (typeof text !== "string") return text;
    this.answeredAt = this.#clock.now();
    return fault === "truncate" ? this.#cut(text) : new Response(text);
  }

  /** What comes without the Hub's doing anything, or undefined where it is asked after all. */
  async #early(fault: WireFault | undefined, { signal }: RequestInit): Promise<Response | undefined> {
    const { random, pass } = { random: this.#random, pass: (ms: number) => this.#pass(ms, signal) };
    switch (fault) {
      case "drop":
        throw new TypeError("the host cannot be reached");
      case "stall":
        await pass(Number.MAX_SAFE_INTEGER);
        return undefined;
      case "slow":
        await pass(3_000 + 9_000 * random());
        return undefined;
      case "reorder":
        await pass(400 * random());
        return undefined;
      case "rate-limited":
        return failure(429, "too fast");
      case "retry-after":
        this.#saidAt = this.#clock.now();
        this.#restsUntil = this.#clock.now() + RETRY_AFTER_S * 1000;
        return this.#later();
      case "server-error":
        return failure([500, 503, 599][Math.floor(3 * random())]!, "it failed inside");
      default:
        return undefined;
    }
  }

  #later(): Response {
    const seconds = Math.ceil((this.#restsUntil - this.#clock.now()) / 1000);
    return failure(429, "too fast", { "retry-after": String(seconds) });
  }

  /** Lets time pass; rejects as `fetch` does where the client gives up. */
  #pass(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = ms === Number.MAX_SAFE_INTEGER ? () => undefined : this.#clock.after(ms, resolve);
      signal?.addEventListener("abort", () => {
        stop();
        reject(new DOMException("given up", "AbortError"));
      });
    });
  }

  async #answer(asked: Asked, fault: WireFault | undefined): Promise<string | Response> {
    const { method, route, query, init } = asked;
    switch (route.at) {
      case "info":
        return "{}";
      case "bucket":
        this.#buckets.add(route.bucket);
        return "{}";
      case "object": {
        if (method !== "PUT" || !this.#buckets.has(route.bucket)) return failure(404, "no such bucket");
        const receipt = await this.#hub.put(signerOf(init), route.key, init.body as Uint8Array<ArrayBuffer>);
        return JSON.stringify({ ...receipt, availability: "available" });
      }
      case "content": {
        const owner = ownerOf(query);
        const isHidden = this.hides(owner);
        const value = isHidden ? null : await this.#hub.get(owner, route.key);
        const text = value === null ? null : new TextDecoder().decode(value);
        const given = this.#aged(`${owner} ${route.key}`, text, fault);
        if (given === null) {
          this.answeredAt = this.#clock.now();
          return failure(404, "no such object");
        }
        return fault === "rewrite" ? this.#rewritten(given) : given;
      }
      case "conversation": {
        const [offset, length] = [Number(query.get("offset")), Number(query.get("length"))];
        const space = ownerOf(query) + (route.id.startsWith("mirror") ? " mirror" : "");
        const texts = this.hides(space) ? [] : await this.#hub.page(ownerOf(query), route.id, offset, length);
        const given = this.#aged(String(query) + route.id, JSON.stringify(texts), fault) ?? "[]";
        return JSON.stringify({ messages: this.#muddled(JSON.parse(given) as string[], fault) });
      }
    }
  }

  /** What is there, or with the fault what was there when first asked. */
  #aged(place: string, now: string | null, fault: WireFault | undefined): string | null {
    if (!this.#first.has(place)) this.#first.set(place, now);
    return fault === "stale" ? (this.#first.get(place) ?? null) : now;
  }

  #muddled(texts: string[], fault: WireFault | undefined): string[] {
    if (fault === "repeat") return texts.flatMap((text) => [text, text]);
    if (fault === "reorder") return texts.reverse();
    if (fault !== "rewrite" || texts.length === 0) return texts;
    const at = Math.floor(this.#random() * texts.length);
    return texts.map((text, i) => (i === at ? this.#rewritten(text) : text));
  }

  /** As long as before and valid Unicode, but for one character. */
  #rewritten(text: string): string {
    const at = Math.floor(this.#random() * text.length);
    return text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
  }

  #cut(text: string): Response {
    const part = utf8(text).slice(0, Math.floor(text.length * this.#random()));
    if (this.#random() < 0.5) return new Response(part);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(part),
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    return new Response(body);
  }

  #draw(): WireFault | undefined {
    let left = this.#random();
    for (const [fault, rate] of Object.entries(this.rates) as [WireFault, number][])
      if ((left -= rate) < 0) return fault;
    return undefined;
  }
}

function failure(status: number, message: string, headers: Record<string, string> = {}): Response {
  return new Response(errorBody("Fault", message), { status, headers });
}

function ownerOf(query: URLSearchParams): Address {
  const owner = query.get("owner");
  if (!isAddress(owner)) throw new Error(`no owner: ${String(owner)}`);
  return owner;
}

/** Who the sign-in says it is; that is all that a store which believes everyone needs. */
function signerOf({ headers }: RequestInit): Signer {
  const { authorization = "{}" } = headers as Record<string, string>;
  const address = String((JSON.parse(authorization) as { Addr?: unknown }).Addr).toLowerCase();
  if (!isAddress(address)) throw new Error("the write is not signed");
  return { address, signText: () => Promise.reject(new Error("only an address")) };
}
