// A Hub in memory: for tests, examples and a page that has nowhere to store. It keeps the facts of the real one:
// the last value wins, a key written twice is listed twice, with its last value.

import { fromUtf8 } from "../core/bytes.ts";
import { sha256, type Address } from "../core/values.ts";
import { BUCKET_KIND, bucketOf, conversationHead, keyFault } from "./hub-api.ts";
import { HubError } from "./hub-error.ts";
import type { Hub, ReadOptions, Receipt, Signer } from "./hub.ts";

interface Space {
  readonly values: Map<string, Uint8Array>;
  /** Keys in the order of writing, by what stands before their first `_`. */
  readonly rows: Map<string, string[]>;
}

export class MemoryHub implements Hub {
  readonly name: string;
  readonly #spaces = new Map<Address, Space>();

  constructor(name = "memory") {
    this.name = name;
  }

  async put(signer: Signer, key: string, value: Uint8Array): Promise<Receipt> {
    const fault = keyFault(key);
    if (fault !== undefined) throw new HubError("bad-request", fault);
    if (value.length === 0) throw new HubError("bad-request", "a value is not empty");
    const { values, rows } = this.#space(signer.address);
    values.set(key, value.slice());
    const head = conversationHead(key);
    if (head !== undefined) {
      const list = rows.get(head);
      if (list === undefined) rows.set(head, [key]);
      else list.push(key);
    }
    const status = BUCKET_KIND;
    return { bucket: bucketOf(signer.address), key, size: value.length, status, sha256: sha256(value) };
  }

  async get(owner: Address, key: string, options: ReadOptions = {}): Promise<Uint8Array | null> {
    failIfAborted(options.signal);
    return this.#spaces.get(owner)?.values.get(key)?.slice() ?? null;
  }

  async page(
    owner: Address,
    conversation: string,
    offset: number,
    length: number,
    options: ReadOptions = {},
  ): Promise<readonly string[]> {
    failIfAborted(options.signal);
    const space = this.#spaces.get(owner);
    const start = `${conversation}_`;
    const head = conversationHead(start) ?? "";
    const rows = space?.rows.get(head) ?? [];
    const keys = head === conversation ? rows : rows.filter((key) => key.startsWith(start));
    return keys.slice(offset, offset + length).flatMap((key) => {
      const value = space?.values.get(key);
      const text = value === undefined ? undefined : fromUtf8(value);
      return text === undefined ? [] : [text];
    });
  }

  async ping(options: ReadOptions = {}): Promise<void> {
    failIfAborted(options.signal);
  }

  #space(owner: Address): Space {
    let space = this.#spaces.get(owner);
    if (space === undefined) this.#spaces.set(owner, (space = { values: new Map(), rows: new Map() }));
    return space;
  }
}

/** @throws HubError `aborted` */
export function failIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new HubError("aborted", "the request was given up", { cause: signal.reason });
}
