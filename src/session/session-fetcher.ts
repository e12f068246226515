// What one look at the Hub reads of a session. A poll reads all logs on, or collects the session again where something
// is missing; a hint is worth the entries that it names, and the other logs only where those rest on more.

import { parseRef, type Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { Announced } from "./announced-seqs.ts";
import type { Hints } from "./poll-scheduler.ts";
import type { Reading, SessionReader } from "./session-reader.ts";

/** While something is missing, the whole session is collected again on every so many polls. */
const POLLS_TO_COLLECT = 4;

export class SessionLook implements Hints {
  readonly #reader: SessionReader;
  readonly #announced = new Announced();
  /** Something may have been announced and not heard: the logs of all are to be read on. */
  #missed = false;
  #polls = 0;

  constructor(reader: SessionReader) {
    this.#reader = reader;
  }

  /** What was announced until now may not have been heard. */
  miss(): void {
    this.#missed = true;
  }

  /** Whether the ref is worth a look now. One that comes before the session can be read is kept in mind. */
  hear(ref: Ref): boolean {
    const { view } = this.#reader;
    const place = parseRef(ref);
    if (view?.ok !== true) this.#missed = true;
    if (view?.ok !== true || place === undefined || view.entries.has(ref)) return false;
    const member = view.members.find(({ wallet }) => wallet === place.wallet);
    if (member === undefined || place.seq < member.anchor.seq) return false;
    this.#announced.add(place.wallet, place.seq);
    return true;
  }

  areMet(): boolean {
    if (this.#reader.view?.ok !== true) return true;
    return !this.#missed && this.#announced.areMet((wallet) => this.#reader.nextOf(wallet));
  }

  drop(): void {
    this.#announced.drop();
  }

  /** `hinted`: no poll is due. */
  async read(hinted: boolean): Promise<Reading> {
    const { view } = this.#reader;
    if (view === null) return this.#cover(() => this.#reader.readAll());
    if (hinted && view.ok) return this.#readAnnounced(view);
    const missing = !view.ok || !view.complete;
    const whole = missing && this.#polls++ % POLLS_TO_COLLECT === 0;
    return whole || !view.ok ? this.#cover(() => this.#reader.readAll()) : this.#readLogs(view);
  }

  async #readAnnounced(view: View): Promise<Reading> {
    if (this.#missed || !view.complete) return this.#readLogs(view);
    const { upTo } = this.#announced;
    const reading = await this.#reader.readOn([...upTo.keys()], upTo);
    const then = this.#reader.view;
    if (!reading.changed || reading.failed !== null || (then?.ok === true && then.complete)) return reading;
    // What came rests on something that was not announced here.
    return { ...(await this.#readLogs(view)), changed: true };
  }

  #readLogs({ participants }: View): Promise<Reading> {
    return this.#cover(() => this.#reader.readOn(participants));
  }

  /** A look at everything makes up for what was missed before it began, if it succeeds. */
  async #cover(read: () => Promise<Reading>): Promise<Reading> {
    this.#missed = false;
    const reading = await read();
    if (reading.failed !== null) this.#missed = true;
    return reading;
  }
}
