// The bot: accepts invites that reach its inbox, and sessions that name it, and plays them honestly at random,
// several at once. What it has begun is kept, so that it goes on after a restart. Runs in Node and in a worker.

import { readTerms, type Domain } from "../core/session.ts";
import { isRef, type Address, type Ref } from "../core/values.ts";
import { gameOf } from "../games/judge.ts";
import { CopyBudget } from "../peer/copy-budget.ts";
import { describeKeyProblem, openDomain } from "../peer/domain-keys.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { fetchEntry, readOffer } from "../invite/invite-entries.ts";
import { joinInvite } from "../invite/invite-guest.ts";
import type { Joining } from "../invite/invite.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { RefInbox } from "../session/ref-inbox.ts";
import { playSeat } from "./seat-player.ts";
import { randomStrategy, type Strategy } from "./strategy.ts";
import { errorText } from "../platform/coded-error.ts";

export interface BotOptions {
  /** Games it plays; default rock-paper-scissors alone. */
  readonly games?: readonly string[];
  /** Invites waited for at once; the one that was idle longest is closed. Default 64. */
  readonly capacity?: number;
  /** Sessions played at once; none is left for another: meanwhile no invite is accepted. Default 512. */
  readonly maxSessions?: number;
  /** Longest session it enters, in entries. Default 1,000. */
  readonly maxDeadline?: number;
  readonly strategy?: Strategy;
  /** How long the strategy may think, and who moves in its stead (see AskOptions). */
  readonly answerMs?: number;
  readonly otherwise?: Strategy;
  /** Commits although the store is gone with the process: for a key that lives no longer. */
  readonly acceptVolatile?: boolean;
  /** What happens, for a log. */
  readonly onEvent?: (text: string) => void;
}

export interface Bot {
  readonly address: Address;
  readonly games: readonly string[];
  /** Sessions being played and invites being waited for. */
  readonly open: number;
  close(): void;
}

/** Starts the bot on a wallet's log. */
export function openBot(environment: PeerEnvironment, log: LogWriter, options: BotOptions = {}): Bot {
  return new InboxBot(environment, log, options);
}

/** An invite being waited for or a session being played. */
interface ActiveGame {
  readonly ref: Ref;
  lastChange: number;
  /** A genesis of it was announced: it counts as a session while its joining looks whether it is a right one. */
  hasGenesis: boolean;
  refresh: () => void;
  close: () => void;
}

class InboxBot implements Bot {
  readonly address: Address;
  readonly games: readonly string[];
  readonly #env: PeerEnvironment;
  readonly #log: LogWriter;
  readonly #options: BotOptions;
  readonly #strategy: Strategy;
  readonly #active = new Map<Ref, ActiveGame>();
  readonly #inbox: RefInbox;
  readonly #stop: () => void;
  #closed = false;

  constructor(environment: PeerEnvironment, log: LogWriter, options: BotOptions) {
    this.#env = { copies: new CopyBudget(), ...environment };
    this.#log = log;
    this.#options = options;
    this.address = log.address;
    this.games = options.games ?? ["rps"];
    this.#strategy = options.strategy ?? randomStrategy(environment.random);
    const { clock, random, channel } = environment;
    this.#inbox = new RefInbox({ clock, random, parallel: 6, take: (ref) => this.#take(ref) });
    this.#stop = channel?.subscribe(log.address, (ref) => this.#inbox.push(ref)) ?? (() => undefined);
    this.#resume().catch((error: unknown) =>
      this.#say(`what was open before could not be read: ${errorText(error)}`),
    );
  }

  get open(): number {
    return this.#active.size;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    this.#inbox.close();
    for (const game of this.#active.values()) game.close();
    this.#active.clear();
  }

  /** What stands in the inbox: an invite is accepted, a session that names the bot is played. */
  async #take(ref: Ref): Promise<"good" | "bad" | "later"> {
    if (this.#active.has(ref)) return "good";
    const entry = await fetchEntry(this.#env.hub, ref);
    if (entry === undefined) return "later";
    if (entry.wallet === this.address) return "bad";
    if (this.#count("session") >= (this.#options.maxSessions ?? 512)) return "later";
    const offer = readOffer(entry);
    if (offer !== undefined) {
      if (!this.#plays(offer.game, offer.deadline)) return "bad";
      this.#join(ref);
      return "good";
    }
    const read = readTerms(entry);
    if (!read.ok) return "bad";
    const terms = read.value;
    if (!terms.participants.includes(this.address)) return "bad";
    if (!this.#plays(terms.game, terms.deadline)) return "bad";
    // The genesis of an invite that it has accepted: its joining finds it, and is not left for other invites meanwhile.
    const invite = entry.refs.map((one) => this.#active.get(one)).find((one) => one !== undefined);
    if (invite !== undefined) {
      invite.hasGenesis = true;
      invite.refresh();
      return "good";
    }
    if (terms.domain !== undefined && !(await this.#canRead(terms.domain))) return "bad";
    this.#play(ref);
    return "good";
  }

  async #canRead(domain: Domain): Promise<boolean> {
    const opened = await openDomain(this.#env.store, this.#log.wallet, domain);
    if (!opened.ok) this.#say(`leaves a private session: ${describeKeyProblem(opened.error)}`);
    return opened.ok;
  }

  #plays(game: string, deadline: number): boolean {
    return (
      this.games.includes(game) &&
      gameOf(game) !== undefined &&
      deadline <= (this.#options.maxDeadline ?? 1000)
    );
  }

  #join(invite: Ref): void {
    const joining = joinInvite(this.#env, this.#log, invite);
    const lastChange = this.#env.clock.now();
    const game: ActiveGame = {
      ref: invite,
      lastChange,
      hasGenesis: false,
      refresh: () => void joining.refresh(),
      close: () => joining.close(),
    };
    if (!this.#add(game)) return joining.close();
    void this.#keep("invite", invite);
    joining.subscribe(() => this.#joiningChanged(joining, game));
  }

  #joiningChanged(joining: Joining, game: ActiveGame): void {
    game.lastChange = this.#env.clock.now();
    const { stage, session, problem, invite } = joining.getSnapshot();
    // A genesis that is not the right one keeps no place.
    if (problem !== null) game.hasGenesis = false;
    if (stage === "offered" && problem === null)
      joining.accept().then(
        () => this.#say(`accepted ${invite}`),
        (error: unknown) => this.#say(`could not accept ${invite}: ${errorText(error)}`),
      );
    if (stage !== "started" && stage !== "failed") return;
    joining.close();
    this.#leave(game);
    void this.#forget("invite", invite);
    if (session !== null) this.#play(session);
    else this.#say(`gave up ${invite}: ${problem ?? ""}`);
  }

  #play(session: Ref): void {
    const { acceptVolatile = false, answerMs, otherwise } = this.#options;
    const lastChange = this.#env.clock.now();
    const game: ActiveGame = {
      ref: session,
      lastChange,
      hasGenesis: true,
      refresh: () => undefined,
      close: () => seat?.close(),
    };
    if (!this.#add(game)) return;
    void this.#keep("session", session);
    this.#say(`plays ${session}`);
    const seat = playSeat(this.#env, {
      session,
      log: this.#log,
      strategy: this.#strategy,
      acceptVolatile,
      ...(answerMs !== undefined && { answerMs }),
      ...(otherwise !== undefined && { otherwise }),
      onChange: () => {
        game.lastChange = this.#env.clock.now();
      },
      onError: (error) => this.#say(`a move in ${session} waits: ${errorText(error)}`),
    });
    game.close = () => seat.close();
    seat.decided.then(
      (verdict) => {
        this.#say(`decided ${session}: ${verdict.ok ? String(verdict.outcome?.kind) : verdict.code}`);
        seat.close();
        this.#leave(game);
        void this.#forget("session", session);
      },
      () => undefined, // closed, and kept for the next start
    );
  }

  /** Adds a game; at capacity the invite that was idle longest is closed. False if closed or active already. */
  #add(game: ActiveGame): boolean {
    if (this.#closed || this.#active.has(game.ref)) return false;
    if (!game.hasGenesis && this.#count("invite") >= (this.#options.capacity ?? 64)) {
      const invites = [...this.#active.values()].filter(({ hasGenesis }) => !hasGenesis);
      const [idlest] = invites.sort((one, other) => one.lastChange - other.lastChange);
      if (idlest !== undefined) {
        this.#say(`leaves ${idlest.ref} to make room`);
        idlest.close();
        this.#leave(idlest);
        void this.#forget("invite", idlest.ref);
      }
    }
    this.#active.set(game.ref, game);
    return true;
  }

  #count(kind: "invite" | "session"): number {
    let count = 0;
    for (const { hasGenesis } of this.#active.values()) if (hasGenesis === (kind === "session")) count++;
    return count;
  }

  #leave(game: ActiveGame): void {
    if (this.#active.get(game.ref) === game) this.#active.delete(game.ref);
  }

  async #resume(): Promise<void> {
    for (const kind of ["invite", "session"] as const) {
      const prefix = this.#key(kind, "");
      for (const key of await this.#env.store.keys(prefix)) {
        const ref = key.slice(prefix.length);
        if (isRef(ref) && !this.#closed) (kind === "invite" ? this.#join : this.#play).call(this, ref);
      }
    }
  }

  #key(kind: "invite" | "session", ref: string): string {
    return `bot-${kind}/${this.address}/${ref}`;
  }

  async #keep(kind: "invite" | "session", ref: Ref): Promise<void> {
    await this.#env.store
      .put(this.#key(kind, ref), "open")
      .catch((error: unknown) => this.#say(errorText(error)));
  }

  async #forget(kind: "invite" | "session", ref: Ref): Promise<void> {
    await this.#env.store.remove(this.#key(kind, ref)).catch((error: unknown) => this.#say(errorText(error)));
  }

  #say(text: string): void {
    this.#options.onEvent?.(`bot: ${text}`);
  }
}
