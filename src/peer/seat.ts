// A participant's seat: it shows what its follower holds, signs moves whose refs rest on that alone, and mirrors what it
// accepts before it refers to it.

import type { JsonObject } from "../core/canonical.ts";
import { domainKey } from "../core/seal.ts";
import type { Domain } from "../core/session.ts";
import type { Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import type { LogWriter, WriteProgress } from "../log/log-writer.ts";
import { MoveError } from "../log/move-error.ts";
import { errorText } from "../platform/coded-error.ts";
import { Observable } from "../platform/observable.ts";
import type { SessionFollower } from "../session/session-follower.ts";
import { AutoReveal } from "./auto-reveal.ts";
import { describeKeyProblem, openDomain, type KeyProblem } from "./domain-keys.ts";
import type { PeerEnvironment } from "./environment.ts";
import { ForkReporter, unreportedForks } from "./fork-reporter.ts";
import { Mirror } from "./mirror.ts";
import { Moves } from "./moves.ts";
import type { PeerSnapshot, Seat, SeatSettings, ShownStage } from "./peer.ts";
import { SentMoves } from "./sent-moves.ts";
import { entriesLeft, owedBy } from "./turn.ts";
import { followerOf, shownStage } from "./watcher.ts";

export interface OpenSeatOptions extends SeatSettings {
  /** The writer of the wallet that sits here. */
  readonly log: LogWriter;
}

/** Opens a participant's seat and follows the session until `close`. */
export function openSeat(environment: PeerEnvironment, options: OpenSeatOptions): Seat {
  return new FollowedSeat(environment, options);
}

class FollowedSeat implements Seat {
  readonly kind = "seat";
  readonly session: Ref;
  readonly #env: PeerEnvironment;
  readonly #log: LogWriter;
  readonly #options: OpenSeatOptions;
  readonly #follower: SessionFollower;
  readonly #mirror: Mirror;
  readonly #moves: Moves;
  readonly #autoReveal: AutoReveal;
  readonly #forkReporter: ForkReporter;
  readonly #sent: SentMoves;
  readonly #value: Observable<PeerSnapshot>;
  readonly #stops: (() => void)[] = [];
  /** The key of a private session: looked for once it is needed. */
  #unlocking: Promise<void> | undefined;
  #keyProblem: KeyProblem | null = null;
  /** The stage whose consequences were drawn. */
  #seen: unknown = null;
  #closed = false;
  #released = false;

  constructor(environment: PeerEnvironment, options: OpenSeatOptions) {
    const { clock, random, store } = environment;
    const { log, session } = options;
    const { wallet } = log;
    const onError = (error: unknown) => this.#follower.note(errorText(error));
    this.session = session;
    this.#env = environment;
    this.#options = options;
    this.#log = log;
    this.#follower = followerOf(environment, session);
    this.#mirror = new Mirror(store, log, session, environment.copies);
    this.#moves = new Moves(environment, this.#follower, log, this.#mirror);
    this.#autoReveal = new AutoReveal({
      store,
      wallet,
      enabled: options.autoReveal !== false,
      reveal: () => this.reveal(),
      onError,
      clock,
      random,
      onRetry: () => void this.#act(),
    });
    this.#forkReporter = new ForkReporter({
      clock,
      random,
      wallet,
      append: (body) => this.append("evidence", body),
      onError,
    });
    this.#sent = new SentMoves(session);
    this.#value = new Observable(this.#makeSnapshot());
    this.#stops.push(
      this.#follower.subscribe(() => this.#followed()),
      log.onProgress((progress) => this.#written(progress)),
    );
  }

  subscribe(listener: () => void): () => void {
    return this.#value.subscribe(listener);
  }

  getSnapshot(): PeerSnapshot {
    return this.#value.getSnapshot();
  }

  async append(type: string, body: JsonObject): Promise<Ref> {
    return this.#open().append({ type, body });
  }

  async commit(value: string): Promise<Ref> {
    const moves = this.#open();
    if (this.#env.store.durability === "memory" && this.#options.acceptVolatile !== true)
      throw new MoveError("no-storage", "a salt kept here is gone with the page, so nothing was signed");
    return moves.commit(value);
  }

  async reveal(): Promise<Ref> {
    return this.#open().reveal();
  }

  async recall(value: string): Promise<boolean> {
    const found = await this.#moves.recall(value);
    if (found) await this.#act();
    return found;
  }

  async tick(): Promise<Ref> {
    return this.append("tick", {});
  }

  async reportFork(): Promise<Ref> {
    this.#open();
    const [view] = this.#held() ?? [];
    return this.#forkReporter.report(view === undefined ? undefined : unreportedForks(view)[0]);
  }

  async refresh(): Promise<void> {
    if (this.#keyProblem !== null) this.#unlocking = undefined;
    await this.#follower.refresh();
    this.#lookForKey();
  }

  async retry(): Promise<void> {
    this.#log.retry();
    await this.refresh();
  }

  close(): void {
    this.#closed = true;
    this.#forkReporter.close();
    this.#autoReveal.close();
    for (const stop of this.#stops) stop();
    this.#value.clear();
  }

  /** @throws MoveError after `close` */
  #open(): Moves {
    if (this.#closed) throw new MoveError("closed", "this session is no longer open here");
    return this.#moves;
  }

  /** View and verdict, once there are both. */
  #held(): readonly [View, Verdict] | undefined {
    const { view, verdict } = this.#shown();
    return view?.ok === true && verdict !== null ? [view, verdict] : undefined;
  }

  #followed(): void {
    const { stage } = this.#follower.getSnapshot();
    if (stage === this.#seen) return this.#publish();
    this.#seen = stage;
    this.#lookForKey();
    void this.#act();
  }

  /** A private session is shown once its key is here, or known not to be. */
  #shown(): ShownStage {
    const shown = shownStage(this.#follower.getSnapshot());
    const isWaiting = shown.view?.ok === true && shown.view.sealed && this.#keyProblem === null;
    return isWaiting && shown.view.participants.includes(this.#log.address)
      ? { view: null, verdict: null }
      : shown;
  }

  #lookForKey(): void {
    const view = this.#follower.getSnapshot().stage?.view;
    if (view?.ok !== true || !view.sealed || view.terms.domain === undefined) return;
    if (!view.participants.includes(this.#log.address)) return;
    this.#unlocking ??= this.#unlock(view.terms.domain).catch((error: unknown) => {
      this.#unlocking = undefined;
      this.#follower.note(errorText(error));
    });
  }

  async #unlock(domain: Domain): Promise<void> {
    const opened = await openDomain(this.#env.store, this.#log.wallet, domain);
    if (opened.ok) {
      this.#keyProblem = null;
      return this.#follower.unlock(domainKey(opened.value));
    }
    this.#keyProblem = opened.error;
    this.#follower.note(describeKeyProblem(opened.error));
    this.#publish();
  }

  /** Once the verdict is final no move rests on the copies that this machine keeps of the seat's own entries. */
  async #releaseOnce(verdict: Verdict, own: readonly { readonly seq: number }[]): Promise<void> {
    if (this.#released || !verdict.ok || verdict.finality !== "final") return;
    this.#released = true;
    await this.#log.release(own);
  }

  /** Salts, own entries, mirrors, reveals and fork reports follow from what is held now. */
  async #act(): Promise<void> {
    const [view, verdict] = this.#held() ?? [];
    const isSeated = view?.participants.includes(this.#log.address) === true;
    let reveal: (() => void) | undefined;
    try {
      if (isSeated && verdict !== undefined) {
        const own = view.members.find(({ wallet }) => wallet === this.#log.address)?.segment ?? [];
        const last = own.at(-1);
        if (last !== undefined) await this.#log.noteOwn(last);
        await this.#releaseOnce(verdict, own);
        reveal = await this.#autoReveal.prepare(view, verdict);
      }
    } catch (error) {
      this.#follower.note(errorText(error));
    }
    this.#publish();
    if (!isSeated) return;
    this.#mirror.writeQuietly(view, (text) => this.#follower.note(text));
    if (this.#closed) return;
    reveal?.();
    this.#forkReporter.consider(() => this.#held());
  }

  #written(progress: WriteProgress): void {
    if (!this.#sent.take(progress)) return;
    const { entry, stage } = progress;
    // Announced at once: a listener may close this seat when it sees the last move read back.
    if (stage === "read-back") this.#env.channel?.publish(this.session, entry.ref);
    this.#publish();
    void (async () => {
      if (stage !== "signing" && !progress.failed) await this.#follower.add([entry.wire]);
      if (stage === "read-back") this.#follower.pollSoon();
      await this.#act();
    })();
  }

  #publish(): void {
    if (!this.#closed) this.#value.set(this.#makeSnapshot());
  }

  #makeSnapshot(): PeerSnapshot {
    const followed = this.#follower.getSnapshot();
    const { state, records, problems } = followed;
    const shown = this.#shown();
    const { view, verdict } = shown;
    const wallet = this.#log.address;
    const moves = this.#sent.list(view);
    return {
      ...shown,
      session: this.session,
      wallet,
      seated: view?.ok === true && view.participants.includes(wallet),
      state,
      records,
      turn: {
        owes: view?.ok === true && verdict !== null ? owedBy(view, verdict, wallet) : [],
        waitingFor: verdict?.ok === true ? verdict.waiting.filter((one) => one !== wallet) : [],
        left: view?.ok === true ? entriesLeft(view, wallet) : 0,
        busy: moves.some(({ stage, failed }) => !failed && (stage === "signing" || stage === "stored")),
        lostSalts: this.#autoReveal.lost,
        unreportedForks: view?.ok === true ? unreportedForks(view).map((fork) => fork.wallet) : [],
      },
      moves,
      notes: problems,
      keyProblem: this.#keyProblem ?? (view?.ok === true && view.sealed ? "no-key" : null),
      guardedAcrossTabs: this.#env.locks.crossTab,
      durability: this.#env.store.durability,
    };
  }
}
