// What the channel says of the participants' logs and is not held yet: for each log how far it is said to go. One
// number a log, so that no flood of inventions takes more room, or costs more reads, than one of them.

import type { Address } from "../core/values.ts";

export class Announced {
  readonly #upTo = new Map<Address, number>();

  /** An entry of the wallet at `seq` is said to be there. */
  add(wallet: Address, seq: number): void {
    this.#upTo.set(wallet, Math.max(seq, this.#upTo.get(wallet) ?? 0));
  }

  /** The last seq to read of each log that is said to go on. */
  get upTo(): ReadonlyMap<Address, number> {
    return new Map(this.#upTo);
  }

  /** Whether nothing is open: a log that is held up to what was said is done. @param next first seq not held */
  areMet(next: (wallet: Address) => number): boolean {
    for (const [wallet, seq] of this.#upTo) if (next(wallet) > seq) this.#upTo.delete(wallet);
    return this.#upTo.size === 0;
  }

  /** Gives up what was said and has not come true. */
  drop(): void {
    this.#upTo.clear();
  }
}
