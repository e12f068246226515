// What is wrong with a typed amount, by the game's own checks. Pure.

import { isAmount } from "../../../games/amounts.ts";

/** Undefined for an amount, and while nothing is typed. */
export function wrongWithAmount(text: string): string | undefined {
  if (text === "" || isAmount(text)) return undefined;
  return "An amount is up to 78 digits: no sign, no point, no leading zero.";
}

/** What is wrong with an open bid besides: below the least one. */
export function wrongWithBid(text: string, least: bigint): string | undefined {
  const wrong = wrongWithAmount(text);
  if (wrong !== undefined || text === "") return wrong;
  return BigInt(text) < least ? `The least next bid is ${least}.` : undefined;
}

/** Whether an open bid of that text would stand over the leading one. */
export function isBid(text: string, least: bigint): boolean {
  return isAmount(text) && BigInt(text) >= least;
}
