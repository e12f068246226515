// A machine that does so many writes and signatures and then nothing any more, whatever it is asked: its power fails
// after the effect of the last, before anybody hears of it. Reads change nothing, so no other moment differs.

/** What changes something, of stores, Hubs and wallets. */
export const WRITES: readonly string[] = ["put", "add", "remove", "signText"];

export interface Mortal {
  /** The same object, on that machine. */
  readonly over: <T extends object>(target: T) => T;
  readonly isDead: () => boolean;
}

/** @param lives writes until the power fails */
export function mortal(lives: number): Mortal {
  let left = lives;
  const run = async (name: string, work: () => unknown): Promise<unknown> => {
    if (left <= 0) throw new Error("power off");
    const result = await work();
    if (WRITES.includes(name) && --left <= 0) throw new Error("power off");
    return result;
  };
  return {
    over: (target) =>
      new Proxy(target, {
        get: (object, key) => {
          const value: unknown = Reflect.get(object, key);
          // What answers at once, and what the wallet tells by itself, is no step.
          if (typeof value !== "function" || key === "onChange" || key === "deriveSecret") return value;
          const call = value as (...args: unknown[]) => unknown;
          return (...args: unknown[]) => run(String(key), () => call.apply(object, args));
        },
      }),
    isDead: () => left <= 0,
  };
}
