// The games that this process was asked to take part in: made or joined within the limits, kept on disk, taken up again
// after a restart. Nothing is signed for any other session.

import { isRef, parseRef, type Address, type Ref } from "../core/values.ts";
import { errorText } from "../platform/coded-error.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { genesisBody } from "../invite/invite-entries.ts";
import { joinInvite } from "../invite/invite-guest.ts";
import { hostInvite, resumeHost } from "../invite/invite-host.ts";
import type { Host, Joining, Offer } from "../invite/invite.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { Game } from "./game.ts";
import { keepGame, keptGames, type KeptGame } from "./kept-games.ts";
import { Refusal } from "./refusal.ts";
import { waitFor } from "./wait-for.ts";

export interface GameLimits {
  /** Games that are not final, at once. */
  readonly games: number;
  /** Entries of a session, all players' together. */
  readonly entries: number;
}

export interface Hosting {
  readonly players: number;
  /** Called by its address; null: any guest. */
  readonly guest: Address | null;
  /** Announced in the lobby. */
  readonly open: boolean;
}

/** How long the Hub may take to give or take an invite before the caller is answered. */
const INVITE_MS = 20_000;

export class JoinedGames {
  readonly log: LogWriter;
  readonly limits: GameLimits;
  readonly #environment: PeerEnvironment;
  readonly #games = new Map<Ref, Game>();
  readonly #listeners = new Set<() => void>();

  constructor(environment: PeerEnvironment, log: LogWriter, limits: GameLimits) {
    this.#environment = environment;
    this.log = log;
    this.limits = limits;
  }

  /** Goes on with the games of an earlier run. @throws StoreError */
  async resume(): Promise<void> {
    for (const kept of await keptGames(this.#environment.store, this.log.address)) {
      const game = this.#add(kept);
      if (kept.session !== null) continue;
      const invite = kept.instead ?? kept.id;
      if (kept.role === "host" && kept.instead === null)
        game.host(resumeHost(this.#environment, this.log, kept.id), null);
      else game.join(joinInvite(this.#environment, this.log, invite));
    }
  }

  /** Told of every change of any game. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  list(): readonly Game[] {
    return [...this.#games.values()];
  }

  /** By the id of its session, or of its invite. */
  find(ref: string): Game | undefined {
    return this.list().find((game) => {
      const { id, session, instead } = game.getSnapshot();
      return id === ref || session === ref || instead === ref;
    });
  }

  /** Signs an invite, and waits for guests from then on. @throws Refusal */
  async create(offer: Offer, { players, guest, open }: Hosting): Promise<Game> {
    this.#checkRoom();
    this.#checkOffer(offer, players);
    const expected = new Map(guest === null ? [] : [[guest, 0]]);
    const host = hostInvite(this.#environment, this.log, offer, { players, hostPlays: true, expected });
    const signed = await this.#signed(host);
    for (const address of expected.keys()) this.#environment.channel?.publish(address, signed);
    const game = await this.#keep({ ...FRESH, id: signed, role: "host", open });
    game.host(host, offer);
    return game;
  }

  /** Accepts an invite, or takes a seat in a session that names this wallet. @throws Refusal */
  async join(ref: Ref): Promise<Game> {
    const known = this.find(ref);
    if (known !== undefined) return known;
    this.#checkRoom();
    if (parseRef(ref)!.wallet === this.log.address)
      throw new Refusal("this invite is your own: wait for a guest, or give another one");
    const joining = joinInvite(this.#environment, this.log, ref);
    try {
      const offer = await this.#offered(joining);
      this.#checkOffer(offer, 2);
      const game = await this.#keep({ ...FRESH, id: ref, role: "guest" });
      game.join(joining);
      return game;
    } catch (error) {
      joining.close();
      throw error;
    }
  }

  /** Takes this wallet's seat in a session that began elsewhere. */
  async sit(session: Ref, deadline: number): Promise<Game> {
    const known = this.find(session);
    if (known !== undefined) return known;
    this.#checkRoom();
    this.#checkLength(deadline);
    return this.#keep({ ...FRESH, id: session, role: "seat", session });
  }

  close(): void {
    for (const game of this.#games.values()) game.close();
    this.#listeners.clear();
  }

  async #signed(host: Host): Promise<Ref> {
    const invite = await waitFor(this.#environment.clock, host, INVITE_MS, () => {
      const { invite: ref, stage, problem } = host.getSnapshot();
      return ref ?? (stage === "failed" ? { problem } : null);
    });
    if (isRef(invite)) return invite;
    host.close();
    throw new Refusal(`the invite was not published: ${invite?.problem ?? "the Hub takes too long"}`);
  }

  async #offered(joining: Joining): Promise<Offer> {
    const offer = await waitFor(this.#environment.clock, joining, INVITE_MS, () => {
      const { offer: read, stage, problem } = joining.getSnapshot();
      return read ?? (stage === "failed" || problem !== null ? { problem } : null);
    });
    if (offer !== null && "game" in offer) return offer;
    throw new Refusal(`the invite cannot be read: ${offer?.problem ?? "the Hub takes too long"}`);
  }

  #checkRoom(): void {
    const { games } = this.limits;
    const running = this.list().filter((game) => {
      const { over, stage } = game.getSnapshot();
      return !over && stage !== "failed";
    });
    if (running.length >= games)
      throw new Refusal(
        `${running.length} of ${games} games are running: finish one first (limit --max-games)`,
      );
  }

  /** Whether a session can come of the terms, and within the limits, before anything is signed. @throws Refusal */
  #checkOffer(offer: Offer, players: number): void {
    this.#checkLength(offer.deadline);
    const others = Array.from(
      { length: players - 1 },
      (_, i): Address => `0x${String(i + 1).padStart(40, "0")}`,
    );
    const made = genesisBody(offer, [this.log.address, ...others]);
    if (!made.ok) throw new Refusal(`no session can come of these terms: ${made.error}`);
  }

  #checkLength(deadline: number): void {
    const { entries } = this.limits;
    if (deadline > entries)
      throw new Refusal(`${deadline} entries are over the limit of ${entries} (--max-entries)`);
  }

  async #keep(kept: KeptGame): Promise<Game> {
    try {
      await keepGame(this.#environment.store, this.log.address, kept);
    } catch (error) {
      throw new Refusal(`the game cannot be kept on disk: ${errorText(error)}`);
    }
    return this.#add(kept);
  }

  #add(kept: KeptGame): Game {
    const { store } = this.#environment;
    const game = new Game(
      {
        environment: this.#environment,
        log: this.log,
        keep: (changed) => keepGame(store, this.log.address, changed),
      },
      kept,
    );
    this.#games.set(kept.id, game);
    game.subscribe(() => this.#changed());
    this.#changed();
    return game;
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const FRESH = { instead: null, session: null, open: false, over: false } as const;
