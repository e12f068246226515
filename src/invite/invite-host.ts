// The host's side of an invite: offers, hears of accepts, and writes the genesis that pins them. What it knows is
// kept, and a genesis that is already in the log is found again, so that one invite starts one session.

import { isName, MAX_NAME } from "../core/claimed-name.ts";
import type { Domain } from "../core/session.ts";
import type { Candidate } from "../core/entry.ts";
import { parseRef, type Address, type Ref } from "../core/values.ts";
import { isDeclined } from "../log/is-declined.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { PollScheduler } from "../session/poll-scheduler.ts";
import { fetchEntry, genesisBody, isAcceptOf, offerBody, offerProblem, readOffer } from "./invite-entries.ts";
import { findSession } from "./invite-session.ts";
import type { Guest, Host, HostSnapshot, Offer } from "./invite.ts";
import { keepHost, keptHost } from "./kept-host.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { MoveError } from "../log/move-error.ts";
import { RefInbox } from "../session/ref-inbox.ts";
import { makeDomain, readingKeyIn } from "./private-domain.ts";
import { meetingPoint, OfferTail } from "./standing-offer.ts";
import { errorText } from "../platform/coded-error.ts";

export interface HostOptions {
  /** How many participants start the session by themselves; it can be started with fewer by `start`. */
  readonly players: number;
  /** What the host calls itself, for the screens of others. */
  readonly name?: string;
  /** Of a private session: a name of the host's own for a domain that serves several sessions. */
  readonly domain?: string;
  /** Whether the host is a participant, the first one. */
  readonly hostPlays: boolean;
  /**
   * Guests that are expected, each with the seq from which its log is looked at: no channel is needed then, and one
   * of them that offers the same is noticed (`HostSnapshot.instead`).
   */
  readonly expected?: ReadonlyMap<Address, number>;
}

/** Signs an invite and waits for guests. */
export function hostInvite(
  environment: PeerEnvironment,
  log: LogWriter,
  offer: Offer,
  options: HostOptions,
): Host {
  return new InviteHost(environment, log, { offer, options, invite: null });
}

/** Takes an invite of this wallet up again, after a restart or elsewhere. */
export function resumeHost(environment: PeerEnvironment, log: LogWriter, invite: Ref): Host {
  return new InviteHost(environment, log, { offer: null, options: { players: 2, hostPlays: true }, invite });
}

interface Start {
  readonly offer: Offer | null;
  readonly options: HostOptions;
  readonly invite: Ref | null;
}

class InviteHost implements Host {
  readonly #env: PeerEnvironment;
  readonly #log: LogWriter;
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[] = [];
  readonly #scheduler: PollScheduler;
  readonly #inbox: RefInbox;
  readonly #tails = new Map<Address, OfferTail>();
  #offer: Offer | null;
  #options: HostOptions;
  #starting: Promise<Ref> | undefined;
  /** The person has declined to sign the genesis: they are asked again only when they want it. */
  #declined = false;
  #snapshot: HostSnapshot;

  constructor(environment: PeerEnvironment, log: LogWriter, { offer, options, invite }: Start) {
    this.#env = environment;
    this.#log = log;
    this.#offer = offer;
    this.#options = options;
    const { clock, random, channel } = environment;
    const stage = invite === null ? "signing" : "open";
    const { players, hostPlays } = options;
    const expects = (options.expected?.size ?? 0) > 0;
    const nobody = { guests: [], session: null, instead: null, problem: null };
    this.#snapshot = { stage, invite, players, hostPlays, expects, ...nobody };
    this.#inbox = new RefInbox({ clock, random, take: (ref) => this.#takeAccept(ref) });
    this.#scheduler = new PollScheduler({
      clock,
      random,
      isLive: () => channel?.getState() === "live",
      fetch: () => this.#fetch(),
    });
    void (invite === null ? this.#sign(offer!) : this.#resume(invite));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  getSnapshot(): HostSnapshot {
    return this.#snapshot;
  }

  async offerAccept(ref: Ref): Promise<boolean> {
    // Its log is looked at from now on: the Hub may not have the accept yet, or this host may still be loading.
    const place = parseRef(ref);
    if (place !== undefined && place.wallet !== this.#log.address && !this.#tails.has(place.wallet))
      this.#tails.set(place.wallet, new OfferTail(this.#env.hub, place.wallet, place.seq));
    return (await this.#takeAccept(ref)) === "good";
  }

  start(): Promise<Ref> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined;
      this.#declined = this.#log.wallet.kind === "injected" && isDeclined(error);
      const problem = errorText(error);
      this.#set({ stage: "open", problem });
      throw error;
    });
    return this.#starting;
  }

  refresh(): Promise<void> {
    this.#declined = false;
    return this.#scheduler.pollNow();
  }

  close(): void {
    this.#scheduler.stop();
    this.#inbox.close();
    for (const stop of this.#stops) stop();
    this.#listeners.clear();
  }

  async #sign(offer: Offer): Promise<void> {
    const { players: seats, name } = this.#options;
    try {
      const problem = offerProblem(offer, this.#log.address, seats);
      if (problem !== undefined)
        throw new MoveError("no-session", `no session can come of these terms: ${problem}`);
      if (name !== undefined && !isName(name))
        throw new MoveError("no-session", `a name has 1 to ${MAX_NAME} visible characters`);
      const entry = await this.#log.append(async () => ({
        type: "invite",
        body: { ...offerBody(offer), seats, ...(name !== undefined && { name }) },
        refs: [],
      }));
      this.#set({ stage: "open", invite: entry.ref });
      await this.#save();
      this.#open(entry.ref);
    } catch (error) {
      this.#set({
        stage: "failed",
        problem: errorText(error),
      });
    }
  }

  async #resume(invite: Ref): Promise<void> {
    try {
      await this.#load(invite);
    } catch (error) {
      this.#set({ problem: errorText(error) });
    }
    this.#open(invite);
  }

  #open(invite: Ref): void {
    const { channel } = this.#env;
    for (const topic of [invite, this.#log.address])
      if (channel !== null) this.#stops.push(channel.subscribe(topic, (ref) => this.#hear(ref)));
    for (const [wallet, fromSeq] of this.#options.expected ?? [])
      this.#tails.set(wallet, new OfferTail(this.#env.hub, wallet, fromSeq));
    void this.#scheduler.pollNow();
  }

  #hear(ref: Ref): void {
    this.#inbox.push(ref);
    const wallet = parseRef(ref)?.wallet;
    // It may be an offer of theirs, which only their log tells from an old one.
    if (wallet !== undefined && this.#options.expected?.has(wallet) === true) this.#scheduler.hint();
  }

  /** Looks for a genesis written before, the offer where it is not known, and the logs of expected guests. */
  async #fetch(): Promise<{ found: boolean; failed: boolean; more: boolean }> {
    const { invite, session } = this.#snapshot;
    const nothing = { found: false, failed: false, more: false };
    if (invite === null || session !== null) return nothing;
    try {
      if (this.#offer === null) await this.#readOffer(invite);
      const before = this.#snapshot;
      for (const tail of this.#tails.values()) {
        const { accepts, failed } = await tail.read();
        for (const entry of accepts) if (isAcceptOf(entry, invite)) await this.#admit(entry);
        if (failed !== null) throw failed;
      }
      this.#meet(invite);
      this.#startIfFull();
      const { guests, instead } = this.#snapshot;
      return { ...nothing, found: guests.length > before.guests.length || instead !== before.instead };
    } catch (error) {
      this.#set({ problem: errorText(error) });
      return { ...nothing, failed: true };
    }
  }

  /** Whether one of those expected offers the same, and all come together there. */
  #meet(invite: Ref): void {
    const expected = this.#options.expected ?? new Map<Address, number>();
    const theirs = [...this.#tails].map(([wallet, tail]) =>
      this.#offer !== null && expected.has(wallet) ? tail.standingOn(this.#offer) : null,
    );
    const meeting = meetingPoint([invite, ...theirs]);
    const instead = meeting === invite ? null : meeting;
    if (instead !== this.#snapshot.instead) this.#set({ instead });
  }

  async #readOffer(invite: Ref): Promise<void> {
    const entry = await fetchEntry(this.#env.hub, invite);
    const offer = entry === undefined ? undefined : readOffer(entry);
    if (offer === undefined) throw new Error("the Hub does not have this invite");
    this.#offer = offer;
    const session = await findSession(this.#env.hub, invite);
    if (session !== null) await this.#started(session);
    else this.#set({ problem: null });
  }

  async #takeAccept(ref: Ref): Promise<"good" | "bad" | "later"> {
    const { invite, session, guests } = this.#snapshot;
    if (invite === null) return "later";
    if (guests.some(({ accept }) => accept === ref)) return "good";
    if (session !== null || parseRef(ref)?.wallet === this.#log.address) return "bad";
    const entry = await fetchEntry(this.#env.hub, ref);
    if (entry === undefined) return "later";
    if (!isAcceptOf(entry, invite)) return "bad";
    if (!(await this.#admit(entry))) return "bad";
    this.#startIfFull();
    return "good";
  }

  /** Whether the accept is good; one whose reading key is none could never be answered. */
  async #admit(accept: Candidate): Promise<boolean> {
    const reading = await readingKeyIn(accept);
    if (reading.ok) await this.#addGuest(accept.wallet, accept.ref);
    else this.#set({ problem: `An answer cannot be used: its ${reading.error}.` });
    return reading.ok;
  }

  async #addGuest(wallet: Address, accept: Ref): Promise<void> {
    const { guests } = this.#snapshot;
    if (wallet === this.#log.address || guests.some((guest) => guest.wallet === wallet)) return;
    if (guests.length >= this.#seats) return;
    this.#set({ guests: [...guests, { wallet, accept }] });
    await this.#save();
  }

  get #seats(): number {
    return this.#options.players - (this.#options.hostPlays ? 1 : 0);
  }

  #startIfFull(): void {
    const { guests, stage } = this.#snapshot;
    if (this.#declined) return;
    if (stage === "open" && this.#offer !== null && guests.length >= this.#seats)
      this.start().catch(() => undefined); // `start` has put the problem into the snapshot
  }

  async #start(): Promise<Ref> {
    const { invite, guests } = this.#snapshot;
    const offer = this.#offer;
    if (invite === null || offer === null) throw new MoveError("no-session", "the invite is not there yet");
    const players = guests.map(({ wallet }) => wallet);
    const participants = this.#options.hostPlays ? [this.#log.address, ...players] : players;
    this.#set({ stage: "starting", problem: null });
    const refs = [invite, ...guests.map(({ accept }) => accept)];
    const domain = offer.private === true ? await this.#makeDomain(participants, refs) : undefined;
    const made = genesisBody(offer, participants, domain);
    if (!made.ok) throw new MoveError("no-session", `no session can come of this invite: ${made.error}`);
    let before: Ref | null = null;
    try {
      const entry = await this.#log.append(async (head) => {
        // In the lock: another tab, or a run before this one, may have written it.
        before = await findSession(this.#env.hub, invite, head);
        if (before !== null) throw new MoveError("no-session", "the session was started already");
        return { type: "genesis", body: made.value, refs };
      });
      await this.#started(entry.ref);
      return entry.ref;
    } catch (error) {
      if (before === null) throw error;
      await this.#started(before);
      return before;
    }
  }

  #makeDomain(participants: readonly Address[], entries: readonly Ref[]): Promise<Domain> {
    const { domain: name } = this.#options;
    return makeDomain(this.#env, this.#log, { name, participants, entries });
  }

  async #started(session: Ref): Promise<void> {
    this.#set({ stage: "started", session, problem: null });
    await this.#save();
    const { invite, guests } = this.#snapshot;
    for (const topic of [invite!, ...guests.map(({ wallet }) => wallet)])
      this.#env.channel?.publish(topic, session);
    this.#scheduler.stop();
  }

  async #save(): Promise<void> {
    const { invite, guests, session } = this.#snapshot;
    const { players, hostPlays, domain, expected = new Map<Address, number>() } = this.#options;
    const accepts = guests.map(({ accept }) => accept);
    const kept = {
      players,
      hostPlays,
      expected,
      guests: accepts,
      session,
      ...(domain !== undefined && { domain }),
    };
    if (invite !== null) await keepHost(this.#env.store, this.#log.address, invite, kept);
  }

  async #load(invite: Ref): Promise<void> {
    const kept = await keptHost(this.#env.store, this.#log.address, invite);
    if (kept === undefined) return;
    const { players, hostPlays, expected, session, domain } = kept;
    this.#options = { players, hostPlays, expected, ...(domain !== undefined && { domain }) };
    const guests = kept.guests.map((accept): Guest => ({ accept, wallet: parseRef(accept)!.wallet }));
    this.#set({ players, hostPlays, expects: expected.size > 0, guests });
    if (session !== null) this.#set({ session, stage: "started" });
  }

  #set(change: Partial<HostSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
