// A Hub inside one browser, over IndexedDB: what a page uses when it was opened without a server. It has one user,
// and anyone with the browser can write into it: like every Hub, it is not trusted.

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { fromUtf8 } from "../core/bytes.ts";
import { sha256, type Address } from "../core/values.ts";
import { BUCKET_KIND, bucketOf, conversationHead, keyFault } from "./hub-api.ts";
import { HubError } from "./hub-error.ts";
import type { Hub, ReadOptions, Receipt, Signer } from "./hub.ts";
import { failIfAborted } from "./hub.memory.ts";

interface HubSchema extends DBSchema {
  values: { key: [Address, string]; value: Uint8Array };
  /** Keys in the order of writing: owner, what stands before the first `_`, row. */
  rows: { key: [Address, string, number]; value: string };
}

type Db = IDBPDatabase<HubSchema>;

/** Opens the browser's own Hub. @throws HubError `no-storage` where the browser keeps nothing (some private windows) */
export async function openBrowserHub(database = "coop-hub"): Promise<BrowserHub> {
  try {
    const db = await openDB<HubSchema>(database, 1, {
      upgrade: (fresh) => {
        fresh.createObjectStore("values");
        fresh.createObjectStore("rows");
      },
      // Another tab may want to upgrade or delete: do not stand in its way.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    });
    return new BrowserHub(db);
  } catch (cause) {
    throw new HubError("no-storage", "this browser keeps nothing here: sessions cannot be stored in it", {
      cause,
    });
  }
}

export class BrowserHub implements Hub {
  readonly name = "this browser";
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Resolves once the transaction is complete, on disk as far as the browser tells. */
  async put(signer: Signer, key: string, value: Uint8Array): Promise<Receipt> {
    const fault = keyFault(key) ?? (value.length === 0 ? "a value is not empty" : undefined);
    if (fault !== undefined) throw new HubError("bad-request", fault);
    const owner = signer.address;
    await guard(async () => {
      const writing = this.#db.transaction(["values", "rows"], "readwrite", { durability: "strict" });
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
    return (await guard(() => this.#db.get("values", [owner, key]))) ?? null;
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
    return guard(async () => {
      const reading = this.#db.transaction(["values", "rows"]);
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
    await guard(() => this.#db.count("values", [`0x${"0".repeat(40)}`, ""]));
  }

  close(): void {
    this.#db.close();
  }
}

function rowRange(owner: Address, head: string, from: number, to = Number.MAX_SAFE_INTEGER): IDBKeyRange {
  return IDBKeyRange.bound([owner, head, from], [owner, head, to]);
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Error && cause.name === "QuotaExceededError")
      throw new HubError("storage-full", "this browser has no room left", { cause });
    throw new HubError("no-storage", "this browser's storage failed", { cause });
  }
}
