// A wallet in the browser (EIP-1193) as a Wallet, pinned to one account. Every text goes to `personal_sign` as the
// hex of its UTF-8, every answer is checked before anybody gets it, and whoever waits can give up: the request may
// hang in its window, the page does not. One text is asked for once, however often it is asked for while it is open.

import type { Address, SignatureHex } from "../core/values.ts";
import { isAddress } from "../core/values.ts";
import { checkedSignature, personalSignHex } from "./checked-signature.ts";
import { toWalletError, WalletError } from "./wallet-error.ts";
import type { Wallet } from "./wallet.ts";

/** The part of EIP-1193 that is used. Nothing that a provider does is trusted. */
export interface Eip1193Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (payload: unknown) => void): unknown;
  removeListener?(event: string, listener: (payload: unknown) => void): unknown;
}

export interface InjectedWallet extends Wallet {
  readonly kind: "injected";
  /** Whether it can sign for the address as far as it has said. */
  readonly usable: boolean;
  /** Texts that somebody waits for and the wallet has not answered yet, oldest first. */
  readonly asking: readonly string[];
  /** Called whenever `asking` or `usable` has changed. */
  onState(listener: () => void): () => void;
  /** Ends all waiting with `no-answer`. What is open in the wallet stays open, and is waited for when asked again. */
  giveUp(): void;
  /** Stops listening to the provider. */
  close(): void;
}

/** Asks the person to connect; their accounts, lower case, the chosen one first. @throws WalletError */
export async function requestAccounts(
  provider: Eip1193Provider,
  signal?: AbortSignal,
): Promise<readonly Address[]> {
  return unlessAborted(accountsBy(provider, "eth_requestAccounts"), signal);
}

/** The accounts that the wallet shows without asking anybody; none while it is locked. @throws WalletError */
export async function grantedAccounts(
  provider: Eip1193Provider,
  signal?: AbortSignal,
): Promise<readonly Address[]> {
  return unlessAborted(accountsBy(provider, "eth_accounts"), signal);
}

/** The wallet of one account. That the provider has it is found out when a text is to be signed. */
export function injectedWallet(provider: Eip1193Provider, address: Address): InjectedWallet {
  return new Injected(provider, address);
}

class Injected implements InjectedWallet {
  readonly kind = "injected";
  readonly address: Address;
  readonly #provider: Eip1193Provider;
  readonly #listeners = new Set<(usable: boolean) => void>();
  /** Requests that the wallet has not answered, and answers that nobody has taken yet, by their text. */
  readonly #open = new Map<string, Promise<SignatureHex>>();
  readonly #waiting = new Map<(error: WalletError) => void, string>();
  readonly #stateListeners = new Set<() => void>();
  #usable = true;

  constructor(provider: Eip1193Provider, address: Address) {
    this.#provider = provider;
    this.address = address;
    provider.on?.("accountsChanged", this.#accountsChanged);
    provider.on?.("disconnect", this.#disconnected);
    provider.on?.("connect", this.#connected);
  }

  get usable(): boolean {
    return this.#usable;
  }

  get asking(): readonly string[] {
    return [...new Set(this.#waiting.values())];
  }

  onState(listener: () => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  signText(text: string): Promise<SignatureHex> {
    let answer = this.#open.get(text);
    if (answer === undefined) {
      answer = this.#ask(text);
      this.#open.set(text, answer);
      const asked = answer;
      asked.catch(() => this.#forget(text, asked));
    }
    return this.#wait(text, answer);
  }

  onChange(listener: (usable: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  giveUp(): void {
    this.#endWaiting(new WalletError("no-answer"));
  }

  close(): void {
    this.#provider.removeListener?.("accountsChanged", this.#accountsChanged);
    this.#provider.removeListener?.("disconnect", this.#disconnected);
    this.#provider.removeListener?.("connect", this.#connected);
    this.#listeners.clear();
    this.#stateListeners.clear();
  }

  async #ask(text: string): Promise<SignatureHex> {
    // A wallet that stands on another account would open its window for a signature that is of no use here.
    const accounts = await grantedAccounts(this.#provider);
    this.#noteAccounts(accounts);
    if (accounts.length === 0) throw new WalletError("disconnected");
    if (!accounts.includes(this.address)) throw new WalletError("switched-account", accounts[0]);
    let answer: unknown;
    try {
      answer = await this.#provider.request({
        method: "personal_sign",
        params: [personalSignHex(text), this.address],
      });
    } catch (thrown) {
      throw toWalletError(thrown);
    }
    return checkedSignature(this.address, text, answer);
  }

  /** An answer that comes when nobody waits any more is kept: a person is not asked for one signature twice. */
  #wait(text: string, answer: Promise<SignatureHex>): Promise<SignatureHex> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(reject, text);
      this.#changed();
      const done = () => {
        if (!this.#waiting.delete(reject)) return;
        this.#forget(text, answer);
        this.#changed();
      };
      answer.then(resolve, reject).finally(done);
    });
  }

  #forget(text: string, answer: Promise<SignatureHex>): void {
    if (this.#open.get(text) === answer) this.#open.delete(text);
  }

  #endWaiting(error: WalletError): void {
    const waiting = [...this.#waiting.keys()];
    this.#waiting.clear();
    for (const reject of waiting) reject(error);
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#stateListeners]) listener();
  }

  readonly #accountsChanged = (payload: unknown): void => {
    this.#noteAccounts(readAccounts(payload));
  };

  /** Requests that are open are lost with the connection (EIP-1193): a provider need not say so of each. */
  readonly #disconnected = (): void => {
    this.#open.clear();
    this.#setUsable(false);
    this.#endWaiting(new WalletError("disconnected"));
  };

  readonly #connected = (): void => {
    grantedAccounts(this.#provider).then(
      (accounts) => this.#noteAccounts(accounts),
      () => undefined,
    );
  };

  #noteAccounts(accounts: readonly Address[]): void {
    this.#setUsable(accounts.includes(this.address));
  }

  #setUsable(usable: boolean): void {
    if (usable === this.#usable) return;
    this.#usable = usable;
    for (const listener of [...this.#listeners]) listener(usable);
    this.#changed();
  }
}

async function accountsBy(provider: Eip1193Provider, method: string): Promise<readonly Address[]> {
  try {
    return readAccounts(await provider.request({ method }));
  } catch (thrown) {
    throw toWalletError(thrown);
  }
}

/** Addresses in lower case, each once; what is no address is left out. */
function readAccounts(value: unknown): readonly Address[] {
  if (!Array.isArray(value)) return [];
  const lower = value.map((one: unknown) => (typeof one === "string" ? one.toLowerCase() : one));
  return [...new Set(lower.filter(isAddress))];
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new WalletError("no-answer"));
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
