// What can go wrong with a wallet, and the one place where the codes of other people's wallets (EIP-1193,
// JSON-RPC, libraries that wrap them) are translated into ours.

import { CodedError } from "../platform/coded-error.ts";

export type WalletCode =
  /** The person declined. Nothing was signed. */
  | "refused"
  /** A request is already open in the wallet; it must be answered there first. */
  | "pending-request"
  /** No answer came in time. Whether something was signed is not known. */
  | "no-answer"
  /** The signature is by another address. */
  | "wrong-signer"
  /** The wallet now stands on another account than the one pinned here. */
  | "switched-account"
  /** The wallet is locked, gone, or does not know the address. */
  | "disconnected"
  /** What came back is no signature over the text. */
  | "bad-signature"
  /** Anything else; see `cause`. */
  | "failed";

/** What a person is told. */
const SENTENCES: Readonly<Record<WalletCode, string>> = {
  refused: "You declined in the wallet. Nothing was signed.",
  "pending-request": "A request is already open in your wallet. Answer it there, then try again.",
  "no-answer": "The wallet has not answered. Open it and look, then try again.",
  "wrong-signer": "The wallet signed with another account than the one that sits here.",
  "switched-account": "The wallet stands on another account. Switch back to the one that sits here.",
  disconnected: "The wallet is locked or not connected.",
  "bad-signature": "The wallet's answer is no signature over this text.",
  failed: "The wallet failed.",
};

export class WalletError extends CodedError<WalletCode> {
  override readonly name = "WalletError";
  constructor(code: WalletCode, detail?: string, options?: ErrorOptions) {
    super(code, detail === undefined ? SENTENCES[code] : `${SENTENCES[code]} (${detail})`, options);
  }
}

/** How deep causes are followed: wallets wrap them, and one that wraps itself must not hang us. */
const MAX_CAUSES = 8;

/**
 * Any thrown thing as a WalletError. Sources: EIP-1193 (4001 refused, 4100 unauthorised, 4900 and 4901
 * disconnected), EIP-1474 (-32002 resource unavailable: a request is open, -32603 internal, used by some for
 * refusals), ethers (`ACTION_REJECTED`).
 */
export function toWalletError(thrown: unknown): WalletError {
  if (thrown instanceof WalletError) return thrown;
  const codes: unknown[] = [];
  const texts: string[] = [];
  let at: unknown = thrown;
  for (let i = 0; i < MAX_CAUSES && at !== undefined && at !== null; i++) {
    codes.push(read(at, "code"));
    const message = typeof at === "string" ? at : read(at, "message");
    if (typeof message === "string") texts.push(message);
    at =
      read(at, "cause") ?? read(at, "error") ?? read(read(at, "data"), "originalError") ?? read(at, "info");
  }
  const text = texts.join(" ");
  const options = { cause: thrown };
  const has = (...known: unknown[]) => codes.some((code) => known.includes(code));
  if (has(4001, "4001", "ACTION_REJECTED")) return new WalletError("refused", undefined, options);
  if (has(-32002, "-32002")) return new WalletError("pending-request", undefined, options);
  if (has(4100, 4900, 4901)) return new WalletError("disconnected", undefined, options);
  if (/\b(user|request)?\s*(rejected|denied|declined|cancell?ed)\b/i.test(text))
    return new WalletError("refused", undefined, options);
  if (/already (pending|processing)/i.test(text))
    return new WalletError("pending-request", undefined, options);
  return new WalletError("failed", text.trim().slice(0, 200) || undefined, options);
}

function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
