// The queue of values to be stored on PostgreSQL: all that arrive while transactions are under way go into the next
// together. Values of one wallet are never in two transactions of this node at once, since they would only wait for each other.

import type { Address } from "../core/values.ts";
import { StoreUnavailable, type PutResult } from "./hub-store.ts";
import { storeBatch, TotalExceeded, type Writing } from "./postgres-batch.ts";
import { nothingUsed, type QuotaOptions, type Usage } from "./quota.ts";
import { OVERHEAD } from "./quota.ts";
import type { SqlSession } from "./sql.ts";

type Transaction = <T>(work: (session: SqlSession) => Promise<T>) => Promise<T>;

interface Job extends Writing {
  readonly resolve: (result: PutResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Transactions under way at once. */
const MOST_TRANSACTIONS = 2;
/** Values and bytes of one transaction. */
const MOST_VALUES = 256;
const MOST_BYTES = 4 * 1024 * 1024;

export class PostgresWrites {
  readonly #transaction: Transaction;
  readonly #quota: QuotaOptions;
  #waiting: Job[] = [];
  readonly #busyOwners = new Set<Address>();
  #underWay = 0;
  #scheduled = false;
  #idle: (() => void)[] = [];
  /** Of all wallets, as last seen: far from its limits, it is looked at after writing alone. */
  #total: Usage = nothingUsed();

  constructor(transaction: Transaction, quota: QuotaOptions) {
    this.#transaction = transaction;
    this.#quota = quota;
  }

  put(writing: Writing): Promise<PutResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...writing, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      // One turn's delay lets the requests that arrived together share a transaction.
      setImmediate(() => {
        this.#scheduled = false;
        this.#next();
      });
    });
  }

  /** Resolves once nothing is queued nor under way. */
  async idle(): Promise<void> {
    if (this.#underWay === 0 && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    while (this.#underWay < MOST_TRANSACTIONS) {
      const jobs = this.#take();
      if (jobs.length === 0) break;
      this.#underWay++;
      const owners = new Set(jobs.map(({ owner }) => owner));
      for (const owner of owners) this.#busyOwners.add(owner);
      void this.#run(jobs).finally(() => {
        this.#underWay--;
        for (const owner of owners) this.#busyOwners.delete(owner);
        this.#next();
      });
    }
    if (this.#underWay === 0 && this.#waiting.length === 0) for (const idle of this.#idle.splice(0)) idle();
  }

  /** The next values, in order, of wallets that no transaction is writing for. */
  #take(): Job[] {
    const taken: Job[] = [];
    const left: Job[] = [];
    let bytes = 0;
    for (const job of this.#waiting) {
      const fits = taken.length < MOST_VALUES && bytes < MOST_BYTES;
      if (!fits || this.#busyOwners.has(job.owner)) left.push(job);
      else {
        taken.push(job);
        bytes += job.value.length;
      }
    }
    this.#waiting = left;
    return taken;
  }

  async #run(jobs: readonly Job[]): Promise<void> {
    try {
      const results = await this.#store(jobs, this.#isNearLimit(jobs));
      for (const [i, { resolve }] of jobs.entries()) resolve(results[i]!);
    } catch (error) {
      // While the database is away, waiting longer helps none of those that wait.
      const more = error instanceof StoreUnavailable ? this.#waiting.splice(0) : [];
      for (const { reject } of [...jobs, ...more]) reject(error);
    }
  }

  async #store(jobs: readonly Job[], careful: boolean): Promise<readonly PutResult[]> {
    try {
      const { results, total } = await this.#transaction((session) =>
        storeBatch(session, jobs, this.#quota, careful),
      );
      if (total !== undefined) this.#total = total;
      return results;
    } catch (error) {
      if (careful || !(error instanceof TotalExceeded)) throw error;
      return this.#store(jobs, true);
    }
  }

  #isNearLimit(jobs: readonly Job[]): boolean {
    const { all } = this.#quota.quota;
    const bytes = jobs.reduce((sum, { key, value }) => sum + 4 * key.length + value.length + OVERHEAD, 0);
    return (
      this.#total.bytes + bytes > all.bytes ||
      this.#total.objects + jobs.length > all.objects ||
      this.#total.rows + 4 * jobs.length > all.rows
    );
  }
}
