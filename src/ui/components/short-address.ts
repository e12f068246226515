// Addresses for people: EIP-55, the first and last six digits, and more where two given ones would look alike.

import { checksumAddress, type Address } from "../../core/values.ts";

/** An address in three parts; `middle` is hidden until asked for, but is there for copying. */
export interface AddressParts {
  readonly head: string;
  readonly middle: string;
  readonly tail: string;
}

const DIGITS = 6;

const spelled = new Map<Address, string>();

/** The address in EIP-55's spelling; a page shows few of them often, and each costs a hash. */
export function spell(address: Address): string {
  let text = spelled.get(address);
  if (text === undefined) {
    if (spelled.size >= 1024) spelled.clear();
    spelled.set(address, (text = checksumAddress(address)));
  }
  return text;
}

/**
 * Splits an address so that no other of `among` has both the same head and the same tail. Letter case is ignored when
 * comparing: a reader does not see it as a difference.
 */
export function shortenAddress(address: Address, among: readonly Address[] = []): AddressParts {
  const digits = address.slice(2);
  let shown = DIGITS;
  for (const other of among) {
    if (other === address) continue;
    while (shown < 20 && looksAlike(digits, other.slice(2), shown)) shown += 2;
  }
  const text = spell(address);
  if (shown >= 20) return { head: text, middle: "", tail: "" };
  return { head: text.slice(0, 2 + shown), middle: text.slice(2 + shown, -shown), tail: text.slice(-shown) };
}

/** The short form as one text, for places without markup. */
export function shortAddressText(address: Address, among: readonly Address[] = []): string {
  const { head, middle, tail } = shortenAddress(address, among);
  return middle === "" ? head : `${head}…${tail}`;
}

/**
 * The first digits alone, for narrow places (`digits` of them, one letter case); where another of `among` begins the
 * same way, four digits in which it differs follow.
 */
export function briefAddress(address: Address, among: readonly Address[] = [], digits = DIGITS): string {
  const text = spell(address);
  const head = text.slice(0, 2 + digits);
  const alike = among.filter((other) => other !== address && other.startsWith(address.slice(0, 2 + digits)));
  if (alike.length === 0) return `${head}…`;
  for (let at = 2 + digits; at <= 38; at++) {
    const four = address.slice(at, at + 4);
    if (alike.every((other) => other.slice(at, at + 4) !== four))
      return `${digits < DIGITS ? "" : head}…${text.slice(at, at + 4)}${at < 38 ? "…" : ""}`;
  }
  return text;
}

function looksAlike(a: string, b: string, shown: number): boolean {
  return a.slice(0, shown) === b.slice(0, shown) && a.slice(-shown) === b.slice(-shown);
}
