// One game that this process takes part in, from its invite to the final verdict: waits for the session of its invite to
// begin, then holds the seat. It accepts an invite by itself only where the caller has asked for that game.

import { errorText } from "../platform/coded-error.ts";
import { Observable } from "../platform/observable.ts";
import type { Ref } from "../core/values.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import type { Seat } from "../peer/peer.ts";
import { openSeat } from "../peer/seat.ts";
import { joinInvite } from "../invite/invite-guest.ts";
import type { Host, Joining, Offer } from "../invite/invite.ts";
import { keepAnnounced } from "../invite/lobby.ts";
import type { LogWriter } from "../log/log-writer.ts";
import type { KeptGame } from "./kept-games.ts";

export interface GameSnapshot extends KeptGame {
  /** `waiting`: for the session of its invite to begin. */
  readonly stage: "waiting" | "playing" | "failed";
  /** What the invite offers, once known. */
  readonly offer: Offer | null;
  /** This wallet's accept: a host without a relay is given it by hand. */
  readonly accept: Ref | null;
  readonly seat: Seat | null;
  readonly problem: string | null;
}

export interface GameContext {
  readonly environment: PeerEnvironment;
  readonly log: LogWriter;
  /** Keeps what has changed; a failure is shown as the game's problem. */
  readonly keep: (game: KeptGame) => Promise<void>;
}

export class Game {
  readonly #context: GameContext;
  readonly #value: Observable<GameSnapshot>;
  #stops: (() => void)[] = [];
  #closed = false;

  constructor(context: GameContext, kept: KeptGame) {
    this.#context = context;
    const nothing = { offer: null, accept: null, seat: null, problem: null };
    this.#value = new Observable<GameSnapshot>({ ...kept, ...nothing, stage: "waiting" });
    if (kept.session !== null) this.#sit(kept.session);
  }

  subscribe(listener: () => void): () => void {
    return this.#value.subscribe(listener);
  }

  getSnapshot(): GameSnapshot {
    return this.#value.getSnapshot();
  }

  /** Waits for the guests of an invite of this wallet's own. */
  host(host: Host, offer: Offer | null): void {
    if (offer !== null) this.#set({ offer });
    const stopAnnouncing = this.getSnapshot().open
      ? keepAnnounced(this.#context.environment, host)
      : () => undefined;
    const look = (): void => {
      const { session, instead, stage, problem } = host.getSnapshot();
      if (session !== null) return this.#begin(session);
      if (stage === "failed") return this.#fail(problem ?? "the invite could not be signed");
      if (stage === "open" && instead !== null) {
        this.#leaveSide();
        this.#change({ instead });
        return this.join(joinInvite(this.#context.environment, this.#context.log, instead));
      }
      this.#set({ problem });
    };
    this.#stops = [host.subscribe(look), stopAnnouncing, () => host.close()];
    look();
  }

  /** Accepts an invite, and waits for the host to begin. */
  join(joining: Joining): void {
    let asked = false;
    const look = (): void => {
      const { session, stage, offer, accept, problem } = joining.getSnapshot();
      if (session !== null) return this.#begin(session);
      if (stage === "failed") return this.#fail(problem ?? "the invite is not valid");
      this.#set({ offer, accept, problem });
      if (stage !== "offered" || asked) return;
      asked = true;
      joining.accept().catch((error: unknown) => this.#set({ problem: errorText(error) }));
    };
    this.#stops = [joining.subscribe(look), () => joining.close()];
    look();
  }

  close(): void {
    this.#closed = true;
    this.#leaveSide();
    this.getSnapshot().seat?.close();
    this.#value.clear();
  }

  #begin(session: Ref): void {
    if (this.getSnapshot().session !== null || this.#closed) return;
    this.#leaveSide();
    this.#change({ session });
    this.#sit(session);
  }

  #sit(session: Ref): void {
    const { environment, log } = this.#context;
    const seat = openSeat(environment, { session, log });
    this.#set({ stage: "playing", seat, problem: null });
    const look = (): void => {
      const { verdict, turn } = seat.getSnapshot();
      const isFinal = verdict?.ok === true && verdict.finality === "final" && !turn.busy;
      if (isFinal && !this.getSnapshot().over) this.#change({ over: true });
      else this.#set({});
    };
    this.#stops = [seat.subscribe(look)];
    look();
  }

  #fail(problem: string): void {
    this.#leaveSide();
    this.#set({ stage: "failed", problem });
  }

  #leaveSide(): void {
    const stops = this.#stops;
    this.#stops = [];
    for (const stop of stops) stop();
  }

  /** Shows a change, and keeps it. */
  #change(change: Partial<KeptGame>): void {
    this.#set(change);
    const { id, role, instead, session, open, over } = this.getSnapshot();
    this.#context
      .keep({ id, role, instead, session, open, over })
      .catch((error: unknown) => this.#set({ problem: errorText(error) }));
  }

  #set(change: Partial<GameSnapshot>): void {
    if (!this.#closed) this.#value.set({ ...this.getSnapshot(), ...change });
  }
}
