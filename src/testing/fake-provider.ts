// A wallet extension on demand (EIP-1193, announced by EIP-6963): it signs, declines in every disguise, has its
// window open already, hangs, switches its account, answers v 0 or 1, signs with another key, disconnects.
// Runs in tests and, bundled, in a page; its keys are given, so it is for tests alone.

import { fromHex, fromUtf8 } from "../core/bytes.ts";
import { localWallet, type LocalWallet, type SecretHex } from "../wallet/wallet.local.ts";
import type { Eip1193Provider } from "../wallet/wallet.injected.ts";

export const FAKE_MANNERS = [
  "honest",
  /** EIP-1193's 4001. */
  "declines",
  /** As ethers wraps it: ACTION_REJECTED. */
  "declines-by-name",
  /** 4001 under two causes. */
  "declines-nested",
  /** -32603 with "denied" in its message. */
  "declines-as-internal",
  /** -32002: a request is open. */
  "request-open",
  /** Answers only once `answer()` is called. */
  "hangs",
  "low-v",
  "upper-case",
  /** Signs with another account than was asked for. */
  "signs-with-other",
  "nonsense",
  /** 4900. */
  "disconnected",
  /** 4901. */
  "chain-disconnected",
  /** 4100. */
  "unauthorized",
  "throws-at-once",
] as const;
export type FakeManner = (typeof FAKE_MANNERS)[number];

export interface FakeInfo {
  readonly uuid: string;
  readonly name: string;
  readonly icon: string;
  readonly rdns: string;
}

export const FAKE_INFO: FakeInfo = {
  uuid: "5d3a8a3c-7a0b-4d5c-9f1e-000000000001",
  name: "Fake Wallet",
  icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='teal'/%3E%3C/svg%3E",
  rdns: "test.fake.wallet",
};

type Listener = (payload: unknown) => void;

export class FakeProvider implements Eip1193Provider {
  /** How it answers from now on. */
  manner: FakeManner = "honest";
  /** How it answers the next requests to sign, before `manner` holds again. */
  readonly next: FakeManner[] = [];
  /** Whether this page may see the accounts; `eth_requestAccounts` grants it, unless it declines. */
  connected: boolean;
  /** Nothing is shown while it is locked. */
  locked = false;
  /** Every call, in order. */
  readonly calls: string[] = [];
  /** Every text that it was asked to sign, in order, also those it declined. */
  readonly asked: string[] = [];
  /** Every text that it has signed. */
  readonly signed: string[] = [];
  readonly #accounts: readonly LocalWallet[];
  #current = 0;
  #hanging: (() => void)[] = [];
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(secrets: readonly SecretHex[], connected = false) {
    this.#accounts = secrets.map(localWallet);
    this.connected = connected;
  }

  get accounts(): readonly string[] {
    return this.#accounts.map(({ address }) => address);
  }

  on(event: string, listener: Listener): this {
    const known = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, known.add(listener));
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  emit(event: string, payload: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(payload);
  }

  /** Stands on the n-th account from now on: the only one that it shows. */
  switchTo(account: number): void {
    this.#current = account;
    this.emit("accountsChanged", this.#shown());
  }

  disconnect(): void {
    this.connected = false;
    this.emit("disconnect", { code: 4900, message: "The provider is disconnected" });
  }

  reconnect(): void {
    this.connected = true;
    this.emit("connect", { chainId: "0x1" });
  }

  /** Answers every request that hangs. */
  answer(): void {
    const hanging = this.#hanging;
    this.#hanging = [];
    for (const go of hanging) go();
  }

  request({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
    this.calls.push(method);
    switch (method) {
      case "eth_accounts":
        return Promise.resolve(this.#shown());
      case "eth_requestAccounts":
        return this.#connect();
      case "personal_sign":
        return this.#personalSign(params);
      default:
        return Promise.reject(fault(4200, `${method} is not supported`));
    }
  }

  /** Announces itself now and whenever the page asks (EIP-6963). Returns the way to fall silent. */
  announce(target: EventTarget, info: FakeInfo = FAKE_INFO): () => void {
    const detail = Object.freeze({ info: Object.freeze({ ...info }), provider: this });
    const say = () => {
      target.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
    };
    target.addEventListener("eip6963:requestProvider", say);
    say();
    return () => target.removeEventListener("eip6963:requestProvider", say);
  }

  /** In EIP-55 or not, wallets differ: this one answers in upper case, which is the hardest. */
  #shown(): readonly string[] {
    const current = this.#accounts[this.#current];
    if (!this.connected || this.locked || current === undefined) return [];
    return [`0x${current.address.slice(2).toUpperCase()}`];
  }

  async #connect(): Promise<readonly string[]> {
    const manner = this.next.shift() ?? this.manner;
    if (manner === "hangs") await new Promise<void>((resolve) => this.#hanging.push(resolve));
    else refusal(manner);
    this.connected = true;
    this.locked = false;
    return this.#shown();
  }

  #personalSign([hex, address]: readonly unknown[]): Promise<unknown> {
    const manner = this.next.shift() ?? this.manner;
    if (manner === "throws-at-once") throw fault(4001, "User rejected the request.");
    return this.#sign(manner, hex, address);
  }

  async #sign(manner: FakeManner, hex: unknown, address: unknown): Promise<unknown> {
    const text =
      typeof hex === "string" && /^0x([0-9a-f]{2})*$/.test(hex) ? fromUtf8(fromHex(hex)) : undefined;
    if (text === undefined) throw fault(-32602, "expected [0x-hex of UTF-8, address]");
    this.asked.push(text);
    refusal(manner);
    if (manner === "hangs") await new Promise<void>((resolve) => this.#hanging.push(resolve));
    const account = this.#accounts.find((one) => one.address === address);
    if (account === undefined) throw fault(4100, "The requested account has not been authorized.");
    this.signed.push(text);
    const good = account.signTextNow(text);
    switch (manner) {
      case "low-v":
        return good.slice(0, 130) + (good.endsWith("1b") ? "00" : "01");
      case "upper-case":
        return `0x${good.slice(2).toUpperCase()}`;
      case "signs-with-other":
        return localWallet(`0x${"5e".repeat(32)}`).signTextNow(text);
      case "nonsense":
        return "0x1234";
      default:
        return good;
    }
  }
}

/** Throws what a wallet of that manner throws; nothing for those that answer. */
function refusal(manner: FakeManner): void {
  switch (manner) {
    case "declines":
      throw fault(4001, "MetaMask Message Signature: User denied message signature.");
    case "declines-by-name":
      throw fault("ACTION_REJECTED", "user rejected action");
    case "declines-nested":
      throw new Error("An unknown error occurred.", {
        cause: new Error("mid", { cause: fault(4001, "no") }),
      });
    case "declines-as-internal":
      throw fault(-32603, "Request denied by the user.");
    case "request-open":
      throw fault(-32002, "Request of type 'personal_sign' already pending. Please wait.");
    case "disconnected":
      throw fault(4900, "The provider is disconnected from all chains.");
    case "chain-disconnected":
      throw fault(4901, "The provider is disconnected from the specified chain.");
    case "unauthorized":
      throw fault(4100, "The requested method and/or account has not been authorized.");
  }
}

function fault(code: number | string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
