// A Hub over HTTP: our own server or the public one. Every answer is read up to a cap and checked for its form;
// what it holds is for others to verify.

import { fromUtf8, utf8 } from "../core/bytes.ts";
import { isObject, parseJson, type Json } from "../core/canonical.ts";
import { MAX_RECORD_BYTES } from "../core/entry.ts";
import type { Address } from "../core/values.ts";
import { Semaphore } from "../platform/semaphore.ts";
import {
  BUCKET_KIND,
  bucketOf,
  isErrorBody,
  keyFault,
  paths,
  readErrorMessage,
  readAbsence,
  readMessages,
  readReceipt,
} from "./hub-api.ts";
import { appendKey } from "./log-keys.ts";
import { fromStatus, HubError, notAHub } from "./hub-error.ts";
import type { Hub, ReadOptions, Receipt, Signer } from "./hub.ts";
import { readCapped } from "./read-body.ts";
import {
  pause,
  RetryAfterGate,
  waitAfter,
  withRetries,
  type HubEnvironment,
  type RetryPolicy,
} from "./retry.ts";
import { SignIns, type KeptSignIns } from "./sign-in.ts";

export interface HttpHubOptions {
  /** Bytes of a page's answer that are read at most. */
  readonly pageBytes?: number;
  /** Bytes of a value that are read at most. */
  readonly valueBytes?: number;
  /** Requests under way at once. */
  readonly concurrency?: number;
  /** Milliseconds for one attempt, from sending to the last byte of the answer. */
  readonly timeout?: number;
  readonly retry?: RetryPolicy;
  /** Keeps sign-ins over a reload, so that a person is not asked again within their validity. */
  readonly signIns?: KeptSignIns;
}

const PAGE_BYTES = 32 * 1024 * 1024;
const SMALL_BYTES = 64 * 1024;
/** Names drawn for one write when others have taken an address's bucket. */
const BUCKET_DRAWS = 4;
/** How often a missing bucket is made for one write: a Hub may say that it has made it and lose it all the same. */
const MAKINGS = 4;

interface Request {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly authorization?: string;
  readonly cap: number;
  /** It reads content, with `absent=200`. */
  readonly mayBeAbsent?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export class HttpHub implements Hub {
  /** The Hub's URL without a final slash. */
  readonly name: string;
  readonly #environment: HubEnvironment;
  readonly #signIns: SignIns;
  readonly #semaphore: Semaphore;
  readonly #gate = new RetryAfterGate();
  readonly #retry: RetryPolicy;
  readonly #timeout: number;
  readonly #pageBytes: number;
  readonly #valueBytes: number;
  /** For each writer whose first bucket another owner has, the one drawn instead. */
  readonly #drawn = new Map<Address, string>();
  /** Buckets that are being made: writes that miss one together make it once. */
  readonly #making = new Map<string, Promise<boolean>>();
  /** Something was answered that only a Hub answers. */
  #isHub = false;

  /** @throws HubError `bad-request` where `url` is no http or https URL */
  constructor(url: string, environment: HubEnvironment, options: HttpHubOptions = {}) {
    const base = readUrl(url);
    this.name = base.href.replace(/\/+$/, "");
    this.#environment = environment;
    this.#semaphore = new Semaphore(options.concurrency ?? 8);
    this.#retry = options.retry ?? { attempts: 5, base: 400, most: 15_000 };
    this.#timeout = options.timeout ?? 20_000;
    this.#pageBytes = options.pageBytes ?? PAGE_BYTES;
    this.#valueBytes = options.valueBytes ?? MAX_RECORD_BYTES;
    this.#signIns = new SignIns({
      domain: base.host,
      uri: this.name,
      now: environment.now,
      nonce: () => nonceOf(environment.randomBytes(16)),
      kept: options.signIns,
    });
  }

  async put(signer: Signer, key: string, value: Uint8Array): Promise<Receipt> {
    checkKey(key);
    if (value.length === 0) throw new HubError("bad-request", "a value is not empty");
    const { address } = signer;
    // A log begins, so its bucket is hardly there yet: a browser would log the write's 404 as an error.
    if (
      key === appendKey(0) &&
      !this.#drawn.has(address) &&
      !(await this.#makeBucketOnce(signer, bucketOf(address)))
    )
      this.#drawAnother(address, bucketOf(address));
    for (let makings = 0, draws = 0; ;) {
      const bucket = this.#drawn.get(address) ?? bucketOf(address);
      try {
        const path = paths.object(bucket, key);
        return this.#read(
          utf8(await this.#signed(signer, { method: "PUT", path, body: value })),
          readReceipt,
          "a receipt",
          path,
        );
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        if (error.code === "not-found" && makings < MAKINGS) {
          if (makings > 0) await this.#pause(makings);
          makings++;
          if (await this.#makeBucketOnce(signer, bucket)) continue;
        } else if (error.code !== "forbidden") throw error;
        if (draws++ >= BUCKET_DRAWS) throw error;
        this.#drawAnother(address, bucket);
        makings = 0;
      }
    }
  }

  async get(owner: Address, key: string, options: ReadOptions = {}): Promise<Uint8Array | null> {
    checkKey(key);
    const path = paths.content(bucketOf(owner), key, owner);
    try {
      const bytes = await this.#request({
        method: "GET",
        path,
        cap: this.#valueBytes,
        signal: options.signal,
        mayBeAbsent: true,
      });
      // An owner may store HTML, too: it is a start page only where nothing else was answered like a Hub.
      if (bytes[0] === LESS_THAN) await this.#checkIsHub();
      return bytes;
    } catch (error) {
      if (error instanceof HubError && error.code === "not-found") return null;
      throw error;
    }
  }

  /** As the interface has it. A page whose answer is over the cap is asked for again in smaller ones. */
  async page(
    owner: Address,
    conversation: string,
    offset: number,
    length: number,
    options: ReadOptions = {},
  ): Promise<readonly string[]> {
    if (keyFault(conversation) !== undefined) throw new HubError("bad-request", "a conversation has a name");
    const path = paths.conversation(owner, conversation, offset, length);
    try {
      const cap = this.#pageBytes;
      const bytes = await this.#request({ method: "GET", path, cap, signal: options.signal });
      return this.#read(bytes, readMessages, "a list of messages", path);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      if (error.code === "not-found") return [];
      if (error.code !== "capped" || length <= 1) throw error;
      return this.page(owner, conversation, offset, Math.floor(length / 2), options);
    }
  }

  /** Asks once, without retries. @throws HubError `not-a-hub` where something else answers at this URL */
  async ping(options: ReadOptions = {}): Promise<void> {
    const request: Request = { method: "GET", path: paths.info, cap: SMALL_BYTES, signal: options.signal };
    const bytes = await this.#semaphore.run(() => this.#attempt(request));
    this.#read(bytes, (value) => (isObject(value) ? value : undefined), "an object", paths.info);
  }

  /** Reads an answer in JSON. @throws HubError `bad-answer` for another form, `not-a-hub` where it never was a Hub's */
  #read<T>(
    bytes: Uint8Array,
    read: (value: Json | undefined) => T | undefined,
    expected: string,
    path: string,
  ): T {
    const value = json(bytes);
    const isOther = bytes.length > 0 && !JSON_BEGINS.includes(bytes[0]!);
    if (value === undefined && isOther && !this.#isHub) throw notAHub(`${path} gave no JSON`);
    const found = read(value);
    if (found === undefined) throw badAnswer(expected, path);
    this.#isHub = true;
    return found;
  }

  /** Before a sign-in is signed, or a page of HTML is taken for a value. @throws HubError `not-a-hub` */
  async #checkIsHub(): Promise<void> {
    if (!this.#isHub) await this.ping();
  }

  /** Deletes a bucket of the signer's with all that it holds. False where there is none. */
  async deleteBucket(signer: Signer, bucket: string): Promise<boolean> {
    try {
      await this.#signed(signer, { method: "DELETE", path: paths.bucket(bucket) });
      return true;
    } catch (error) {
      if (error instanceof HubError && error.code === "not-found") return false;
      throw error;
    }
  }

  /** Draws a name that nobody can have foreseen, unless another write has drawn one since. */
  #drawAnother(address: Address, taken: string): void {
    if ((this.#drawn.get(address) ?? bucketOf(address)) !== taken) return;
    this.#drawn.set(address, bucketOf(address, hexOf(this.#environment.randomBytes(4))));
  }

  #pause(attempt: number): Promise<void> {
    return pause(this.#environment, waitAfter(attempt, this.#retry, this.#environment.chance), undefined);
  }

  #makeBucketOnce(signer: Signer, bucket: string): Promise<boolean> {
    let making = this.#making.get(bucket);
    if (making === undefined) {
      making = this.#makeBucket(signer, bucket).finally(() => this.#making.delete(bucket));
      this.#making.set(bucket, making);
    }
    return making;
  }

  /** True where the signer has the bucket now, false where another has its name. */
  async #makeBucket(signer: Signer, bucket: string): Promise<boolean> {
    try {
      const body = `{"kind":"${BUCKET_KIND}"}`;
      await this.#signed(signer, { method: "PUT", path: paths.bucket(bucket), body });
      return true;
    } catch (error) {
      if (error instanceof HubError && (error.code === "forbidden" || error.code === "conflict"))
        return false;
      throw error;
    }
  }

  /** A write. A sign-in that has worked before and is refused now is renewed once. */
  async #signed(signer: Signer, request: Pick<Request, "method" | "path" | "body">): Promise<string> {
    await this.#checkIsHub();
    for (let renewed = false; ; renewed = true) {
      const authorization = await this.#signIns.header(signer);
      try {
        return fromUtf8(await this.#request({ ...request, authorization, cap: SMALL_BYTES })) ?? "";
      } catch (error) {
        const refused =
          error instanceof HubError && (error.code === "unauthorized" || error.code === "clock-skew");
        if (!refused || !this.#signIns.refuse(signer.address, authorization) || renewed) throw error;
      }
    }
  }

  #request(request: Request): Promise<Uint8Array> {
    return withRetries(this.#environment, this.#retry, request.signal, () =>
      this.#semaphore.run(() => this.#attempt(request)),
    );
  }

  async #attempt(request: Request): Promise<Uint8Array> {
    const { timer, now } = this.#environment;
    this.#gate.check(now());
    const abort = new AbortController();
    const giveUp = () => abort.abort();
    let late = false;
    const cancel = timer(this.#timeout, () => {
      late = true;
      abort.abort();
    });
    request.signal?.addEventListener("abort", giveUp, { once: true });
    if (request.signal?.aborted === true) abort.abort();
    try {
      const response = await this.#environment.fetch(this.name + request.path, init(request, abort.signal));
      if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400))
        throw notAHub("it redirects elsewhere");
      if (response.ok) {
        const bytes = await readCapped(response, request.cap);
        if (request.mayBeAbsent !== true) return bytes;
        const found = readAbsence(response.headers.get("content-type"), fromUtf8(bytes) ?? "");
        if (found === "value") return bytes;
        if (found === "cut") throw new HubError("bad-answer", `the Hub's answer was cut (${request.path})`);
        this.#isHub = true;
        throw new HubError("not-found", "there is no such object");
      }
      const text = fromUtf8(await readCapped(response, SMALL_BYTES).catch(() => new Uint8Array())) ?? "";
      const failure = fromStatus(
        {
          status: response.status,
          message: readErrorMessage(text),
          retryAfter: response.headers.get("retry-after"),
          date: response.headers.get("date"),
          writing: request.method !== "GET",
          inForm: isErrorBody(text),
        },
        now(),
      );
      if (failure.code === "not-found") this.#isHub = true;
      this.#gate.closeFor(failure, now());
      throw failure;
    } catch (cause) {
      if (cause instanceof HubError) throw cause;
      if (request.signal?.aborted === true)
        throw new HubError("aborted", "the request was given up", { cause });
      if (late)
        throw new HubError("timeout", `${this.name} did not answer in ${this.#timeout} ms`, { cause });
      throw new HubError("offline", `${this.name} did not answer`, { cause });
    } finally {
      cancel();
      request.signal?.removeEventListener("abort", giveUp);
    }
  }
}

function init(request: Request, signal: AbortSignal): RequestInit {
  const headers: Record<string, string> = {};
  if (request.authorization !== undefined) headers["authorization"] = request.authorization;
  if (request.body !== undefined)
    headers["content-type"] =
      typeof request.body === "string" ? "application/json" : "application/octet-stream";
  return {
    method: request.method,
    headers,
    ...(request.body !== undefined && { body: request.body as BodyInit }),
    signal,
    cache: "no-store",
    // A Hub does not redirect, and a sign-in is not carried to another host.
    redirect: "manual",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  };
}

function readUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new HubError("bad-request", `no http or https URL of a Hub: ${url}`);
  if (parsed.username !== "" || parsed.password !== "" || parsed.search !== "" || parsed.hash !== "")
    throw new HubError("bad-request", `a Hub's URL has no user, query or fragment: ${url}`);
  return parsed;
}

function checkKey(key: string): void {
  const fault = keyFault(key);
  if (fault !== undefined) throw new HubError("bad-request", fault);
}

function json(bytes: Uint8Array): Json | undefined {
  const text = fromUtf8(bytes);
  return text === undefined ? undefined : parseJson(text);
}

function badAnswer(expected: string, path: string): HubError {
  return new HubError("bad-answer", `the Hub's answer is not ${expected} (${path})`);
}

/** `{` and `[`: an answer of a Hub that was cut off still begins like JSON. */
const JSON_BEGINS = [..."{["].map((character) => character.charCodeAt(0));

/** What HTML begins with, and no entry. */
const LESS_THAN = "<".charCodeAt(0);

const NONCE = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefgh";

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function nonceOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => NONCE[byte & 31]!).join("");
}
