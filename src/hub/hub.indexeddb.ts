// A Hub inside one browser, over IndexedDB: what a page uses when it was opened without a server. It has one user,
// and anyone with the browser can write into it: like every Hub, it is not trusted.

import type { DBSchema, IDBPDatabase } from "idb";
import { fromUtf8 } from "../core/bytes.ts";
import { sha256, type Address } from "../core/values.ts";
import { browserDatabase, type BrowserDatabase, DatabaseError } from "../platform/browser-database.ts";
import { BUCKET_KIND, bucketOf, conversationHead, keyFault } from "./hub-api.ts";
import { HubError } from "./hub-error.ts";
import type { Hub, ReadOptions, Receipt, Signer } from "./hub.ts";
import { failIfAborted } from "./hub.memory.ts";

interface HubSchema extends DBSchema {
  values: { key: [Address, string]; value: Uint8Array };
  /** Keys in the order of writing: owner, what stands before the first `_`, row. */
  rows: { key: [Address, string, number]; value: string };
}

/**
 * Opens the browser's own Hub. One that does not open in time fails until it opens.
 * @throws HubError `no-storage` where the browser keeps nothing (some private windows)
 */
export async function openBrowserHub(name = "coop-hub"): Promise<BrowserHub> {
  const database = browserDatabase<HubSchema>(name, (fresh) => {
    fresh.createObjectStore("values");
    fresh.createObjectStore("rows");
  });
  try {
    await database.ready();
  } catch (cause) {
    if (cause instanceof DatabaseError && cause.code === "unavailable")
      throw new HubError("no-storage", "this browser keeps nothing here: sessions cannot be stored in it", {
        cause,
      });
  }
  return new BrowserHub(database);
}

export class BrowserHub implements Hub {
  readonly name = "this browser";
  readonly #database: BrowserDatabase<HubSchema>;

  constructor(database: BrowserDatabase<HubSchema>) {
    this.#database = database;
  }

  /** Resolves once the transaction is complete, on disk as far as the browser tells. */
  async put(signer: Signer, key: string, value: Uint8Array): Promise<Receipt> {
    const fault = keyFault(key) ?? (value.length === 0 ? "a value is not empty" : undefined);
    if (fault !== undefined) throw new HubError("bad-request", fault);
    const owner = signer.address;
    await this.#run(async (db) => {
      const writing = db.transaction(["values", "rows"], "readwrite", { durability: "strict" });
      const head = conversationHead(key);
      const work: Promise<unknown>[] = [writing.objectStore("values").put(value.slice(), [owner, key])];
      if (head !== undefined) {
        const rows = writing.objectStore("rows");
        const last = await rows.openKeyCursor(rowRange(owner, head, 0), "prev");
        work.push(rows.put(key, [owner, head, last === null ? 0 : last.key[2] + 1]));
      }
      await Promise.all([...work, writing.done]);
    });
    const receipt = { bucket: bucketOf(owner), key, size: value.length, status: BUCKET_KIND };
    return { ...receipt, sha256: sha256(value) };
  }

  async get(owner: Address, key: string, options: ReadOptions = {}): Promise<Uint8Array | null> {
    failIfAborted(options.signal);
    return (await this.#run((db) => db.get("values", [owner, key]))) ?? null;
  }

  async page(
    owner: Address,
    conversation: string,
    offset: number,
    length: number,
    options: ReadOptions = {},
  ): Promise<readonly string[]> {
    failIfAborted(options.signal);
    const start = `${conversation}_`;
    const head = conversationHead(start);
    if (head === undefined || length < 1) return [];
    return this.#run(async (db) => {
      const reading = db.transaction(["values", "rows"]);
      const rows = reading.objectStore("rows");
      const keys =
        head === conversation
          ? await rows.getAll(rowRange(owner, head, offset, offset + length - 1))
          : (await rows.getAll(rowRange(owner, head, 0)))
              .filter((key) => key.startsWith(start))
              .slice(offset, offset + length);
      const values = await Promise.all(keys.map((key) => reading.objectStore("values").get([owner, key])));
      return values.flatMap((value) => (value === undefined ? undefined : fromUtf8(value)) ?? []);
    });
  }

  async ping(options: ReadOptions = {}): Promise<void> {
    failIfAborted(options.signal);
    await this.#run((db) => db.count("values", [`0x${"0".repeat(40)}`, ""]));
  }

  close(): void {
    this.#database.close();
  }

  async #run<T>(work: (db: IDBPDatabase<HubSchema>) => Promise<T>): Promise<T> {
    try {
      return await this.#database.run(work);
    } catch (cause) {
      if (cause instanceof Error && cause.name === "QuotaExceededError")
        throw new HubError("storage-full", "this browser has no room left", { cause });
      const why = cause instanceof DatabaseError ? cause.message : "this browser's storage failed";
      throw new HubError("no-storage", why, { cause });
    }
  }
}

function rowRange(owner: Address, head: string, from: number, to = Number.MAX_SAFE_INTEGER): IDBKeyRange {
  return IDBKeyRange.bound([owner, head, from], [owner, head, to]);
}
