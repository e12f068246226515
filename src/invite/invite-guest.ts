// A guest's side of an invite: reads the offer, accepts, and waits for the genesis that pins the accept. The host's
// log is where the genesis will be, so this works without any channel and while the host is away.

import { isAddress, isRef, parseRef, type Address, type Ref } from "../core/values.ts";
import type { JsonObject } from "../core/canonical.ts";
import type { Candidate } from "../core/entry.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { readTerms } from "../core/session.ts";
import { describeKeyProblem, openDomain, readingKeyOf } from "../peer/domain-keys.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { PollScheduler } from "../session/poll-scheduler.ts";
import {
  equalOffers,
  fetchEntry,
  checkGenesis,
  isAcceptOf,
  offerProblem,
  readOffer,
} from "./invite-entries.ts";
import type { GuestSnapshot, Joining } from "./invite.ts";
import { LogTail } from "../log/log-tail.ts";
import type { LogWriter } from "../log/log-writer.ts";
import type { Store } from "../platform/key-value-store.ts";
import { errorText } from "../platform/coded-error.ts";

/** Reads an invite, and goes on with what this wallet has begun of it before. */
export function joinInvite(environment: PeerEnvironment, log: LogWriter, invite: Ref): Joining {
  return new InviteGuest(environment, log, invite);
}

/** The wallet that has accepted an invite on this machine before, or null. @throws StoreError */
export async function findJoined(store: Store, invite: Ref): Promise<Address | null> {
  for (const key of await store.keys("joining/")) {
    const [, wallet, of] = key.split("/");
    if (of === invite && isAddress(wallet)) return wallet;
  }
  return null;
}

class InviteGuest implements Joining {
  readonly #env: PeerEnvironment;
  readonly #log: LogWriter;
  readonly #invite: Ref;
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[] = [];
  readonly #scheduler: PollScheduler;
  #hostTail: LogTail;
  #entry: Candidate | undefined;
  #accepting: Promise<Ref> | undefined;
  /** The first genesis of the host that has the accept among its refs. */
  #spentBy: Ref | undefined;
  /** The accept while the Hub has not given it back. */
  #onItsWay: Ref | undefined;
  #snapshot: GuestSnapshot;

  constructor(environment: PeerEnvironment, log: LogWriter, invite: Ref) {
    this.#env = environment;
    this.#log = log;
    this.#invite = invite;
    const { wallet: host, seq } = parseRef(invite)!;
    this.#hostTail = new LogTail(environment.hub, host, seq + 1);
    this.#snapshot = {
      stage: "reading",
      invite,
      host,
      offer: null,
      accept: null,
      session: null,
      elsewhere: false,
      instead: null,
      problem: null,
    };
    const { clock, random, channel } = environment;
    this.#scheduler = new PollScheduler({
      clock,
      random,
      isLive: () => channel?.getState() === "live",
      fetch: () => this.#fetch(),
    });
    this.#stops.push(
      log.onProgress(({ entry, stage, failed }) => {
        if (!isAcceptOf(entry, invite) || stage === "signing" || failed) return;
        this.#onItsWay = stage === "stored" ? entry.ref : undefined;
        this.#accepted(entry.ref).catch((error: unknown) => this.#set({ problem: errorText(error) }));
      }),
    );
    for (const topic of [invite, log.address])
      if (channel !== null)
        this.#stops.push(
          channel.subscribe(topic, (ref) => {
            if (parseRef(ref)?.wallet === host) this.#scheduler.hint();
          }),
        );
    void this.#open();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  getSnapshot(): GuestSnapshot {
    return this.#snapshot;
  }

  accept(): Promise<Ref> {
    this.#accepting ??= this.#accept().catch((error: unknown) => {
      this.#accepting = undefined;
      const problem = errorText(error);
      this.#set({ stage: "offered", problem });
      throw error;
    });
    return this.#accepting;
  }

  refresh(): Promise<void> {
    return this.#scheduler.pollNow();
  }

  close(): void {
    this.#scheduler.stop();
    for (const stop of this.#stops) stop();
    this.#listeners.clear();
  }

  async #open(): Promise<void> {
    try {
      const kept = await this.#env.store.get(this.#key);
      if (isRef(kept)) await this.#accepted(kept);
      else await this.#findAccept();
    } catch (error) {
      this.#set({ problem: errorText(error) });
    }
    await this.#scheduler.pollNow();
  }

  async #accept(): Promise<Ref> {
    const { accept } = this.#snapshot;
    if (accept !== null) return accept;
    if (this.#entry === undefined) throw new Error("the invite is not read yet");
    this.#set({ stage: "accepting", problem: null });
    const ref = await this.#writeAccept();
    await this.#accepted(ref);
    this.#announce();
    this.#scheduler.pollSoon();
    return ref;
  }

  /** One accept of an invite, whatever a run before this one has left behind. */
  async #writeAccept(): Promise<Ref> {
    let before: Ref | undefined;
    try {
      const entry = await this.#log.append(async (head) => {
        before = await this.#findAccept();
        if (before !== undefined) throw new Error("accepted before");
        await this.#env.store.add(this.#placeKey, String(head === undefined ? 0 : head.seq + 1));
        return { type: "accept", body: await this.#acceptBody(), refs: [this.#invite] };
      });
      return entry.ref;
    } catch (error) {
      if (before === undefined) throw error;
      return before;
    }
  }

  /** Where the wallet signs and does not decrypt, the session's key is sealed to a reading key of its own. */
  async #acceptBody(): Promise<JsonObject> {
    if (this.#snapshot.offer?.private !== true) return {};
    const { store, random } = this.#env;
    const reading = await readingKeyOf(store, random, this.#log.wallet);
    return reading === undefined ? {} : { reading_key: reading };
  }

  /** The accept that was about to be signed here once, if it was. @throws HubError, StoreError */
  async #findAccept(): Promise<Ref | undefined> {
    const from = Number((await this.#env.store.get(this.#placeKey)) ?? Number.NaN);
    if (!Number.isSafeInteger(from)) return undefined;
    const { entries, failed } = await new LogTail(this.#env.hub, this.#log.address, from).read(["accept"]);
    const accept = entries.find((entry) => isAcceptOf(entry, this.#invite))?.ref;
    if (accept === undefined && failed !== null) throw failed;
    if (accept !== undefined) await this.#accepted(accept);
    return accept;
  }

  async #accepted(accept: Ref): Promise<void> {
    if (this.#snapshot.accept === accept) return;
    this.#set({ accept, ...(this.#snapshot.session === null && { stage: "waiting" }), problem: null });
    await this.#env.store.put(this.#key, accept);
  }

  /**
   * An announcement may be lost: it is repeated while nothing has come of it. Not before the accept can be read: a host
   * that looks for it in vain gives it up, and its channel does not pass on what it has passed on before.
   */
  #announce(): void {
    const { accept, host } = this.#snapshot;
    if (accept === null || accept === this.#onItsWay) return;
    this.#env.channel?.publish(this.#invite, accept);
    this.#env.channel?.publish(host, accept);
  }

  async #fetch(): Promise<{ found: boolean; failed: boolean; more: boolean }> {
    const nothing = { found: false, failed: false, more: false };
    const { stage, accept } = this.#snapshot;
    if (stage === "started" || stage === "failed") return nothing;
    try {
      if (this.#entry === undefined && !(await this.#readInvite())) return nothing;
      if (accept === null) return nothing;
      const found = await this.#findGenesis(accept);
      if (!found) this.#announce();
      return { ...nothing, found };
    } catch (error) {
      this.#set({ problem: errorText(error) });
      return { ...nothing, failed: true };
    }
  }

  async #readInvite(): Promise<boolean> {
    const entry = await fetchEntry(this.#env.hub, this.#invite);
    if (entry === undefined) {
      this.#set({ problem: "The Hub does not have this invite." });
      return false;
    }
    const offer = readOffer(entry);
    if (offer === undefined) {
      this.#set({ stage: "failed", problem: "This link leads to no invite that a session could come of." });
      return false;
    }
    const { seats } = offer;
    const why = seats === undefined ? undefined : offerProblem(offer, entry.wallet, seats);
    if (why !== undefined) {
      this.#set({ stage: "failed", problem: `No session can come of this invite: ${why}.` });
      return false;
    }
    this.#entry = entry;
    const { accept } = this.#snapshot;
    this.#set({ offer, stage: accept === null ? "offered" : "waiting", problem: null });
    return true;
  }

  async #findGenesis(accept: Ref): Promise<boolean> {
    const { entries, failed } = await this.#hostTail.read(["genesis", "accept"]);
    for (const entry of entries) {
      if (entry.type === "accept") await this.#hostWent(entry);
      const isSpent = this.#spentBy !== undefined && this.#spentBy !== entry.ref;
      const checked = checkGenesis(entry, this.#entry!, { wallet: this.#log.address, accept }, isSpent);
      const check = checked?.ok === true ? await this.#checkKey(entry) : checked;
      if (entry.type === "genesis" && entry.refs.includes(accept)) this.#spentBy ??= entry.ref;
      if (check?.ok === true) {
        this.#set({ stage: "started", session: check.value, elsewhere: false, instead: null, problem: null });
        this.#scheduler.stop();
        return true;
      }
      // A host may still start the right session: say what is wrong with this one, and go on looking.
      if (check !== undefined) this.#set({ elsewhere: true, problem: check.error });
    }
    if (failed !== null) throw failed;
    return false;
  }

  /** A session whose moves this wallet could not read is not played. */
  async #checkKey(genesis: Candidate): Promise<Result<Ref, string>> {
    const terms = readTerms(genesis);
    if (!terms.ok || terms.value.domain === undefined) return ok(genesis.ref);
    const opened = await openDomain(this.#env.store, this.#log.wallet, terms.value.domain);
    return opened.ok ? ok(genesis.ref) : fail(describeKeyProblem(opened.error));
  }

  /** The host has accepted another's invite: with the same offer it is where this session is to be. */
  async #hostWent({ refs }: Candidate): Promise<void> {
    const { offer } = this.#snapshot;
    const [ref, ...more] = refs;
    if (offer === null || ref === undefined || more.length > 0 || ref === this.#invite) return;
    const entry = await fetchEntry(this.#env.hub, ref);
    const theirs = entry === undefined ? undefined : readOffer(entry);
    if (theirs !== undefined && equalOffers(theirs, offer)) this.#set({ instead: ref });
  }

  /** Where in the own log the accept is, or would be. */
  get #placeKey(): string {
    return `accepting/${this.#log.address}/${this.#invite}`;
  }

  get #key(): string {
    return `joining/${this.#log.address}/${this.#invite}`;
  }

  #set(change: Partial<GuestSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
