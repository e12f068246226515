// Which entries the channel has announced and are not held yet: for each log the highest seq. One number a log, so that
// no flood of invented refs takes more room, or costs more reads, than one of them.

import type { Address } from "../core/values.ts";

export class AnnouncedSeqs {
  readonly #upTo = new Map<Address, number>();

  add(wallet: Address, seq: number): void {
    this.#upTo.set(wallet, Math.max(seq, this.#upTo.get(wallet) ?? 0));
  }

  /** The last seq to read of each log that has an open announcement. */
  get upTo(): ReadonlyMap<Address, number> {
    return new Map(this.#upTo);
  }

  /** Whether every announced entry is held. @param next first seq of a log that is not held */
  allResolved(next: (wallet: Address) => number): boolean {
    for (const [wallet, seq] of this.#upTo) if (next(wallet) > seq) this.#upTo.delete(wallet);
    return this.#upTo.size === 0;
  }

  /** Gives up what was announced and has not been found. */
  drop(): void {
    this.#upTo.clear();
  }
}
