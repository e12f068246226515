// One session as it is read, verified and followed: collect, audit, and again when there is news. The only follower there
// is: inspector, embed, compare, report, watcher and seat all show its snapshots. All it needs comes by argument.

import { SessionAudit, type AuditStage } from "../audit/audit-records.ts";
import type { Channel } from "../channel/channel.ts";
import type { DomainKey } from "../core/sealed.ts";
import type { Address, Ref } from "../core/values.ts";
import type { Level } from "../core/view.ts";
import type { Hub } from "../hub/hub.ts";
import { errorText } from "../platform/coded-error.ts";
import type { Clock } from "../platform/clock.ts";
import { Observable, type Subscribable } from "../platform/observable.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import type { Pace } from "../platform/time-slices.ts";
import type { ParsedRecords } from "../verify/parsed-records.ts";
import type { Progress, Verifier } from "../verify/verifier.ts";
import type { CollectNote } from "./collect-session.ts";
import { PollScheduler, type FetchResult } from "./poll-scheduler.ts";
import { SessionFetcher } from "./session-fetcher.ts";
import { SessionReader, type Reading } from "./session-reader.ts";

/**
 * `given`: only the reader's own records are shown, and no Hub is asked. `reading`: nothing is read yet. `live`: the
 * channel answers and the last reading was complete. `polling`: the same without a channel. `behind`: a Hub answers, but
 * entries are missing, or another Hub does not, or some of a log is still to be read. `offline`: the last reading of every
 * Hub failed, or has lasted ten seconds.
 */
export type FollowState = "given" | "reading" | "live" | "polling" | "behind" | "offline";

/** Something that failed while following. The newest 50 are kept. */
export interface FollowNote {
  readonly at: number;
  readonly text: string;
}

interface Followed {
  readonly session: Ref;
  readonly state: FollowState;
  /** Texts of all records held, in the order of their coming: what a bundle takes. */
  readonly records: readonly string[];
  /** Of the last collection. */
  readonly notes: readonly CollectNote[];
  readonly problems: readonly FollowNote[];
  /** Of the level that runs now; null when all is done. */
  readonly progress: (Progress & { readonly level: Level }) | null;
  /** Records read so far, while the first reading goes on. */
  readonly read: number;
  /** There is a relay, and it does not know of this session before `followLive`. */
  readonly isQuiet: boolean;
}

/** Before and after the first level is done. */
export type SessionSnapshot = Followed & { readonly stage: AuditStage | null };

export interface FollowerOptions {
  readonly session: Ref;
  /** Records that the reader brought. */
  readonly given?: readonly string[];
  /** Empty: only what was given is shown. */
  readonly hubs: readonly Hub[];
  readonly verifier: Verifier;
  /** null: everything by polling. */
  readonly channel: Channel | null;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Subscribes at the relay only on `followLive`: a subscription names the session. */
  readonly quiet?: boolean;
  /** Wallets that may hold a copy of the genesis. */
  readonly witnesses?: readonly Address[];
  readonly domain?: DomainKey | undefined;
  /** Whether the authenticated level is shown before the verified one; default true. */
  readonly showsFirstLevel?: boolean;
  readonly pace?: Pace;
  readonly parsed?: ParsedRecords;
}

const MAX_NOTES = 50;
const MAX_REJECTED = 64;
/** A reading that takes longer means that the Hub is not there for now. */
const SILENCE_MS = 10_000;
const NOTHING: FetchResult = { found: false, failed: false, more: false };

export class SessionFollower implements Subscribable<SessionSnapshot> {
  readonly session: Ref;
  readonly audit: SessionAudit;
  readonly #options: FollowerOptions;
  readonly #value: Observable<SessionSnapshot>;
  readonly #reader: SessionReader;
  readonly #fetcher: SessionFetcher;
  #steady: SessionSnapshot;
  #scheduler: PollScheduler | undefined;
  #abort = new AbortController();
  #stops: (() => void)[] = [];
  #quiet: boolean;
  /** Some Hub failed, or there is more to read. */
  #isCutShort = false;
  /** Every Hub failed, or is silent. */
  #isOffline = false;

  constructor(options: FollowerOptions) {
    const { session, verifier, hubs, channel, quiet = false } = options;
    this.session = session;
    this.#options = options;
    this.#quiet = quiet && channel !== null && hubs.length > 0;
    this.audit = new SessionAudit(session, verifier, { ...options, maxRejected: MAX_REJECTED });
    this.#reader = new SessionReader(hubs, session, this.audit, (wire) => this.audit.parsed.get(wire));
    this.#fetcher = new SessionFetcher(this.#reader, (reading) => this.#take(reading));
    this.#value = new Observable<SessionSnapshot>({
      session,
      state: hubs.length === 0 ? "given" : "reading",
      records: options.given ?? [],
      notes: [],
      problems: [],
      stage: null,
      progress: null,
      read: 0,
      isQuiet: this.#quiet,
    });
    this.#steady = this.#value.getSnapshot();
  }

  /** Following begins with the first listener and pauses without one. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const leave = this.#value.subscribe(listener);
    if (this.#scheduler === undefined) this.#start();
    return () => {
      leave();
      if (!this.#value.isFollowed) this.#stop();
    };
  };

  readonly getSnapshot = (): SessionSnapshot => this.#value.getSnapshot();

  /** The snapshot without its progress: the same object while only that goes on, so that little is drawn anew. */
  readonly getSteady = (): SessionSnapshot => this.#steady;

  /** Fetches now. Resolves when done, however it ended. */
  readonly refresh = (): Promise<void> => this.#scheduler?.pollNow() ?? Promise.resolve();

  /** Something was done here: news may come soon, and unannounced. */
  pollSoon(): void {
    this.#scheduler?.pollSoon();
  }

  /** Subscribes at the relay, which learns the session's id by that. */
  readonly followLive = (): void => {
    if (!this.#quiet) return;
    this.#quiet = false;
    this.#set({ isQuiet: false });
    if (this.#scheduler === undefined) return;
    this.#listen();
    this.#onChannelState();
  };

  /** Adds records that came by another way, an own entry for example. */
  async add(records: readonly string[]): Promise<void> {
    await this.#auditRecords(records);
    this.#updateState();
  }

  /** Opens a private session with its key: what is shown from then on is read with it. */
  async unlock(domain: DomainKey): Promise<void> {
    await this.audit.unlock(domain, { onStage: (stage) => this.#showStage(stage) });
  }

  /** Reads what follows in these wallets' logs now. */
  async readOn(wallets: Parameters<SessionReader["readOn"]>[0]): Promise<void> {
    await this.#take(await this.#reader.readOn(wallets));
  }

  note(text: string): void {
    const { problems } = this.getSnapshot();
    const kept = problems.at(-1)?.text === text ? problems.slice(0, -1) : problems.slice(1 - MAX_NOTES);
    this.#set({ problems: [...kept, { at: this.#options.clock.now(), text }] });
  }

  #start(): void {
    const { clock, random, channel } = this.#options;
    this.#abort = new AbortController();
    this.#scheduler = new PollScheduler({
      clock,
      random,
      // What is missing is not announced again: it is polled for.
      isLive: () => !this.#quiet && channel?.getState() === "live" && !this.#isBehind(),
      fetch: (hinted) => this.#fetch(hinted, this.#abort.signal),
      announced: this.#fetcher,
    });
    if (this.#options.hubs.length === 0) return void this.#auditRecords(this.#options.given ?? []);
    this.#listen();
    void this.#scheduler.pollNow();
  }

  #listen(): void {
    const { channel, session } = this.#options;
    if (channel === null || this.#quiet) return;
    this.#stops.push(
      channel.subscribe(session, (ref) => {
        if (this.#fetcher.onAnnouncement(ref)) this.#scheduler?.hint();
      }),
      channel.onState(() => this.#onChannelState()),
    );
  }

  #stop(): void {
    this.#abort.abort();
    this.#scheduler?.stop();
    this.#scheduler = undefined;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#fetcher.markStale();
  }

  async #fetch(hinted: boolean, signal: AbortSignal): Promise<FetchResult> {
    const before = this.audit.size;
    const wasOpen = this.audit.stage?.view.ok === true;
    const stopWaiting = this.#options.clock.after(SILENCE_MS, () => this.#onSilence(signal));
    let reading: Reading;
    try {
      reading = await this.#fetcher.fetch(hinted, {
        witnesses: this.#options.witnesses ?? [],
        signal,
        onProgress: ({ records }) => this.#onRead(records),
      });
    } catch (error) {
      if (!signal.aborted) this.note(errorText(error));
      return signal.aborted ? NOTHING : { ...NOTHING, failed: true };
    } finally {
      stopWaiting();
    }
    if (signal.aborted) return NOTHING;
    // What was announced while the session could not be read.
    if (!wasOpen && !this.#fetcher.allResolved()) this.#scheduler?.hint();
    const found = this.audit.size > before;
    return { found, failed: reading.failed !== null, more: reading.cutShort && found };
  }

  /** Audits what was read and says how the reading went. */
  async #take(reading: Reading): Promise<void> {
    const { notes, failed, isOffline, cutShort, records } = reading;
    if (this.#abort.signal.aborted) return;
    if (failed !== null) this.note(failed.message);
    if (notes !== null) this.#set({ notes });
    const all = this.audit.stage === null ? [...(this.#options.given ?? []), ...records] : records;
    // Before the first reading there may be a Hub that has nothing, and none that answers.
    if (isOffline && all.length === 0 && this.audit.stage === null) this.#set({ state: "offline" });
    this.#isCutShort = cutShort || failed !== null;
    this.#isOffline = isOffline;
    await this.#auditRecords(all);
    this.#updateState();
  }

  async #auditRecords(records: readonly string[]): Promise<void> {
    const { signal } = this.#abort;
    const set = (part: Partial<SessionSnapshot>) => {
      if (!signal.aborted) this.#set(part);
    };
    try {
      await this.audit.add(records, {
        signal,
        onStage: (stage) => {
          if (!signal.aborted) this.#showStage(stage);
          else this.#reader.hold(stage.view);
        },
        onProgress: (progress) => {
          if (isWorthShowing(progress, this.getSnapshot().progress)) set({ progress });
        },
      });
    } catch (error) {
      if (!signal.aborted) this.note(errorText(error));
    }
    set({ progress: null });
  }

  #showStage(stage: AuditStage): void {
    this.#reader.hold(stage.view);
    this.#set({ stage, records: this.audit.texts, progress: null, state: this.#stateAt(stage) });
  }

  #onRead(records: number): void {
    if (this.audit.stage === null) this.#set({ read: records });
  }

  /** The reading goes on: an answer may still come, and its requests end by themselves. */
  #onSilence(signal: AbortSignal): void {
    const { state, stage } = this.getSnapshot();
    if (signal.aborted || state === "reading" || stage === null || this.getSnapshot().progress !== null)
      return;
    this.#isOffline = true;
    this.#updateState();
    this.note("the Hub takes long to answer");
  }

  #updateState(): void {
    const { stage } = this.audit;
    if (stage !== null && !this.#abort.signal.aborted) this.#set({ state: this.#stateAt(stage) });
  }

  #stateAt(stage: AuditStage): FollowState {
    const { hubs, channel } = this.#options;
    if (hubs.length === 0) return "given";
    if (this.#isOffline) return "offline";
    if (this.#isBehind(stage)) return "behind";
    return !this.#quiet && channel?.getState() === "live" ? "live" : "polling";
  }

  #isBehind(stage = this.audit.stage): boolean {
    const view = stage?.view;
    return this.#isCutShort || view?.ok !== true || !view.complete;
  }

  #onChannelState(): void {
    const isLive = this.#options.channel?.getState() === "live";
    // What was announced while the channel was away may be missed.
    if (isLive) this.#fetcher.markStale();
    const { state } = this.getSnapshot();
    if (state === "reading") return;
    this.#updateState();
    // With the relay the Hub may be back, too.
    if (isLive) this.#scheduler?.hint();
    else if (state !== "offline") this.#scheduler?.pollSoon();
  }

  #set(part: Partial<SessionSnapshot>): void {
    const before = this.getSnapshot();
    const changed = (Object.keys(part) as (keyof SessionSnapshot)[]).filter(
      (name) => !Object.is(part[name], before[name]),
    );
    if (changed.length === 0) return;
    const next = { ...before, ...part };
    if (changed.some((name) => name !== "progress")) this.#steady = { ...next, progress: null };
    this.#value.set(next);
  }
}

/** Twenty times a level is enough to be seen to go on. */
function isWorthShowing(next: NonNullable<Followed["progress"]>, last: Followed["progress"]): boolean {
  if (last === null || next.level !== last.level) return true;
  return next.done - last.done >= next.total / 20;
}
