// Reads one session's records from its Hubs when asked: everything at first and where something is missing, then only
// what follows. It verifies nothing, and keeps no records.

import type { Address, Ref } from "../core/values.ts";
import type { NoView, View } from "../core/view.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, readRecord } from "../hub/log-keys.ts";
import { asFailure } from "../hub/read-log.ts";
import { collectSession, type CollectNote, type CollectOptions, type Cursor } from "./collect-session.ts";

export interface Reading {
  /** What was served, held already or not. */
  readonly records: readonly string[];
  /** Of the whole collection; null where only the ends of logs were read. */
  readonly notes: readonly CollectNote[] | null;
  /** Why some Hub was not read; null where all went well. */
  readonly failed: HubError | null;
  /** Every Hub failed. */
  readonly isOffline: boolean;
  /** Reading stopped at its limit; there is more. */
  readonly cutShort: boolean;
}

export type ReadOptions = Pick<CollectOptions, "signal" | "onProgress" | "witnesses">;

export interface HeldRecords {
  has(text: string): boolean;
  readonly texts: readonly string[];
}

/** Entries of one log that one reading takes at most; the rest waits for the next. */
const ENTRIES_A_READING = 64;

export class SessionReader {
  readonly #hubs: readonly Hub[];
  readonly #session: Ref;
  readonly #held: HeldRecords;
  readonly #parse: NonNullable<CollectOptions["parse"]>;
  #cursor: Cursor | undefined;
  #view: View | NoView | null = null;
  /** First seq of each participant's log not yet held. */
  readonly #next = new Map<Address, number>();

  constructor(
    hubs: readonly Hub[],
    session: Ref,
    held: HeldRecords,
    parse: NonNullable<CollectOptions["parse"]>,
  ) {
    this.#hubs = hubs;
    this.#session = session;
    this.#held = held;
    this.#parse = parse;
  }

  get view(): View | NoView | null {
    return this.#view;
  }

  /** First seq of a participant's log that is not held. */
  nextOf(wallet: Address): number {
    return this.#next.get(wallet) ?? 0;
  }

  /** Goes on from what is held now. */
  hold(view: View | NoView): void {
    if (this.#view === view) return;
    this.#view = view;
    if (!view.ok) return;
    for (const { wallet, anchor } of view.members) {
      const known = this.#next.get(wallet);
      if (known === undefined || known < anchor.seq) this.#next.set(wallet, anchor.seq);
    }
    const held = new Set([...view.entries.values()].map(({ wallet, seq }) => `${wallet}:${seq}`));
    for (const [wallet, from] of this.#next) {
      let next = from;
      while (held.has(`${wallet}:${next}`)) next++;
      this.#next.set(wallet, next);
    }
  }

  /** Collects the whole session: logs, what the genesis pins, and the participants' copies. @throws HubError `aborted` */
  async readAll(options: ReadOptions): Promise<Reading> {
    const { records, notes, cursor } = await collectSession(this.#hubs, this.#session, {
      ...options,
      known: this.#held.texts,
      parse: this.#parse,
      ...(this.#cursor !== undefined && { since: this.#cursor }),
    });
    this.#cursor = cursor;
    const failures = notes.filter((note) => note.kind === "failed");
    const failedHubs = new Set(failures.map(({ hub }) => hub));
    return {
      records,
      notes,
      failed: failures[0]?.error ?? null,
      isOffline: this.#hubs.every(({ name }) => failedHubs.has(name)),
      cutShort: notes.some((note) => note.kind === "capped"),
    };
  }

  /**
   * Reads whether the logs of these participants go on: one request to each Hub for a log that does not. With `upTo`, the
   * seqs up to which logs are announced, nothing after those is asked for; a seq that is held already is read once more,
   * since there may be a second version.
   */
  async readOn(
    wallets: readonly Address[],
    upTo: ReadonlyMap<Address, number> = new Map(),
  ): Promise<Reading> {
    const records: string[] = [];
    const failures = new Map<Hub, HubError>();
    let cutShort = false;
    const read = async (hub: Hub, wallet: Address) => {
      try {
        const last = upTo.get(wallet) ?? Number.POSITIVE_INFINITY;
        if (!(await this.#readLogOn(hub, wallet, last, records))) cutShort = true;
      } catch (error) {
        failures.set(hub, asFailure(error));
      }
    };
    await Promise.all(this.#hubs.flatMap((hub) => wallets.map((wallet) => read(hub, wallet))));
    return {
      records,
      notes: null,
      failed: [...failures.values()].at(-1) ?? null,
      isOffline: failures.size === this.#hubs.length,
      cutShort,
    };
  }

  /** Whether the end of the log was reached, or `last`. */
  async #readLogOn(hub: Hub, wallet: Address, last: number, records: string[]): Promise<boolean> {
    const from = Math.min(this.nextOf(wallet), last);
    const end = Math.min(from + ENTRIES_A_READING - 1, last);
    for (let seq = from; seq <= end; seq++) {
      const record = await readRecord(hub, wallet, appendKey(seq));
      if (record === null) return true;
      if (!this.#held.has(record)) records.push(record);
      // Held already and not counted as an entry at this seq: read again when it changes.
      else if (!this.#isEntryAt(record, wallet, seq)) return true;
    }
    return end === last;
  }

  #isEntryAt(record: string, wallet: Address, seq: number): boolean {
    if (this.#view?.ok !== true) return false;
    for (const entry of this.#view.entries.values())
      if (entry.seq === seq && entry.wallet === wallet && entry.wire === record) return true;
    return false;
  }
}
