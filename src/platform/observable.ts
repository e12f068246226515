// A value that others follow by subscribe and getSnapshot. A snapshot is immutable: a new object whenever it changed.

export interface Subscribable<T> {
  subscribe(listener: () => void): () => void;
  getSnapshot(): T;
}

export class Observable<T> implements Subscribable<T> {
  #snapshot: T;
  readonly #listeners = new Set<() => void>();

  constructor(initial: T) {
    this.#snapshot = initial;
  }

  /** Calls back after every change until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    // Two subscriptions of one function are two.
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };

  readonly getSnapshot = (): T => this.#snapshot;

  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /** Listeners that come or go during the call do not disturb it. */
  set(snapshot: T): void {
    if (Object.is(snapshot, this.#snapshot)) return;
    this.#snapshot = snapshot;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Drops all listeners: nobody hears of later changes. */
  clear(): void {
    this.#listeners.clear();
  }
}
