// Lets at most so many tasks run at once; the rest wait in line, first come first served.

export class Semaphore {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
