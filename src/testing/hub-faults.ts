// A Hub that misbehaves, around one that does not: by hand (`next`), or by chance from a seed (`rates`).
// It does what a real Hub or the way to it can do; whatever it does, it counts, so that a test can prove it occurred.

import { fromUtf8, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Hub, ReadOptions, Receipt, Signer } from "../hub/hub.ts";

export type HubFault =
  /** The request does not arrive. */
  | "drop"
  /** The request is carried out and its answer is lost. */
  | "lost-answer"
  /** Nothing happens until `release`; then the request goes on. */
  | "stall"
  | "rate-limited"
  | "server-error"
  | "read-only"
  /** A page's texts come twice; a write is carried out twice. */
  | "repeat"
  /** A page's texts come in another order. */
  | "reorder"
  /** A page lacks its last text; a value its last byte. */
  | "truncate"
  /** A text or value is left out as if it were not there. */
  | "withhold"
  /** Answers as at the last `freeze` (or as an empty Hub). */
  | "stale"
  /** One character of a text or value is another. */
  | "rewrite"
  /** Foreign texts among a page's, as a Hub that matches by LIKE gives. */
  | "foreign";

export interface HubFaultRates {
  readonly random: () => number;
  /** For each fault, how often it occurs, 0 to 1. */
  readonly rates: Partial<Record<HubFault, number>>;
}

type Kind = "put" | "get" | "page" | "ping";

export class FaultyHub implements Hub {
  readonly name: string;
  readonly counts = new Map<HubFault, number>();
  readonly calls: Record<Kind, number> = { put: 0, get: 0, page: 0, ping: 0 };
  /** Every request fails as `offline` while this holds. */
  down = false;
  readonly #inner: Hub;
  readonly #chance: HubFaultRates | undefined;
  #script: { fault: HubFault; kind: Kind | undefined }[] = [];
  #stalled: (() => void)[] = [];
  #then = new Map<string, Uint8Array | null | readonly string[]>();

  constructor(inner: Hub, chance?: HubFaultRates) {
    this.#inner = inner;
    this.#chance = chance;
    this.name = inner.name;
  }

  /** The next request (of that kind) meets this fault. Faults wait in line. */
  next(fault: HubFault, kind?: Kind): this {
    this.#script.push({ fault, kind });
    return this;
  }

  /** Lets stalled requests go on; answers how many. */
  release(): number {
    const stalled = this.#stalled;
    this.#stalled = [];
    for (const go of stalled) go();
    return stalled.length;
  }

  /** What was read until now is what `stale` answers give. */
  freeze(answers: ReadonlyMap<string, Uint8Array | null | readonly string[]> = this.#seen): void {
    this.#then = new Map(answers);
  }
  readonly #seen = new Map<string, Uint8Array | null | readonly string[]>();

  async put(signer: Signer, key: string, value: Uint8Array): Promise<Receipt> {
    const fault = await this.#before("put");
    const receipt = await this.#inner.put(signer, key, value);
    if (fault === "repeat") await this.#inner.put(signer, key, value);
    if (fault === "lost-answer") throw new HubError("offline", "the answer was lost");
    return receipt;
  }

  async get(owner: Address, key: string, options?: ReadOptions): Promise<Uint8Array | null> {
    const fault = await this.#before("get");
    const place = `${owner} ${key}`;
    if (fault === "stale") return (this.#then.get(place) as Uint8Array | undefined) ?? null;
    const value = await this.#inner.get(owner, key, options);
    this.#seen.set(place, value);
    if (fault === "lost-answer") throw new HubError("offline", "the answer was lost");
    if (value === null || fault === "withhold") return null;
    if (fault === "truncate") return value.slice(0, -1);
    return fault === "rewrite" ? utf8(rewritten(fromUtf8(value) ?? "")) : value;
  }

  async page(
    owner: Address,
    conversation: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<readonly string[]> {
    const fault = await this.#before("page");
    const place = `${owner} ${conversation} ${offset} ${length}`;
    if (fault === "stale") return (this.#then.get(place) as readonly string[] | undefined) ?? [];
    const page = await this.#inner.page(owner, conversation, offset, length, options);
    this.#seen.set(place, page);
    if (fault === "lost-answer") throw new HubError("offline", "the answer was lost");
    return changed(page, fault);
  }

  async ping(options?: ReadOptions): Promise<void> {
    await this.#before("ping");
    await this.#inner.ping(options);
  }

  async #before(kind: Kind): Promise<HubFault | undefined> {
    this.calls[kind]++;
    if (this.down) throw new HubError("offline", "the Hub is down");
    const fault = this.#draw(kind);
    if (fault === undefined) return undefined;
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    if (fault === "drop") throw new HubError("offline", "the request was lost");
    if (fault === "rate-limited")
      throw new HubError("rate-limited", "too fast", { status: 429, retryAfter: 1 });
    if (fault === "server-error") throw new HubError("server", "it failed inside", { status: 599 });
    if (fault === "read-only" && kind === "put")
      throw new HubError("read-only", "no writes", { status: 503 });
    if (fault === "stall") await new Promise<void>((go) => this.#stalled.push(go));
    return fault;
  }

  #draw(kind: Kind): HubFault | undefined {
    const at = this.#script.findIndex((item) => item.kind === undefined || item.kind === kind);
    if (at >= 0) return this.#script.splice(at, 1)[0]!.fault;
    if (this.#chance === undefined) return undefined;
    let left = this.#chance.random();
    for (const [fault, rate] of Object.entries(this.#chance.rates) as [HubFault, number][])
      if ((left -= rate) < 0) return fault;
    return undefined;
  }
}

function changed(page: readonly string[], fault: HubFault | undefined): readonly string[] {
  switch (fault) {
    case "repeat":
      return page.flatMap((text) => [text, text]);
    case "reorder":
      return [...page].reverse();
    case "truncate":
    case "withhold":
      return page.slice(0, -1);
    case "rewrite":
      return page.map((text, i) => (i === page.length - 1 ? rewritten(text) : text));
    case "foreign":
      return ["no entry at all", ...page, '{"wallet":"somebody else"}'];
    default:
      return page;
  }
}

/** The same text but for one character in its middle: still as long, and valid Unicode. */
function rewritten(text: string): string {
  const at = text.length >> 1;
  return text.slice(0, at) + (text[at] === "0" ? "1" : "0") + text.slice(at + 1);
}
