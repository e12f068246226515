// The wallets of this browser as the app has them: those announced, the accounts that they have granted, and for each
// account the one wallet that was chosen for it, used throughout and found again after a reload without asking.

import { canonicalize, isObject, own, parseJson } from "../../core/canonical.ts";
import type { Address } from "../../core/values.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AnnouncedWallet, AnnouncedWallets } from "../../wallet/announced-providers.ts";
import { WalletError } from "../../wallet/wallet-error.ts";
import {
  grantedAccounts,
  injectedWallet,
  requestAccounts,
  type InjectedWallet,
} from "../../wallet/wallet.injected.ts";
import type { KeptTexts } from "../services/page-texts.ts";

export interface ConnectedAccount {
  readonly address: Address;
  readonly wallet: AnnouncedWallet;
  /** False once the wallet has switched to another account, or gone. */
  readonly usable: boolean;
}

/** What a wallet has been asked to sign and has not answered. */
export interface OpenRequest {
  readonly address: Address;
  readonly wallet: AnnouncedWallet;
  readonly text: string;
}

export interface WalletsSnapshot {
  readonly announced: readonly AnnouncedWallet[];
  readonly accounts: readonly ConnectedAccount[];
  readonly asking: readonly OpenRequest[];
}

interface Held {
  readonly from: AnnouncedWallet;
  readonly wallet: InjectedWallet;
}

/** How long an extension may take to announce itself, and to say which accounts it has. */
const LATE_MS = 1_500;
const ANSWER_MS = 3_000;
const KEPT = "coop-wallets";

export class InjectedWallets {
  readonly #announced: AnnouncedWallets;
  readonly #kept: KeptTexts;
  readonly #clock: Clock;
  readonly #held = new Map<Address, Held>();
  readonly #listeners = new Set<() => void>();
  #snapshot: WalletsSnapshot = { announced: [], accounts: [], asking: [] };

  constructor(announced: AnnouncedWallets, kept: KeptTexts, clock: Clock) {
    this.#announced = announced;
    this.#kept = kept;
    this.#clock = clock;
    announced.subscribe(() => this.#publish());
    this.#publish();
  }

  getSnapshot = (): WalletsSnapshot => this.#snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Asks the person to connect; the account that the wallet stands on. @throws WalletError */
  async connect(from: AnnouncedWallet, signal?: AbortSignal): Promise<Address> {
    const accounts = await requestAccounts(from.provider, signal);
    const [first] = accounts;
    if (first === undefined) throw new WalletError("disconnected");
    for (const address of accounts) this.#hold(from, address, address === first);
    this.#publish();
    return first;
  }

  /**
   * The wallet of an account, without asking anybody: a late announcement is waited for a little.
   * @throws WalletError `switched-account` or `disconnected` where none has it now
   */
  async find(address: Address): Promise<InjectedWallet> {
    const known = this.#held.get(address);
    if (known !== undefined) return known.wallet;
    const looked = new Set<string>();
    let others = await this.#look(address, looked);
    if (!this.#held.has(address)) {
      await this.#later();
      others = [...others, ...(await this.#look(address, looked))];
    }
    const found = this.#held.get(address);
    if (found !== undefined) return found.wallet;
    throw others[0] === undefined
      ? new WalletError("disconnected")
      : new WalletError("switched-account", others[0]);
  }

  /** Looks which accounts the wallets show without asking anybody, so that one need not connect again. */
  async lookAround(): Promise<void> {
    await this.#look(null, new Set());
  }

  /** Ends all waiting for an account's wallet. */
  giveUp(address: Address): void {
    this.#held.get(address)?.wallet.giveUp();
  }

  /** Accounts of wallets not looked at yet; the account looked for is held if it is among them. */
  async #look(address: Address | null, looked: Set<string>): Promise<Address[]> {
    const fresh = this.#announced.getSnapshot().filter(({ uuid }) => !looked.has(uuid));
    for (const { uuid } of fresh) looked.add(uuid);
    // The one chosen before comes first: two wallets may have the same account.
    const chosen = address === null ? null : this.#rdnsOf(address);
    fresh.sort((a, b) => Number(b.rdns === chosen) - Number(a.rdns === chosen));
    const answers = await Promise.all(fresh.map((from) => this.#granted(from)));
    for (const [i, accounts] of answers.entries())
      for (const account of accounts)
        if (address === null ? this.#rdnsOf(account) === fresh[i]!.rdns : account === address)
          this.#hold(fresh[i]!, account, false);
    this.#publish();
    return answers.flat();
  }

  async #granted(from: AnnouncedWallet): Promise<readonly Address[]> {
    const abort = new AbortController();
    const stop = this.#clock.after(ANSWER_MS, () => abort.abort());
    try {
      return await grantedAccounts(from.provider, abort.signal);
    } catch {
      return [];
    } finally {
      stop();
    }
  }

  #later(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stopClock();
        stopListening();
        resolve();
      };
      const stopListening = this.#announced.subscribe(done);
      const stopClock = this.#clock.after(LATE_MS, done);
    });
  }

  /** An account stays with the wallet that has it, unless the person connects it from another one. */
  #hold(from: AnnouncedWallet, address: Address, chosen: boolean): void {
    const held = this.#held.get(address);
    if (held !== undefined && (held.from.uuid === from.uuid || !chosen)) return;
    held?.wallet.close();
    const wallet = injectedWallet(from.provider, address);
    wallet.onState(() => this.#publish());
    this.#held.set(address, { from, wallet });
    const all = parseJson(this.#kept.get(KEPT) ?? "");
    this.#kept.set(KEPT, canonicalize({ ...(isObject(all) ? all : {}), [address]: from.rdns }));
  }

  #rdnsOf(address: Address): string | null {
    const all = parseJson(this.#kept.get(KEPT) ?? "");
    const rdns = isObject(all) ? own(all, address) : undefined;
    return typeof rdns === "string" ? rdns : null;
  }

  #publish(): void {
    const held = [...this.#held];
    this.#snapshot = {
      announced: this.#announced.getSnapshot(),
      accounts: held.map(([address, { from, wallet }]) => ({ address, wallet: from, usable: wallet.usable })),
      asking: held.flatMap(([address, { from, wallet }]) =>
        wallet.asking.map((text) => ({ address, wallet: from, text })),
      ),
    };
    for (const listener of [...this.#listeners]) listener();
  }
}
