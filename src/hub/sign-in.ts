// Signing in to a Hub: an EIP-4361 text, signed once by personal_sign (EIP-191), sent with every write for as
// long as it is valid. An entry's signature is never a sign-in: its text has another first line.

import { isObject, own, parseJson } from "../core/canonical.ts";
import { isSignatureForm, personalDigest, recoverPlain, type Recover } from "../core/signature.ts";
import { checksumAddress, isAddress, type Address, type SignatureHex } from "../core/values.ts";
import { HubError } from "./hub-error.ts";
import type { Signer } from "./hub.ts";

/** A sign-in is valid so many seconds before and after its Issued At. */
export const SIGN_IN_SECONDS = 600;
/** Renewed when so many seconds of its validity are left. */
const RENEW_SECONDS = 120;
const HEADER_LINE = " wants you to sign in with your Ethereum account:";
const STATEMENT = "Write to this Hub as this account for the next ten minutes.";
const MAX_HEADER = 2048;

export interface SignInParts {
  readonly address: Address;
  /** Authority (host, and port if any) of the Hub, without a scheme: a sign-in for one host is none for another. */
  readonly domain: string;
  /** What the sign-in is for: the Hub's URL. */
  readonly uri: string;
  /** 8 letters and digits or more. */
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

/** The text of a sign-in (EIP-4361). @throws HubError `bad-request` where a part would break its form */
export function signInText(parts: SignInParts): string {
  const { address, domain, uri, nonce, issuedAt } = parts;
  if (!isAddress(address)) throw unfit("address", address);
  if (!/^[A-Za-z0-9.\-_[\]:]+$/.test(domain) || domain.includes("//")) throw unfit("domain", domain);
  if (!/^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]+$/i.test(uri)) throw unfit("URI", uri);
  if (!/^[A-Za-z0-9]{8,}$/.test(nonce)) throw unfit("nonce", nonce);
  const issued = new Date(Math.floor(issuedAt / 1000) * 1000).toISOString().replace(".000Z", "Z");
  return [
    `${domain}${HEADER_LINE}`,
    checksumAddress(address),
    "",
    STATEMENT,
    "",
    `URI: ${uri}`,
    "Version: 1",
    "Chain ID: 1",
    `Nonce: ${nonce}`,
    `Issued At: ${issued}`,
  ].join("\n");
}

function unfit(part: string, value: string): HubError {
  return new HubError("bad-request", `no sign-in with the ${part} ${JSON.stringify(value)}`);
}

/** The value of the header Authorization: one line of JSON. `time` in milliseconds. */
export function authorization(address: Address, time: number, sign: SignatureHex, text: string): string {
  return JSON.stringify({
    Type: "personal_sign",
    Addr: checksumAddress(address),
    Time: Math.floor(time / 1000),
    Sign: sign,
    Msg: text,
  });
}

export type SignInCheck =
  | { readonly ok: true; readonly address: Address; readonly from: number; readonly until: number }
  | { readonly ok: false; readonly why: string };

/** A sign-in as read: besides its check, the host that it names as asking for it. */
export type SignIn = (SignInCheck & { readonly ok: true } & { readonly domain: string }) | Refused;
type Refused = SignInCheck & { readonly ok: false };

/**
 * Checks everything about a header but the clock: form, signer, that the text is a sign-in naming the signer. The
 * times (milliseconds) between which it is valid are for the caller to compare with now.
 */
export function checkAuthorization(header: string | undefined, recover: Recover = recoverPlain): SignInCheck {
  const read = readSignIn(header, recover);
  if (!read.ok) return read;
  const { ok, address, from, until } = read;
  return { ok, address, from, until };
}

/** The same with the domain, which is for the caller to compare with its own host. */
export function readSignIn(header: string | undefined, recover: Recover = recoverPlain): SignIn {
  if (header === undefined || header === "") return no("the request is not signed");
  if (header.length > MAX_HEADER) return no("the header Authorization is too long");
  const value = parseJson(header);
  if (!isObject(value)) return no("the header Authorization is not one line of JSON");
  if (own(value, "Type") !== "personal_sign") return no("Type is not personal_sign");
  const addr = own(value, "Addr");
  const address = typeof addr === "string" ? addr.toLowerCase() : undefined;
  if (!isAddress(address)) return no("Addr is not an address");
  const time = own(value, "Time");
  if (typeof time !== "number" || !Number.isSafeInteger(time)) return no("Time is not in whole seconds");
  const text = own(value, "Msg");
  const sign = normalSign(own(value, "Sign"));
  if (typeof text !== "string") return no("Msg is not a text");
  if (sign === undefined) return no("Sign is not a signature");
  const lines = text.split("\n");
  if (!lines[0]!.endsWith(HEADER_LINE)) return no("Msg is not a sign-in (EIP-4361)");
  if (lines[1]?.toLowerCase() !== address) return no("Msg has not the address on a line of its own");
  const times = timesOf(lines, time * 1000);
  if (typeof times === "string") return no(times);
  if (recover(personalDigest(text), sign) !== address) return no("Sign was not made by Addr over Msg");
  // EIP-4361 allows a scheme in front of the domain.
  const domain = lines[0]!.slice(0, -HEADER_LINE.length).replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  return { ok: true, address, domain: domain.toLowerCase(), ...times };
}

/** When a sign-in is valid, or what is wrong with its times. */
function timesOf(lines: readonly string[], time: number): { from: number; until: number } | string {
  const issued = timeIn(lines, "Issued At");
  const expires = timeIn(lines, "Expiration Time");
  const begins = timeIn(lines, "Not Before");
  if (issued === null) return "Msg has no Issued At";
  for (const [name, found] of Object.entries({
    "Issued At": issued,
    "Expiration Time": expires,
    "Not Before": begins,
  }))
    if (found === undefined) return `Msg has no single ${name} as RFC 3339 has it`;
  const from = Math.max(time, issued!) - SIGN_IN_SECONDS * 1000;
  const until = Math.min(time, issued!) + SIGN_IN_SECONDS * 1000;
  return { from: Math.max(from, begins ?? from), until: Math.min(until, expires ?? until) };
}

function no(why: string): Refused {
  return { ok: false, why };
}

function normalSign(value: unknown): SignatureHex | undefined {
  if (typeof value !== "string") return undefined;
  // Some wallets answer with v 0 or 1.
  const sign = value
    .toLowerCase()
    .replace(/^(0x[0-9a-f]{128})0([01])$/, (_, rs: string, v: string) => `${rs}1${v === "0" ? "b" : "c"}`);
  return /^0x[0-9a-f]{130}$/.test(sign) && isSignatureForm(sign as SignatureHex)
    ? (sign as SignatureHex)
    : undefined;
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The time of the one line of that name; null without one, undefined where there are two or it is no time. */
function timeIn(lines: readonly string[], name: string): number | null | undefined {
  const found = lines.filter((line) => line.startsWith(`${name}:`));
  if (found.length === 0) return null;
  const text = found[0]!.slice(name.length + 2);
  const time = found.length === 1 && RFC3339.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

interface Held {
  readonly header: string;
  readonly issuedAt: number;
}

export interface SignInOptions {
  readonly domain: string;
  readonly uri: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 16 fresh letters and digits. */
  readonly nonce: () => string;
  /** Keeps sign-ins for the next page of the same tab. None: for this page alone. */
  readonly kept?: KeptSignIns | undefined;
}

/** Where headers are kept for their validity: secret as long as that, since who has one writes as the account. */
export interface KeptSignIns {
  get(key: string): string | null;
  set(key: string, header: string): void;
  remove(key: string): void;
}

/** One client's sign-ins at one Hub: each wallet is asked once per validity, however many writes wait for it. */
export class SignIns {
  readonly #options: SignInOptions;
  readonly #held = new Map<Address, Held>();
  readonly #pending = new Map<Address, Promise<string>>();

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** A header that is valid for some time yet. @throws HubError `not-signed` where the wallet did not sign */
  header(signer: Signer): Promise<string> {
    const { address } = signer;
    const held = this.#held.get(address) ?? this.#restore(address);
    const age = held === undefined ? 0 : (this.#options.now() - held.issuedAt) / 1000;
    // A clock set back makes it look older than it can be in the other direction: sign anew then, too.
    if (held !== undefined && age >= -1 && age < SIGN_IN_SECONDS - RENEW_SECONDS)
      return Promise.resolve(held.header);
    let pending = this.#pending.get(address);
    if (pending === undefined) {
      pending = this.#sign(signer).finally(() => this.#pending.delete(address));
      this.#pending.set(address, pending);
    }
    return pending;
  }

  /** Forgets a header that the Hub refused. True if it had been used before, so that a new one may help. */
  refuse(address: Address, header: string): boolean {
    const held = this.#held.get(address);
    if (held === undefined || held.header !== header) return held !== undefined;
    this.#held.delete(address);
    this.#options.kept?.remove(this.#keyOf(address));
    return this.#options.now() - held.issuedAt > 30_000;
  }

  async #sign(signer: Signer): Promise<string> {
    const { domain, uri, now, nonce } = this.#options;
    const issuedAt = now();
    const text = signInText({ address: signer.address, domain, uri, nonce: nonce(), issuedAt });
    let sign: SignatureHex;
    try {
      sign = await signer.signText(text);
    } catch (cause) {
      throw new HubError("not-signed", "the wallet did not sign the Hub's sign-in", { cause });
    }
    const header = authorization(signer.address, issuedAt, sign, text);
    this.#held.set(signer.address, { header, issuedAt });
    this.#options.kept?.set(this.#keyOf(signer.address), header);
    return header;
  }

  /** What an earlier page has kept, if it is a sign-in of this account for this Hub and this page's host. */
  #restore(address: Address): Held | undefined {
    const { domain, uri, kept } = this.#options;
    const header = kept?.get(this.#keyOf(address)) ?? undefined;
    const check = checkAuthorization(header);
    if (header === undefined || !check.ok || check.address !== address) return undefined;
    const value = parseJson(header);
    const text = isObject(value) ? own(value, "Msg") : undefined;
    const lines = typeof text === "string" ? text.split("\n") : [];
    if (lines[0] !== `${domain}${HEADER_LINE}` || !lines.includes(`URI: ${uri}`)) return undefined;
    const held: Held = { header, issuedAt: check.until - SIGN_IN_SECONDS * 1000 };
    this.#held.set(address, held);
    return held;
  }

  #keyOf(address: Address): string {
    return `coop-sign-in ${this.#options.uri} ${address}`;
  }
}
