// A clock that stands still until it is moved. Timers run in the order of their time, then of their making.

export class ManualClock {
  #now: number;
  #made = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly work: () => void }>();

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, work: () => void): () => void {
    const id = this.#made++;
    this.#timers.set(id, { at: this.#now + ms, work });
    return () => void this.#timers.delete(id);
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Ms until the next timer, or undefined if there is none. */
  get next(): number | undefined {
    const first = this.#first(Number.POSITIVE_INFINITY);
    return first === undefined ? undefined : first[1].at - this.#now;
  }

  /** Lets ms pass, timer by timer. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let due = this.#first(end); due !== undefined; due = this.#first(end)) {
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].work();
    }
    this.#now = end;
  }

  /** A machine asleep: time passes and no timer runs; afterwards those due run late, all at the end. */
  sleep(ms: number): void {
    this.#now += ms;
    this.advance(0);
  }

  #first(end: number): readonly [number, { readonly at: number; readonly work: () => void }] | undefined {
    let first: [number, { readonly at: number; readonly work: () => void }] | undefined;
    for (const [id, timer] of this.#timers)
      if (timer.at <= end && (first === undefined || timer.at < first[1].at)) first = [id, timer];
    return first;
  }
}
