// A machine whose power fails at a chosen step of its ports.

/** Power that fails at the n-th step, before or after its effect; from then on nothing works any more. */
export class Power {
  steps = 0;
  readonly #at: number;
  readonly #after: boolean;
  constructor(at: number, after: boolean) {
    this.#at = at;
    this.#after = after;
  }
  get isOff(): boolean {
    return this.steps > this.#at;
  }
  async run<T>(work: () => Promise<T>): Promise<T> {
    const step = this.steps++;
    if (step > this.#at || (step === this.#at && !this.#after)) throw new Error("power off");
    const result = await work();
    if (step === this.#at) throw new Error("power off");
    return result;
  }
  /** The same object, each of its methods a step. */
  over<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, key) => {
        const value: unknown = Reflect.get(object, key);
        if (typeof value !== "function" || key === "onChange") return value;
        const call = value as (...args: unknown[]) => Promise<unknown>;
        return (...args: unknown[]) => this.run(() => call.apply(object, args));
      },
    });
  }
}
