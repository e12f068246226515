// A wallet that misbehaves on demand: it declines, hangs, answers v 0 or 1, signs with another key, switches its
// account, disconnects. It goes through the same check of the answer as every real wallet.

import type { Address, SignatureHex } from "../core/values.ts";
import { checkedSignature } from "../wallet/checked-signature.ts";
import { toWalletError, WalletError } from "../wallet/wallet-error.ts";
import { localWallet, type SecretHex } from "../wallet/wallet.local.ts";
import type { Wallet } from "../wallet/wallet.ts";

export type Manner =
  | "honest"
  /** Throws what EIP-1193 wallets throw on a refusal. */
  | "declines"
  /** Throws -32002. */
  | "has-request-open"
  /** Answers only once `answer()` is called. */
  | "hangs"
  /** v 0 or 1, as some hardware wallets. */
  | "low-v"
  /** Upper-case hex. */
  | "upper-case"
  | "signs-with-other"
  | "answers-nonsense"
  | "disconnected";

export interface WalletDouble extends Wallet {
  manner: Manner;
  /** How often it was asked to sign. */
  readonly asked: readonly string[];
  /** Answers every request that hangs. */
  answer(): void;
  /** Switches the account under our feet, and back. */
  switchAccount(away: boolean): void;
}

const OTHER: SecretHex = `0x${"5e".repeat(32)}`;

export function walletDouble(secret: SecretHex, manner: Manner = "honest"): WalletDouble {
  return new Double(secret, manner);
}

class Double implements WalletDouble {
  readonly kind = "injected";
  readonly asked: string[] = [];
  manner: Manner;
  readonly #own;
  readonly #other = localWallet(OTHER);
  #away = false;
  #hanging: (() => void)[] = [];
  readonly #listeners = new Set<(usable: boolean) => void>();

  constructor(secret: SecretHex, manner: Manner) {
    this.#own = localWallet(secret);
    this.manner = manner;
  }

  get address(): Address {
    return this.#own.address;
  }

  async signText(text: string): Promise<SignatureHex> {
    this.asked.push(text);
    if (this.#away) throw new WalletError("switched-account");
    let answer: unknown;
    try {
      answer = await this.#raw(text);
    } catch (thrown) {
      throw toWalletError(thrown);
    }
    return checkedSignature(this.address, text, answer);
  }

  onChange(listener: (usable: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  answer(): void {
    const hanging = this.#hanging;
    this.#hanging = [];
    for (const go of hanging) go();
  }

  switchAccount(away: boolean): void {
    this.#away = away;
    for (const listener of this.#listeners) listener(!away);
  }

  async #raw(text: string): Promise<unknown> {
    const good = this.#own.signTextNow(text);
    switch (this.manner) {
      case "honest":
        return good;
      case "declines":
        throw Object.assign(new Error("MetaMask Tx Signature: User denied message signature."), {
          code: 4001,
        });
      case "has-request-open":
        throw Object.assign(new Error("Request already pending"), { code: -32002 });
      case "hangs":
        await new Promise<void>((resolve) => this.#hanging.push(resolve));
        return good;
      case "low-v":
        return good.slice(0, 130) + (good.endsWith("1b") ? "00" : "01");
      case "upper-case":
        return `0x${good.slice(2).toUpperCase()}`;
      case "signs-with-other":
        return this.#other.signTextNow(text);
      case "answers-nonsense":
        return "0x1234";
      case "disconnected":
        throw Object.assign(new Error("The provider is disconnected"), { code: 4900 });
    }
  }
}
