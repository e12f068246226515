// Opens the wallet's own commit as soon as the game would count it, and knows which commits can no longer be opened
// here because their salt is neither in this store nor to be derived again.

import type { Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { isDeclined } from "../log/is-declined.ts";
import { MoveError } from "../log/move-error.ts";
import { saltOf } from "./salts.ts";
import { createBackoff, type Backoff } from "../platform/backoff.ts";
import type { Clock } from "../platform/clock.ts";
import type { Store } from "../platform/key-value-store.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import { listedValues, owedBy, unopenedCommits } from "./turn.ts";

export interface AutoRevealOptions {
  readonly store: Store;
  readonly wallet: Wallet;
  readonly enabled: boolean;
  readonly reveal: () => Promise<Ref>;
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Called some time after an attempt has failed: the other side may be waiting for just this move, so no news may come. */
  readonly onRetry: () => void;
}

const RETRY_FIRST_MS = 500;
const RETRY_CAP_MS = 30_000;

export class AutoReveal {
  readonly #options: AutoRevealOptions;
  readonly #declined = new Set<Ref>();
  #lost: readonly Ref[] = [];
  #busy = false;
  readonly #backoff: Backoff;
  #cancel: (() => void) | undefined;

  constructor(options: AutoRevealOptions) {
    this.#options = options;
    this.#backoff = createBackoff(options.random, RETRY_FIRST_MS, RETRY_CAP_MS);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Own unopened commits whose salt is not to be had here. */
  get lost(): readonly Ref[] {
    return this.#lost;
  }

  /** Looks for the salts of unopened commits; resolves with what is to be done next. @throws StoreError */
  async prepare(view: View, verdict: Verdict): Promise<() => void> {
    const { store, wallet } = this.#options;
    const commits = unopenedCommits(view, verdict, wallet.address);
    const lost: Ref[] = [];
    let next: Ref | undefined;
    for (const commit of commits) {
      const { ref } = commit.move;
      // What none of the values has opened once, none will.
      const values = this.#lost.includes(ref) ? [] : listedValues(view);
      if ((await saltOf(store, wallet, view.session, commit, values)) === undefined) lost.push(ref);
      else next ??= ref;
    }
    this.#lost = lost;
    const isOwed = owedBy(view, verdict, wallet.address).some(({ what }) => what === "reveal");
    // With four or more, patience may allow it before everybody has committed: the draft's fate tells.
    const mayBeDue = isOwed || (view.participants.length >= 4 && verdict.ok && verdict.status === "pending");
    return () => {
      if (next !== undefined && next === commits[0]?.move.ref && mayBeDue) this.#open(next);
    };
  }

  #open(commit: Ref): void {
    const { enabled, reveal, onError, wallet } = this.#options;
    if (!enabled || this.#busy || this.#declined.has(commit)) return;
    this.#busy = true;
    this.close();
    reveal()
      .then(() => this.#backoff.reset())
      .catch((error: unknown) => {
        if (error instanceof MoveError && ["would-be-ignored", "closed"].includes(error.code)) return;
        // A person who declined is not asked again by itself.
        if (wallet.kind === "injected" && isDeclined(error)) this.#declined.add(commit);
        else this.#cancel = this.#options.clock.after(this.#backoff.next(), this.#options.onRetry);
        onError(error);
      })
      .finally(() => {
        this.#busy = false;
      });
  }
}
