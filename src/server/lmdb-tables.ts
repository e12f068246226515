// The tables of the durable store in LMDB, and the queue of its transactions: all writes that arrive while one is under
// way go into the next together, up to a few milliseconds of work, and each is acknowledged after the fsync.

import { join } from "node:path";
import { open, type Database, type RootDatabase } from "lmdb";

export type Table = Database<Uint8Array, Uint8Array>;

interface Job {
  readonly run: () => () => void;
  readonly fail: (error: unknown) => void;
}

/** Work of one transaction on the event loop, in milliseconds; what is over waits for the next. */
const SLICE_MS = 6;

export class Tables {
  readonly #root: RootDatabase<Uint8Array, Uint8Array>;
  readonly buckets: Table;
  /** owner ‖ key → time, bucket, value. */
  readonly objects: Table;
  /** owner ‖ length ‖ conversation ‖ row → key. */
  readonly rows: Table;
  /** owner ‖ length ‖ conversation → number of rows. */
  readonly counts: Table;
  /** length ‖ bucket ‖ key → nothing. */
  readonly members: Table;
  /** owner, or `all` → what is used. */
  readonly usage: Table;
  /** Buckets whose objects are being deleted → owner. */
  readonly deleting: Table;
  readonly #beforeCommit: () => void;
  readonly #afterFailure: () => void;
  #jobs: Job[] = [];
  #busy: Promise<void> | undefined;
  #closed = false;

  /** `beforeCommit` runs at the end of each transaction, `afterFailure` where one could not be committed. */
  constructor(folder: string, beforeCommit: () => void, afterFailure: () => void) {
    this.#beforeCommit = beforeCommit;
    this.#afterFailure = afterFailure;
    this.#root = open<Uint8Array, Uint8Array>({
      path: join(folder, "hub.mdb"),
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: 8,
      // Without overlapping, a commit resolves only after its fsync.
      overlappingSync: false,
      // We batch by transactions; its batches hold a promise that nobody can hear reject, as it does on a full disk.
      eventTurnBatching: false,
    });
    const table = (name: string) =>
      this.#root.openDB<Uint8Array, Uint8Array>({ name, encoding: "binary", keyEncoding: "binary" });
    this.buckets = table("buckets");
    this.objects = table("objects");
    this.rows = table("rows");
    this.counts = table("counts");
    this.members = table("members");
    this.usage = table("usage");
    this.deleting = table("deleting");
  }

  /**
   * Within a transaction, whose own promise tells what became of it: each write has one too, and all of them reject when
   * it cannot be committed (a full disk), which unheard would end the process.
   */
  put(table: Table, key: Uint8Array, value: Uint8Array): void {
    table.put(key, value).catch(() => undefined);
  }

  remove(table: Table, key: Uint8Array): void {
    table.remove(key).catch(() => undefined);
  }

  /** Does work in one transaction at once, before anything else is served. */
  now(work: () => void): void {
    this.#root.transactionSync(work);
  }

  /** Queues work for the next transaction; resolves with its result after the fsync. */
  write<T>(work: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new Error("the store is closed"));
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({
        run: () => {
          const result = work();
          return () => resolve(result);
        },
        fail: reject,
      });
      this.#busy ??= this.#commitAll();
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    while (this.#busy !== undefined) await this.#busy;
    await this.#root.close();
  }

  async #commitAll(): Promise<void> {
    // One turn's delay lets the requests that arrived together share a transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#jobs.length > 0) {
      let taken: Job[] = [];
      let done: (() => void)[] = [];
      try {
        await this.#root.transaction(() => {
          ({ taken, done } = this.#runSlice());
        });
      } catch (error) {
        hush(error);
        this.#afterFailure();
        // A transaction that could not even begin fails what waits for it.
        for (const job of taken.length > 0 ? taken : this.#jobs.splice(0)) job.fail(error);
        continue;
      }
      for (const settle of done) settle();
    }
    this.#busy = undefined;
  }

  #runSlice(): { taken: Job[]; done: (() => void)[] } {
    const end = performance.now() + SLICE_MS;
    const done: (() => void)[] = [];
    let count = 0;
    do done.push(this.#jobs[count++]!.run());
    while (count < this.#jobs.length && performance.now() < end);
    const taken = this.#jobs;
    this.#jobs = taken.splice(count);
    this.#beforeCommit();
    return { taken, done };
  }
}

/** LMDB hangs the cause on its error as a further promise that rejects. */
function hush(error: unknown): void {
  const cause: unknown = error instanceof Error && "commitError" in error ? error.commitError : undefined;
  if (cause instanceof Promise) cause.catch(() => undefined);
}
