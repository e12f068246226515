// An audit of one session from a bag of records that may grow: each record is parsed and verified once, and the view is
// built in time slices, once for each change. A first reading comes at both levels: the first within moments, labelled
// `authenticated`; a verdict is called verified only at the second.

import { carriedRecords } from "../core/evidence.ts";
import { readBag, type Bag, type ReadOptions, type Record } from "../core/bag.ts";
import { assembleSteps } from "../core/build-view.ts";
import { fromUtf8 } from "../core/bytes.ts";
import type { Candidate, CheckSignature, Entry, SignatureResult } from "../core/entry.ts";
import type { DomainKey } from "../core/sealed.ts";
import { sortSteps, type Steps } from "../core/steps.ts";
import type { Hash, Ref } from "../core/values.ts";
import type { Level, NoView, RejectedRecord, UncheckedRecord, View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { judgeSteps } from "../games/judge.ts";
import { defaultPace, goOnWith, runSteps, type Pace } from "../platform/time-slices.ts";
import { ParsedRecords } from "../verify/parsed-records.ts";
import type { Progress, RecordState, Report, Verifier } from "../verify/verifier.ts";

/** What is known of the session once a level is done. */
export interface AuditStage {
  readonly level: Level;
  /** On all records so far: the records' own texts in the order of their coming, then those that evidence carries. */
  readonly report: Report;
  readonly view: View | NoView;
  /** null where there is no view to judge. */
  readonly verdict: Verdict | null;
}

export interface AuditOptions {
  readonly onStage?: (stage: AuditStage) => void;
  readonly onProgress?: (progress: Progress & { readonly level: Level }) => void;
  readonly signal?: AbortSignal;
}

export interface AuditSettings {
  /** Opens a sealed session. */
  readonly domain?: DomainKey | undefined;
  readonly pace?: Pace;
  /** Where the caller keeps what it has parsed, and what is parsed here. */
  readonly parsed?: ParsedRecords;
  /** Whether a first reading shows the authenticated level before the verified one; default true. */
  readonly showsFirstLevel?: boolean;
  /** Rejected records that are kept for show, among those that come after the first reading; default all. */
  readonly maxRejected?: number;
}

/**
 * Audits the records at both levels and returns the second stage. Never rejects because of what they hold; after an
 * abort the stage says what was not checked.
 */
export function auditRecords(
  records: readonly Record[],
  session: Ref,
  verifier: Verifier,
  options: AuditOptions & AuditSettings = {},
): Promise<AuditStage> {
  return new SessionAudit(session, verifier, options).add(records, options);
}

/** A record's state, and the report that looks up its signature and what it was read as. */
interface Found extends Pick<Report, "check" | "parsed"> {
  readonly state: RecordState;
}

/** Fewer new records than this are verified at once, without a stage of the first level. */
const MANY = 64;

const UNKNOWN: SignatureResult = {
  ok: false,
  code: "unchecked",
  why: "not among the records of this report",
};

export class SessionAudit {
  /** The last stage that is done. */
  stage: AuditStage | null = null;
  readonly parsed: ParsedRecords;
  readonly #session: Ref;
  readonly #verifier: Verifier;
  #domain: DomainKey | undefined;
  readonly #pace: Pace;
  readonly #showsFirstLevel: boolean;
  readonly #maxRejected: number;
  readonly #records: Record[] = [];
  readonly #texts = new Set<string>();
  readonly #carried = new Set<string>();
  /** Of the verified level; what could not be checked is tried again with the next records. */
  readonly #found = new Map<string, Found>();
  /** All records of the last verified stage. */
  #bag: Bag | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: Ref, verifier: Verifier, settings: AuditSettings = {}) {
    this.#session = session;
    this.#verifier = verifier;
    this.#domain = settings.domain;
    this.#pace = settings.pace ?? defaultPace;
    this.#showsFirstLevel = settings.showsFirstLevel ?? true;
    this.#maxRejected = settings.maxRejected ?? Number.POSITIVE_INFINITY;
    this.parsed = settings.parsed ?? new ParsedRecords();
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  get size(): number {
    return this.#texts.size;
  }

  /** The records' own texts, in the order of their coming. */
  get texts(): readonly string[] {
    return [...this.#texts];
  }

  /** What opens the session's bodies here, if it is sealed and the key is known. */
  get domain(): DomainKey | undefined {
    return this.#domain;
  }

  /** Opens a sealed session from now on: its last stage is made anew. Runs in turn with `add`. */
  unlock(domain: DomainKey, { onStage }: Pick<AuditOptions, "onStage"> = {}): Promise<void> {
    const run = this.#last.then(async () => {
      this.#domain = domain;
      if (this.stage === null || this.#bag === undefined) return;
      this.stage = await this.#makeStage(this.#bag, "verified", new Map());
      onStage?.(this.stage);
    });
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** What was found of a signature; of bytes that are not here it is unchecked. */
  readonly check: CheckSignature = (candidate) =>
    this.#found.get(candidate.wire)?.check(candidate) ?? UNKNOWN;

  /** Adds records and resolves with the verified stage of all; the same stage where none is new. Calls run in turn. */
  add(records: readonly Record[], options: AuditOptions = {}): Promise<AuditStage> {
    const run = this.#last.then(() => this.#add(records, options));
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** The view that all records and one more, not yet signed entry would make. */
  async viewWith(draft: Candidate): Promise<View | NoView> {
    const only = readBag([draft.wire], {
      check: () => ({ ok: true, by: "signature" }),
      parsed: () => ({ ok: true, value: draft }),
    });
    const bag = this.#bag ?? { ...only, entries: new Map<Ref, Entry>() };
    const entries = new Map([...bag.entries, ...only.entries]);
    return goOnWith(assembleSteps({ ...bag, entries }, this.#session, this.#domain), this.#pace);
  }

  async #add(records: readonly Record[], options: AuditOptions): Promise<AuditStage> {
    const fresh = await runSteps(this.#takeSteps(records), this.#pace);
    const asked = [...this.#texts, ...this.#carried].filter((text) => !this.#found.has(text));
    if (this.stage !== null && fresh.length === 0 && asked.length === 0) return this.stage;
    const isFirst = this.stage === null || asked.length >= MANY;
    let first: AuditStage | null = null;
    if (this.#showsFirstLevel && isFirst) {
      const round = await this.#verify(asked, "authenticated", options);
      first = await this.#makeStage(await this.#readBag(round, fresh), "authenticated", round);
      options.onStage?.(first);
      await this.#pace.pause();
    }
    return this.#makeVerified(asked, fresh, first, options);
  }

  async #makeVerified(
    asked: readonly string[],
    fresh: Record[],
    first: AuditStage | null,
    options: AuditOptions,
  ): Promise<AuditStage> {
    const round = await this.#verify(asked, "verified", options);
    if (this.stage !== null) {
      this.#dropRejected(round, fresh);
      if (round.size === 0 && fresh.length === 0) return this.stage;
    }
    const report = await goOnWith(this.#reportSteps("verified", round), this.#pace);
    let stage: AuditStage;
    if (first !== null && (await goOnWith(bearsOutSteps(report, first), this.#pace))) {
      stage = verifiedStage(first, report);
      if (first.view.ok) this.#bag = { ...first.view, level: "verified" };
    } else {
      const bag = await this.#readBag(round, fresh);
      stage = await this.#makeStage(bag, "verified", round);
      this.#bag = bag;
    }
    for (const [text, found] of round) if (found.state.state !== "unchecked") this.#found.set(text, found);
    this.stage = stage;
    options.onStage?.(stage);
    return stage;
  }

  /** A Hub that serves another text at every reading fills no memory. */
  #dropRejected(round: Map<string, Found>, fresh: Record[]): void {
    let kept = this.stage?.report.counts.rejected ?? 0;
    for (const [text, { state }] of [...round]) {
      if (state.state !== "rejected" || kept++ < this.#maxRejected) continue;
      round.delete(text);
      this.#texts.delete(text);
      this.parsed.forget(text);
      for (const list of [fresh, this.#records]) {
        const at = list.lastIndexOf(text);
        if (at >= 0) list.splice(at, 1);
      }
    }
  }

  /** Takes the records that are new. */
  *#takeSteps(records: readonly Record[]): Steps<Record[]> {
    const fresh: Record[] = [];
    for (const [i, record] of records.entries()) {
      if (i % STEP === STEP - 1) yield;
      const text = typeof record === "string" ? record : fromUtf8(record);
      if (text !== undefined && this.#texts.has(text)) continue;
      if (text !== undefined) this.#texts.add(text); // what is no UTF-8 at all is the bag's to reject
      fresh.push(text ?? record);
    }
    this.#records.push(...fresh);
    return fresh;
  }

  /** Verifies texts, and then those that evidence among them carries, which are records too (protocol, View). */
  async #verify(
    texts: readonly string[],
    level: Level,
    { signal, onProgress }: AuditOptions,
  ): Promise<Map<string, Found>> {
    const round = new Map<string, Found>();
    for (let wave = texts; wave.length > 0 || round.size === 0;) {
      const { states, check, parsed } = await this.#verifier.verify(wave, {
        level,
        parsed: this.parsed,
        ...(signal && { signal }),
        onProgress: (progress) => onProgress?.({ ...progress, level }),
      });
      states.forEach((state, i) => round.set(wave[i]!, { state, check, parsed }));
      wave = await goOnWith(this.#carriedSteps(states, round), this.#pace);
      if (wave.length === 0) break;
    }
    return round;
  }

  *#carriedSteps(states: readonly RecordState[], round: ReadonlyMap<string, Found>): Steps<string[]> {
    const carried = new Set<string>();
    for (const [i, state] of states.entries()) {
      if (i % STEP === STEP - 1) yield;
      if (state.state !== "verified" && state.state !== "covered") continue;
      const { candidate } = state;
      if (candidate.type !== "evidence") continue;
      for (const text of carriedRecords(candidate))
        if (!round.has(text) && !this.#found.has(text)) carried.add(text);
    }
    for (const text of carried) if (!this.#texts.has(text)) this.#carried.add(text);
    return [...carried];
  }

  async #makeStage(bag: Bag, level: Level, round: ReadonlyMap<string, Found>): Promise<AuditStage> {
    const view = await runSteps(assembleSteps(bag, this.#session, this.#domain), this.#pace);
    return {
      level,
      report: await goOnWith(this.#reportSteps(level, round), this.#pace),
      view,
      verdict: view.ok ? await runSteps(judgeSteps(view), this.#pace) : null,
    };
  }

  *#reportSteps(level: Level, round: ReadonlyMap<string, Found>): Steps<Report> {
    const counts = { verified: 0, covered: 0, rejected: 0, unchecked: 0 };
    const states: RecordState[] = [];
    for (const texts of [this.#texts, this.#carried])
      for (const text of texts) {
        const state = (round.get(text) ?? this.#found.get(text))?.state ?? NOT_CHECKED;
        counts[state.state]++;
        states.push(state);
        if (states.length % (8 * STEP) === 0) yield;
      }
    const check: CheckSignature = (candidate) =>
      round.get(candidate.wire)?.check(candidate) ?? this.check(candidate);
    const parsed = (wire: string) => (round.get(wire) ?? this.#found.get(wire))?.parsed(wire);
    return { level, states, counts, check, parsed };
  }

  /** All records: those of the last bag, unless some of them could not be checked then, and the fresh ones. */
  #readBag(round: ReadonlyMap<string, Found>, fresh: readonly Record[]): Promise<Bag> {
    const before = this.#bag?.unchecked.length === 0 ? this.#bag : undefined;
    const foundOf = (text: string) => round.get(text) ?? this.#found.get(text);
    const options: ReadOptions = {
      check: (candidate) => foundOf(candidate.wire)?.check(candidate) ?? UNKNOWN,
      parsed: (text) => foundOf(text)?.parsed(text) ?? this.parsed.get(text),
    };
    return runSteps(readSteps(before, before === undefined ? this.#records : fresh, options), this.#pace);
  }
}

const NOT_CHECKED: RecordState = { state: "unchecked", why: "not verified yet" };

/**
 * Whether every signature was checked and what they say is all that the first level went by, so that its view and
 * verdict are those of the second as well: nothing is left out there, and nobody but the same records was refused.
 */
function* bearsOutSteps({ counts, check }: Report, { view, report }: AuditStage): Steps<boolean> {
  if (!view.ok || view.unchecked.length > 0) return false;
  if (counts.unchecked + counts.covered > 0 || counts.rejected !== report.counts.rejected) return false;
  let looked = 0;
  for (const entry of view.entries.values()) {
    const result = check(entry);
    if (!result.ok || result.by !== "signature") return false;
    if (++looked % (8 * STEP) === 0) yield;
  }
  return true;
}

function verifiedStage({ view, verdict }: AuditStage, report: Report): AuditStage {
  const level = "verified";
  return {
    level,
    report,
    view: view.ok ? { ...view, level } : view,
    verdict: verdict?.ok === true ? { ...verdict, level } : verdict,
  };
}

/** Records that are read in one step. */
const STEP = 32;

/** The bag of all records, a step at a time: what one bag holds does not depend on how it was filled. */
function* readSteps(before: Bag | undefined, records: readonly Record[], options: ReadOptions): Steps<Bag> {
  const entries = new Map<Ref, Entry>(before?.entries);
  const rejected = new Map<Hash, RejectedRecord>(before?.rejected.map((record) => [record.hash, record]));
  const unchecked = new Map<Hash, UncheckedRecord>();
  let level: Level = before?.level ?? "verified";
  for (let start = 0; start < records.length; start += STEP) {
    const bag = readBag(records.slice(start, start + STEP), options);
    for (const [ref, entry] of bag.entries) {
      const other = entries.get(ref);
      if (other === undefined || entry.wire < other.wire) entries.set(ref, entry);
    }
    for (const record of bag.rejected) rejected.set(record.hash, record);
    for (const record of bag.unchecked) unchecked.set(record.hash, record);
    if (bag.level === "authenticated") level = "authenticated";
    yield;
  }
  return {
    entries,
    rejected: yield* sortSteps(rejected.values(), byHash),
    unchecked: yield* sortSteps(unchecked.values(), byHash),
    level,
  };
}

function byHash(a: { readonly hash: Hash }, b: { readonly hash: Hash }): number {
  return a.hash < b.hash ? -1 : 1;
}
