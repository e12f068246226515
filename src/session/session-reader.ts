// What one observer holds of a session: its records, each verified once, and the view and verdict they make.
// It reads the Hub when asked: everything at first and where something is missing, then only what follows.

import { carriedByRecord } from "../core/evidence.ts";
import { buildView } from "../core/build-view.ts";
import { type Candidate, type CheckSignature, type SignatureResult } from "../core/entry.ts";
import type { Address, Ref } from "../core/values.ts";
import type { NoView, View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { judge } from "../games/judge.ts";
import { collectSession, type Cursor } from "./collect-session.ts";
import type { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, readRecord } from "../hub/log-keys.ts";
import { asFailure } from "../hub/read-log.ts";
import type { Verifier } from "../verify/verifier.ts";

export interface Reading {
  /** Records were added. */
  readonly changed: boolean;
  /** The Hub did not answer, or not as it should; null where all went well. */
  readonly failed: HubError | null;
  /** Reading stopped at its limit; there is more. */
  readonly cutShort: boolean;
}

/** Entries of one log that one look takes at most; the rest waits for the next look. */
const ENTRIES_A_LOOK = 64;
/** Texts that are no entries of their place are kept for show, up to so many. */
const MAX_JUNK = 64;

const UNKNOWN: SignatureResult = { ok: false, code: "unchecked", why: "not verified yet" };

export class SessionReader {
  readonly session: Ref;
  view: View | NoView | null = null;
  verdict: Verdict | null = null;
  readonly #hub: Hub;
  readonly #verifier: Verifier;
  readonly #results = new Map<string, SignatureResult>();
  /** Distinct texts, in the order of their coming. */
  #records: readonly string[] = [];
  /** First seq of each participant's log not yet held. */
  readonly #next = new Map<Address, number>();
  #cursor: Cursor | undefined;
  #junk = 0;
  #adding: Promise<unknown> = Promise.resolve();

  constructor(hub: Hub, verifier: Verifier, session: Ref) {
    this.#hub = hub;
    this.#verifier = verifier;
    this.session = session;
  }

  get records(): readonly string[] {
    return this.#records;
  }

  /** Looks up what the verifier found; what it has not seen is unchecked. */
  readonly check: CheckSignature = (candidate) => this.#results.get(candidate.wire) ?? UNKNOWN;

  /** Collects the whole session: logs, what the genesis pins, and the participants' copies. */
  async readAll(): Promise<Reading> {
    const collected = await collectSession([this.#hub], this.session, {
      known: this.#records,
      ...(this.#cursor !== undefined && { since: this.#cursor }),
    });
    this.#cursor = collected.cursor;
    const changed = await this.add(collected.records);
    const failed = collected.notes.flatMap((note) => (note.kind === "failed" ? [note.error] : []))[0] ?? null;
    return { changed, failed, cutShort: collected.notes.some((note) => note.kind === "capped") };
  }

  /** First seq of a participant's log that is not held. */
  nextOf(wallet: Address): number {
    return this.#next.get(wallet) ?? 0;
  }

  /**
   * Looks whether the logs of these participants go on. One request for a log that does not. With `upTo`, the seqs up
   * to which logs are said to go, nothing after those is asked for; a place that is held already is read once more,
   * since it may have a second version.
   */
  async readOn(
    wallets: readonly Address[],
    upTo: ReadonlyMap<Address, number> = new Map(),
  ): Promise<Reading> {
    const found: string[] = [];
    let failed: HubError | null = null;
    let cutShort = false;
    await Promise.all(
      wallets.map(async (wallet) => {
        try {
          if (!(await this.#readLogOn(wallet, upTo.get(wallet) ?? Number.POSITIVE_INFINITY, found)))
            cutShort = true;
        } catch (error) {
          failed = asFailure(error);
        }
      }),
    );
    return { changed: await this.add(found), failed, cutShort };
  }

  /** Whether the end of the log was reached, or `last`. */
  async #readLogOn(wallet: Address, last: number, found: string[]): Promise<boolean> {
    const from = Math.min(this.nextOf(wallet), last);
    const end = Math.min(from + ENTRIES_A_LOOK - 1, last);
    for (let seq = from; seq <= end; seq++) {
      const record = await readRecord(this.#hub, wallet, appendKey(seq));
      if (record === null) return true;
      if (this.#results.has(record)) {
        // Held already and not counted as an entry of this place: looked at again when it changes.
        if (!this.#isEntryAt(record, wallet, seq)) return true;
      } else found.push(record);
    }
    return end === last;
  }

  #isEntryAt(record: string, wallet: Address, seq: number): boolean {
    if (this.view?.ok !== true) return false;
    for (const entry of this.view.entries.values())
      if (entry.wallet === wallet && entry.seq === seq && entry.wire === record) return true;
    return false;
  }

  /** Verifies records that are new and builds the view anew. Whether there were any. */
  add(records: Iterable<string>): Promise<boolean> {
    const run = this.#adding.then(() => this.#add(records));
    this.#adding = run.catch(() => undefined);
    return run;
  }

  async #add(records: Iterable<string>): Promise<boolean> {
    const fresh = [...new Set(records)].filter((record) => !this.#results.has(record));
    if (fresh.length === 0 && this.view !== null) return false;
    // What an evidence entry carries is a record too, though not one that came by itself.
    const carried = fresh.flatMap(carriedByRecord).filter((record) => !this.#results.has(record));
    const report = await this.#verifier.verify([...fresh, ...carried], { level: "verified" });
    const kept: string[] = [];
    report.states.forEach((state, i) => {
      const record = fresh[i];
      if (record === undefined) {
        this.#results.set(carried[i - fresh.length]!, resultOf(state.candidate, report.check));
        return;
      }
      if (state.state === "verified") this.#results.set(record, { ok: true, by: "signature" });
      else if (this.#junk++ >= MAX_JUNK && state.state === "rejected") return;
      else this.#results.set(record, resultOf(state.candidate, report.check));
      kept.push(record);
    });
    this.#records = [...this.#records, ...kept];
    this.#rebuild();
    return kept.length > 0;
  }

  /** The view that these records and one more, not yet signed entry would make. */
  viewWith(draft: Candidate): View | NoView {
    return buildView([...this.#records, draft.wire], this.session, {
      check: (candidate) =>
        candidate.wire === draft.wire ? { ok: true, by: "signature" } : this.check(candidate),
    });
  }

  #rebuild(): void {
    const view = buildView(this.#records, this.session, { check: this.check });
    this.view = view;
    this.verdict = view.ok ? judge(view) : null;
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
}

function resultOf(candidate: Candidate | undefined, check: CheckSignature): SignatureResult {
  return candidate === undefined ? UNKNOWN : check(candidate);
}
