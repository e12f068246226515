// One session as it comes in and is verified: collect, authenticate, verify, and again when there is news. An object with
// subscribe and getSnapshot; whatever is shown is a snapshot of it. Opens nothing by itself: all it needs comes by
// argument.

import type { Channel, ChannelState } from "../../channel/channel.ts";
import type { DomainKey } from "../../core/sealed.ts";
import type { Address, Ref } from "../../core/values.ts";
import { collectSession, type CollectNote, type Cursor } from "../../session/collect-session.ts";
import type { Hub } from "../../hub/hub.ts";
import { auditRecords, type AuditStage } from "../../audit/audit-records.ts";
import type { Progress, Verifier } from "../../verify/verifier.ts";
import type { Level } from "../../core/view.ts";

/** Where the records come from: given by the reader alone, or read from Hubs and followed. */
export type Live =
  /** A file or a sample: nothing is asked. */
  | "given"
  | "reading"
  /** The relay tells of new entries. */
  | "live"
  /** No relay: the Hubs are asked every few seconds. */
  | "polling"
  /** The last reading failed; what is shown may be old. */
  | "behind"
  /** No Hub has answered at all. */
  | "offline";

export interface SessionSnapshot {
  readonly live: Live;
  readonly records: readonly string[];
  readonly notes: readonly CollectNote[];
  /** The last level that is done; null until the first. */
  readonly stage: AuditStage | null;
  /** Of the level that runs now; null when all is done. */
  readonly progress: (Progress & { readonly level: Level }) | null;
  /** Records read so far, while the first reading goes on. */
  readonly read: number;
  /** There is a relay, and it has not been told of this session: `followLive` would. */
  readonly isQuiet: boolean;
}

export interface FeedOptions {
  readonly session: Ref;
  /** Records that the reader brought. */
  readonly given: readonly string[];
  /** Empty: only what was given is shown. */
  readonly hubs: readonly Hub[];
  /** Wallets that may hold a copy of the genesis. */
  readonly witnesses?: readonly Address[];
  readonly verifier: Verifier;
  readonly channel: Channel | null;
  /** Tells the relay nothing before `followLive`: a subscription names the session. */
  readonly quiet?: boolean;
  readonly domain?: DomainKey | undefined;
  /** Runs work after so many milliseconds; returns the way to cancel. */
  readonly after: (ms: number, work: () => void) => () => void;
  readonly pollEvery?: number;
}

const POLL_MS = 4_000;
const POLL_WITH_RELAY_MS = 20_000;
const SETTLE_MS = 120;

export class SessionFeed {
  readonly #options: FeedOptions;
  readonly #listeners = new Set<() => void>();
  #abort = new AbortController();
  #snapshot: SessionSnapshot;
  #steady: SessionSnapshot;
  #cursor: Cursor | undefined;
  #cancel: (() => void) | undefined;
  #stops: (() => void)[] = [];
  #running = false;
  #news = false;
  #started = false;
  #quiet: boolean;

  constructor(options: FeedOptions) {
    this.#options = options;
    const live = options.hubs.length === 0 ? "given" : "reading";
    const { given, channel, quiet = false } = options;
    this.#quiet = quiet && channel !== null && options.hubs.length > 0;
    this.#snapshot = {
      live,
      records: given,
      notes: [],
      stage: null,
      progress: null,
      read: 0,
      isQuiet: this.#quiet,
    };
    this.#steady = this.#snapshot;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#started) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  };

  readonly getSnapshot = (): SessionSnapshot => this.#snapshot;

  /** The snapshot without its progress: the same object while only that goes on, so that little is drawn anew. */
  readonly getSteady = (): SessionSnapshot => this.#steady;

  /** Asks the Hubs now. */
  readonly refresh = (): void => {
    this.#news = true;
    if (this.#started && !this.#running) void this.#run();
  };

  /** Subscribes at the relay, which learns the session's id by that. */
  readonly followLive = (): void => {
    if (!this.#quiet) return;
    this.#quiet = false;
    this.#set({ isQuiet: false });
    if (!this.#started) return;
    this.#listen();
    this.#follow(this.#options.channel!.getState());
  };

  #start(): void {
    this.#started = true;
    this.#abort = new AbortController();
    this.#listen();
    void this.#run();
  }

  #listen(): void {
    const { channel, session, hubs } = this.#options;
    if (channel !== null && hubs.length > 0 && !this.#quiet)
      this.#stops.push(
        channel.subscribe(session, () => this.#soon(SETTLE_MS)),
        channel.onState((state) => this.#follow(state)),
      );
  }

  #stop(): void {
    this.#started = false;
    this.#abort.abort();
    this.#cancel?.();
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #set(part: Partial<SessionSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...part };
    if (Object.keys(part).some((name) => name !== "progress"))
      this.#steady = { ...this.#snapshot, progress: null };
    for (const listener of this.#listeners) listener();
  }

  #follow(state: ChannelState): void {
    const { live } = this.#snapshot;
    if (live === "live" || live === "polling") this.#set({ live: state === "live" ? "live" : "polling" });
  }

  #soon(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#options.after(ms, () => this.refresh());
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    const { signal } = this.#abort;
    try {
      do {
        this.#news = false;
        const before = this.#snapshot.records.length;
        const grew = await this.#collect(signal);
        if (signal.aborted) return;
        if (this.#snapshot.stage === null || grew || this.#snapshot.records.length !== before)
          await this.#audit(signal);
      } while (this.#news && !signal.aborted);
    } finally {
      this.#running = false;
      if (this.#started && signal.aborted) void this.#run();
      else if (this.#started && this.#options.hubs.length > 0) this.#soon(this.#pause());
    }
  }

  #pause(): number {
    return this.#options.pollEvery ?? (this.#snapshot.live === "live" ? POLL_WITH_RELAY_MS : POLL_MS);
  }

  /** Whether there are records that were not there before. */
  async #collect(signal: AbortSignal): Promise<boolean> {
    const { hubs, session, channel } = this.#options;
    if (hubs.length === 0) return false;
    const { records } = this.#snapshot;
    try {
      const found = await collectSession(hubs, session, {
        known: records,
        witnesses: this.#options.witnesses ?? [],
        signal,
        ...(this.#cursor !== undefined && { since: this.#cursor }),
        onProgress: (progress) => {
          if (this.#snapshot.stage === null) this.#set({ read: progress.records });
        },
      });
      if (signal.aborted) return false;
      this.#cursor = found.cursor;
      const failed = found.notes.filter((note) => note.kind === "failed");
      const answered = failed.length === 0 || found.records.length > records.length;
      const following = !this.#quiet && channel?.getState() === "live" ? "live" : "polling";
      const live = answered ? following : found.records.length === 0 ? "offline" : "behind";
      this.#set({ records: found.records, notes: found.notes, live });
      return found.records.length > records.length;
    } catch {
      if (!signal.aborted) this.#set({ live: this.#snapshot.records.length === 0 ? "offline" : "behind" });
      return false;
    }
  }

  async #audit(signal: AbortSignal): Promise<void> {
    const { session, verifier, domain } = this.#options;
    const { records } = this.#snapshot;
    await auditRecords(records, session, verifier, {
      signal,
      domain,
      onStage: (stage) => {
        if (!signal.aborted) this.#set({ stage, progress: null });
      },
      onProgress: (progress) => {
        if (!signal.aborted && isWorthSaying(progress, this.#snapshot.progress)) this.#set({ progress });
      },
    });
    if (!signal.aborted) this.#set({ progress: null });
  }
}

/** Twenty times a level is enough to be seen to go on. */
function isWorthSaying(next: SessionSnapshot["progress"], last: SessionSnapshot["progress"]): boolean {
  if (next === null || last === null || next.level !== last.level) return true;
  return next.done - last.done >= next.total / 20;
}
