// How many bytes of strangers' entries a seat that plays with everybody copies into its own space: by session and by
// wallet. A session whose audit needs more is not gone on with, so nobody can make the bot copy without end.

import type { Candidate } from "../core/entry.ts";
import type { Address, Ref } from "../core/values.ts";

const MIB = 1024 * 1024;
/** Sessions and wallets remembered; the first heard of are forgotten first. */
const MOST = 10_000;

export class CopyBudget {
  readonly #perSession: number;
  readonly #perWallet: number;
  readonly #used = new Map<Ref | Address, number>();

  constructor(perSession = 2 * MIB, perWallet = 8 * MIB) {
    this.#perSession = perSession;
    this.#perWallet = perWallet;
  }

  /** Counts the entries as copied for the session, all of them or none. */
  take(session: Ref, entries: readonly Candidate[]): boolean {
    const costs = new Map<Ref | Address, number>();
    for (const { wallet, wire } of entries)
      for (const name of [session, wallet]) costs.set(name, (costs.get(name) ?? 0) + wire.length);
    const after = [...costs].map(([name, cost]) => [name, (this.#used.get(name) ?? 0) + cost] as const);
    if (after.some(([name, sum]) => sum > (name === session ? this.#perSession : this.#perWallet)))
      return false;
    for (const [name, sum] of after) {
      this.#used.delete(name);
      this.#used.set(name, sum);
    }
    while (this.#used.size > MOST) this.#used.delete(this.#used.keys().next().value!);
    return true;
  }
}
