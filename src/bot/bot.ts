// The house bot: accepts invites that reach its inbox, and sessions that name it, and plays them honestly at random,
// several at once. What it has begun is kept, so that it goes on after a restart. Runs in Node and in a worker.

import { readTerms } from "../core/session.ts";
import { isRef, type Address, type Ref } from "../core/values.ts";
import { gameOf } from "../games/judge.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { fetchEntry, readOffer } from "../invite/invite-entries.ts";
import { joinInvite } from "../invite/invite-guest.ts";
import type { Joining } from "../invite/invite.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { RefInbox } from "../session/ref-inbox.ts";
import { playSeat } from "./seat-player.ts";
import { randomStrategy, type Strategy } from "./strategy.ts";
import { errorText } from "../platform/coded-error.ts";

export interface HouseOptions {
  /** Games it plays; default rock-paper-scissors alone. */
  readonly games?: readonly string[];
  /** Sessions and invites at once; the one that was idle longest makes room. Default 64. */
  readonly capacity?: number;
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

export interface House {
  readonly address: Address;
  readonly games: readonly string[];
  /** Sessions being played and invites being waited for. */
  readonly open: number;
  close(): void;
}

/** Starts the house on a wallet's log. */
export function openHouse(environment: PeerEnvironment, log: LogWriter, options: HouseOptions = {}): House {
  return new HouseBot(environment, log, options);
}

/** One thing that is under way. */
interface Table {
  readonly ref: Ref;
  lastChange: number;
  close: () => void;
}

class HouseBot implements House {
  readonly address: Address;
  readonly games: readonly string[];
  readonly #env: PeerEnvironment;
  readonly #log: LogWriter;
  readonly #options: HouseOptions;
  readonly #strategy: Strategy;
  readonly #tables = new Map<Ref, Table>();
  readonly #inbox: RefInbox;
  readonly #stop: () => void;
  #closed = false;

  constructor(environment: PeerEnvironment, log: LogWriter, options: HouseOptions) {
    this.#env = environment;
    this.#log = log;
    this.#options = options;
    this.address = log.address;
    this.games = options.games ?? ["rps"];
    this.#strategy = options.strategy ?? randomStrategy(environment.random);
    const { clock, random, channel } = environment;
    this.#inbox = new RefInbox({ clock, random, take: (ref) => this.#take(ref) });
    this.#stop = channel?.subscribe(log.address, (ref) => this.#inbox.push(ref)) ?? (() => undefined);
    this.#resume().catch((error: unknown) =>
      this.#say(`what was open before could not be read: ${errorText(error)}`),
    );
  }

  get open(): number {
    return this.#tables.size;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    this.#inbox.close();
    for (const table of this.#tables.values()) table.close();
    this.#tables.clear();
  }

  /** What stands in the inbox: an invite is accepted, a session that names the house is played. */
  async #take(ref: Ref): Promise<"good" | "bad" | "later"> {
    if (this.#tables.has(ref)) return "good";
    const entry = await fetchEntry(this.#env.hub, ref);
    if (entry === undefined) return "later";
    if (entry.wallet === this.address) return "bad";
    const offer = readOffer(entry);
    if (offer !== undefined) {
      if (!this.#plays(offer.game, offer.deadline)) return "bad";
      this.#join(ref);
      return "good";
    }
    const terms = readTerms(entry);
    if ("ok" in terms || terms.domain !== undefined || !terms.participants.includes(this.address))
      return "bad";
    if (!this.#plays(terms.game, terms.deadline)) return "bad";
    // The genesis of an invite that it has accepted: its joining finds it by itself.
    if (entry.refs.some((one) => this.#tables.has(one))) return "good";
    this.#play(ref);
    return "good";
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
    const table: Table = { ref: invite, lastChange: this.#env.clock.now(), close: () => joining.close() };
    if (!this.#seat(table)) return joining.close();
    void this.#keep("invite", invite);
    joining.subscribe(() => this.#joiningChanged(joining, table));
  }

  #joiningChanged(joining: Joining, table: Table): void {
    table.lastChange = this.#env.clock.now();
    const { stage, session, problem, invite } = joining.getSnapshot();
    if (stage === "offered" && problem === null)
      joining.accept().then(
        () => this.#say(`accepted ${invite}`),
        (error: unknown) => this.#say(`could not accept ${invite}: ${errorText(error)}`),
      );
    if (stage !== "started" && stage !== "failed") return;
    joining.close();
    this.#leave(table);
    void this.#forget("invite", invite);
    if (session !== null) this.#play(session);
    else this.#say(`gave up ${invite}: ${problem ?? ""}`);
  }

  #play(session: Ref): void {
    const { acceptVolatile = false, answerMs, otherwise } = this.#options;
    const table: Table = { ref: session, lastChange: this.#env.clock.now(), close: () => seat?.close() };
    if (!this.#seat(table)) return;
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
        table.lastChange = this.#env.clock.now();
      },
      onError: (error) => this.#say(`a move in ${session} waits: ${errorText(error)}`),
    });
    table.close = () => seat.close();
    seat.decided.then(
      (verdict) => {
        this.#say(`decided ${session}: ${verdict.ok ? String(verdict.outcome?.kind) : verdict.code}`);
        seat.close();
        this.#leave(table);
        void this.#forget("session", session);
      },
      () => undefined, // closed, and kept for the next start
    );
  }

  /** Takes a place; the table that was idle longest makes room. False where there is none. */
  #seat(table: Table): boolean {
    if (this.#closed || this.#tables.has(table.ref)) return false;
    if (this.#tables.size >= (this.#options.capacity ?? 64)) {
      const [idlest] = [...this.#tables.values()].sort((a, b) => a.lastChange - b.lastChange);
      if (idlest !== undefined) {
        this.#say(`leaves ${idlest.ref} to make room`);
        idlest.close();
        this.#leave(idlest);
        void this.#forget("invite", idlest.ref);
        void this.#forget("session", idlest.ref);
      }
    }
    this.#tables.set(table.ref, table);
    return true;
  }

  #leave(table: Table): void {
    if (this.#tables.get(table.ref) === table) this.#tables.delete(table.ref);
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
    return `house-${kind}/${this.address}/${ref}`;
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
    this.#options.onEvent?.(`house: ${text}`);
  }
}
