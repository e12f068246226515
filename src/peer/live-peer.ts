// One session followed live. It shows what is held and verified, signs moves whose refs rest on that alone, and
// mirrors what it accepts before it refers to it.

import type { JsonObject } from "../core/canonical.ts";
import type { Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { AutoReveal } from "./auto-reveal.ts";
import type { PeerEnvironment } from "./environment.ts";
import { Follow, type LookResult } from "../session/poll-scheduler.ts";
import type { LogWriter, WriteProgress } from "../log/log-writer.ts";
import { Mirror } from "./mirror.ts";
import { Moves } from "./moves.ts";
import { MoveError } from "../log/move-error.ts";
import type { FollowState, Peer, PeerNote, PeerOptions, PeerSnapshot } from "./peer.ts";
import { SentMoves } from "./sent-moves.ts";
import { SessionLook } from "../session/session-fetcher.ts";
import { SessionReader, type Reading } from "../session/session-reader.ts";
import { Testimony, unprovenForks } from "./fork-reporter.ts";
import { entriesLeft, owedBy } from "./turn.ts";
import { errorText } from "../platform/coded-error.ts";

export interface OpenPeerOptions extends PeerOptions {
  /** The writer of the wallet that sits here; null for a watcher, who can never sign. */
  readonly log: LogWriter | null;
}

const MAX_NOTES = 50;
/** A reading that takes longer tells that the Hub is not there for now. */
const SILENCE_MS = 10_000;

/** Opens a session and follows it until `close`. */
export function openPeer(environment: PeerEnvironment, options: OpenPeerOptions): Peer {
  return new LivePeer(environment, options);
}

class LivePeer implements Peer {
  readonly session: Ref;
  readonly #env: PeerEnvironment;
  readonly #log: LogWriter | null;
  readonly #options: OpenPeerOptions;
  readonly #reader: SessionReader;
  readonly #sight: SessionLook;
  readonly #follow: Follow;
  readonly #mirror: Mirror | null;
  readonly #makes: Moves | null;
  readonly #autoReveal: AutoReveal | null;
  readonly #testimony: Testimony | null;
  readonly #moves: SentMoves;
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[] = [];
  #notes: readonly PeerNote[] = [];
  #state: FollowState = "loading";
  #behind = false;
  #released = false;
  #snapshot: PeerSnapshot;
  #closed = false;

  constructor(environment: PeerEnvironment, options: OpenPeerOptions) {
    const { clock, random, channel, hub, verifier } = environment;
    this.#env = environment;
    this.#options = options;
    this.session = options.session;
    this.#log = options.log;
    this.#reader = new SessionReader(hub, verifier, this.session);
    this.#sight = new SessionLook(this.#reader);
    this.#mirror = this.#log === null ? null : new Mirror(environment.store, this.#log, this.session);
    this.#makes = this.#log === null ? null : new Moves(environment, this.#reader, this.#log, this.#mirror!);
    this.#autoReveal =
      this.#log === null
        ? null
        : new AutoReveal({
            store: environment.store,
            wallet: this.#log.wallet,
            enabled: options.autoReveal !== false,
            reveal: () => this.reveal(),
            onError: (error) => this.#note(errorText(error)),
          });
    this.#testimony =
      this.#log === null
        ? null
        : new Testimony({
            clock,
            random,
            wallet: this.#log.wallet,
            append: (body) => this.append("evidence", body),
            onError: (error) => this.#note(errorText(error)),
          });
    this.#moves = new SentMoves(this.session);
    this.#follow = new Follow({
      clock,
      random,
      // What is missing is not announced again: it is looked for at the pace of polling.
      isLive: () => channel?.getState() === "live" && !this.#behind,
      look: (hinted) => this.#look(hinted),
      hints: this.#sight,
    });
    this.#snapshot = this.#makeSnapshot();
    if (channel !== null) {
      this.#stops.push(
        channel.subscribe(this.session, (ref) => this.#sight.hear(ref) && this.#follow.hint()),
      );
      this.#stops.push(channel.onState(() => this.#channelChanged()));
    }
    if (this.#log !== null) this.#stops.push(this.#log.onProgress((progress) => this.#written(progress)));
    void this.#follow.now();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  getSnapshot(): PeerSnapshot {
    return this.#snapshot;
  }

  async append(type: string, body: JsonObject): Promise<Ref> {
    return this.#seat().append({ type, body });
  }

  async commit(value: string): Promise<Ref> {
    const moves = this.#seat();
    if (this.#env.store.durability === "memory" && this.#options.acceptVolatile !== true)
      throw new MoveError("no-storage", "a salt kept here is gone with the page, so nothing was signed");
    return moves.commit(value);
  }

  async reveal(): Promise<Ref> {
    return this.#seat().reveal();
  }

  async recall(value: string): Promise<boolean> {
    const found = (await this.#makes?.recall(value)) ?? false;
    if (found) await this.#afterChange();
    return found;
  }

  async tick(): Promise<Ref> {
    return this.append("tick", {});
  }

  async testify(): Promise<Ref> {
    this.#seat();
    const { view } = this.#reader;
    return this.#testimony!.testify(view?.ok === true ? unprovenForks(view)[0] : undefined);
  }

  async refresh(): Promise<void> {
    await this.#follow.now();
  }

  async retry(): Promise<void> {
    this.#log?.retry();
    await this.#follow.now();
  }

  close(): void {
    this.#closed = true;
    this.#follow.stop();
    this.#testimony?.close();
    for (const stop of this.#stops) stop();
    this.#listeners.clear();
  }

  /** @throws MoveError for a watcher, or after `close` */
  #seat(): Moves {
    if (this.#makes === null) throw new MoveError("not-seated", "who watches makes no moves");
    if (this.#closed) throw new MoveError("closed", "this session is no longer open here");
    return this.#makes;
  }

  async #look(hinted: boolean): Promise<LookResult> {
    const wasOpen = this.#reader.view?.ok === true;
    const stopWaiting = this.#env.clock.after(SILENCE_MS, () => this.#hubIsSilent());
    const reading = await this.#sight.read(hinted).finally(stopWaiting);
    if (this.#closed) return { found: false, failed: false, more: false };
    // What was announced while the session could not be read.
    if (!wasOpen && !this.#sight.areMet()) this.#follow.hint();
    this.#afterReading(reading);
    await this.#afterChange();
    return {
      found: reading.changed,
      failed: reading.failed !== null,
      more: reading.cutShort && reading.changed,
    };
  }

  #afterReading({ failed, cutShort }: Reading): void {
    if (failed !== null) this.#note(failed.message);
    const { view } = this.#reader;
    this.#behind = cutShort || (view?.ok === true && !view.complete) || view?.ok === false;
    if (failed !== null) this.#state = "offline";
    else this.#setFollowing();
  }

  /** The reading goes on: an answer may still come, and its requests end by themselves. */
  #hubIsSilent(): void {
    if (this.#closed || this.#state === "loading") return;
    this.#state = "offline";
    this.#note("the Hub takes long to answer");
  }

  #setFollowing(): void {
    if (this.#behind) this.#state = "behind";
    else this.#state = this.#env.channel?.getState() === "live" ? "live" : "polling";
  }

  #channelChanged(): void {
    const isLive = this.#env.channel?.getState() === "live";
    // What was announced while the channel was away may be missed: look.
    if (isLive) this.#sight.miss();
    if (this.#state === "loading") return;
    if (this.#state !== "offline") this.#setFollowing();
    this.#publish();
    // With the relay the Hub may be back, too.
    if (isLive) this.#follow.hint();
    else if (this.#state !== "offline") this.#follow.expect();
  }

  /** Salts, own entries, mirrors and reveals follow from what is held now. */
  async #afterChange(): Promise<void> {
    const { view, verdict } = this.#reader;
    let reveal: (() => void) | undefined;
    const isSeated = view?.ok === true && this.#log !== null && view.participants.includes(this.#log.address);
    try {
      if (isSeated && verdict !== null) {
        const own = view.members.find(({ wallet }) => wallet === this.#log?.address)?.segment ?? [];
        const last = own.at(-1);
        if (last !== undefined) await this.#log?.noteOwn(last);
        await this.#releaseOnce(verdict, own);
        reveal = await this.#autoReveal?.prepare(view, verdict);
      }
    } catch (error) {
      this.#note(errorText(error));
    }
    this.#publish();
    if (isSeated) this.#mirror?.writeQuietly(view, (text) => this.#note(text));
    if (this.#closed) return;
    reveal?.();
    if (isSeated) this.#testimony?.consider(() => this.#held());
  }

  /** Once the verdict is final no move rests on the copies that this machine keeps of the seat's own entries. */
  async #releaseOnce(verdict: Verdict, own: readonly { readonly seq: number }[]): Promise<void> {
    if (this.#released || !verdict.ok || verdict.finality !== "final") return;
    this.#released = true;
    await this.#log?.release(own);
  }

  /** View and verdict, once there are both. */
  #held(): readonly [View, Verdict] | undefined {
    const { view, verdict } = this.#reader;
    return view?.ok === true && verdict !== null ? [view, verdict] : undefined;
  }

  #written(progress: WriteProgress): void {
    if (!this.#moves.take(progress)) return;
    const { entry, stage } = progress;
    // Told at once: whoever listens may close this peer when it sees the last move read back.
    if (stage === "read-back") this.#env.channel?.publish(this.session, entry.ref);
    this.#publish();
    void (async () => {
      if (stage !== "signing" && !progress.failed) await this.#reader.add([entry.wire]);
      if (stage === "read-back") this.#follow.expect();
      await this.#afterChange();
    })();
  }

  #note(text: string): void {
    const at = this.#env.clock.now();
    if (this.#notes.at(-1)?.text === text) this.#notes = [...this.#notes.slice(0, -1), { at, text }];
    else this.#notes = [...this.#notes.slice(1 - MAX_NOTES), { at, text }];
    this.#publish();
  }

  #publish(): void {
    if (this.#closed) return;
    this.#snapshot = this.#makeSnapshot();
    for (const listener of [...this.#listeners]) listener();
  }

  #makeSnapshot(): PeerSnapshot {
    const { view, verdict, records } = this.#reader;
    const wallet = this.#log?.address ?? null;
    const moves = this.#moves.list(view);
    return {
      session: this.session,
      wallet,
      seated: wallet !== null && view?.ok === true && view.participants.includes(wallet),
      state: this.#state,
      view,
      verdict,
      records,
      turn: {
        owes: wallet === null || view?.ok !== true || verdict === null ? [] : owedBy(view, verdict, wallet),
        waitingFor: verdict?.ok === true ? verdict.waiting.filter((one) => one !== wallet) : [],
        left: wallet !== null && view?.ok === true ? entriesLeft(view, wallet) : 0,
        busy: moves.some(({ stage, failed }) => !failed && (stage === "signing" || stage === "stored")),
        lostSalts: this.#autoReveal?.lost ?? [],
        unproven: view?.ok === true ? unprovenForks(view).map((fork) => fork.wallet) : [],
      },
      moves,
      notes: this.#notes,
      guardedAcrossTabs: this.#env.locks.crossTab,
      durability: this.#env.store.durability,
    };
  }
}
