// What one fetch reads of a session. A poll reads all logs on, or from time to time collects the session again, more often
// where something is missing; a hint is worth the entries that it names, and the other logs only where those rest on more.

import { parseRef, type Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { AnnouncedSeqs } from "./announced-seqs.ts";
import type { AnnouncedEntries } from "./poll-scheduler.ts";
import type { Reading, ReadOptions, SessionReader } from "./session-reader.ts";

/** The whole session is collected again on every so many polls: while something is missing, and while all is there. */
const POLLS_TO_COLLECT = { missing: 4, complete: 16 };

/** Takes what was read; resolves once the reader holds it. */
type Take = (reading: Reading) => Promise<void>;

export class SessionFetcher implements AnnouncedEntries {
  readonly #reader: SessionReader;
  readonly #take: Take;
  readonly #announced = new AnnouncedSeqs();
  /** Something may have been announced and not heard: the logs of all are to be read on. */
  #isStale = false;
  #polls = 0;

  constructor(reader: SessionReader, take: Take) {
    this.#reader = reader;
    this.#take = take;
  }

  /** Announcements until now may have been missed. */
  markStale(): void {
    this.#isStale = true;
  }

  /** Whether the ref is worth a fetch now. One that comes before the session can be read is kept in mind. */
  onAnnouncement(ref: Ref): boolean {
    const { view } = this.#reader;
    const place = parseRef(ref);
    if (view?.ok !== true) this.#isStale = true;
    if (view?.ok !== true || place === undefined || view.entries.has(ref)) return false;
    const member = view.members.find(({ wallet }) => wallet === place.wallet);
    if (member === undefined || place.seq < member.anchor.seq) return false;
    this.#announced.add(place.wallet, place.seq);
    return true;
  }

  allResolved(): boolean {
    if (this.#reader.view?.ok !== true) return true;
    return !this.#isStale && this.#announced.allResolved((wallet) => this.#reader.nextOf(wallet));
  }

  drop(): void {
    this.#announced.drop();
  }

  /** Reads, and hands on what was read. `hinted`: no poll is due. Resolves with the last reading. @throws HubError `aborted` */
  async fetch(hinted: boolean, options: ReadOptions): Promise<Reading> {
    const { view } = this.#reader;
    const readAll = () => this.#cover(() => this.#reader.readAll(options));
    if (view === null) return readAll();
    if (hinted && view.ok) return this.#readAnnounced(view);
    const missing = !view.ok || !view.complete;
    const isWhole = this.#polls++ % POLLS_TO_COLLECT[missing ? "missing" : "complete"] === 0;
    return (isWhole && (missing || this.#polls > 1)) || !view.ok ? readAll() : this.#readLogs(view);
  }

  async #readAnnounced(view: View): Promise<Reading> {
    if (this.#isStale || !view.complete) return this.#readLogs(view);
    const { upTo } = this.#announced;
    const reading = await this.#reader.readOn([...upTo.keys()], upTo);
    await this.#take(reading);
    const then = this.#reader.view;
    if (then === view || reading.failed !== null || (then?.ok === true && then.complete)) return reading;
    // What came rests on something that was not announced here.
    return this.#readLogs(view);
  }

  #readLogs({ participants }: View): Promise<Reading> {
    return this.#cover(() => this.#reader.readOn(participants));
  }

  /** A fetch of everything makes up for what was missed before it began, if it succeeds. */
  async #cover(read: () => Promise<Reading>): Promise<Reading> {
    this.#isStale = false;
    const reading = await read();
    if (reading.failed !== null) this.#isStale = true;
    await this.#take(reading);
    return reading;
  }
}
