// How a seat is played by a program: from what it sees and owes, the next move. A strategy knows no keys, no Hub and
// no salts; commits and reveals are the peer's business.

import { own, type JsonObject } from "../core/canonical.ts";
import type { Address } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { RPS_VALUES } from "../games/rps.ts";
import { fraction } from "../platform/backoff.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import type { Owed } from "../peer/peer.ts";

/** What a strategy is asked with. */
export interface Situation {
  readonly wallet: Address;
  readonly view: View;
  readonly verdict: Verdict;
  /** What is owed now: `commit`, `vote` or `bid`. */
  readonly owed: Owed;
  /** Entries left of this wallet's share. */
  readonly left: number;
  /** Why the answer before was not played, or null; it may quote what others wrote. */
  readonly refused: string | null;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export type Answer =
  /** A value to commit to; it is opened when the game allows. */
  | { readonly kind: "commit"; readonly value: string }
  /** An entry of the game: a vote, a bid, a pass. */
  | { readonly kind: "append"; readonly type: string; readonly body: JsonObject };

/** May think as long as it likes; null: no move now, ask again when something has changed. */
export type Strategy = (situation: Situation) => Answer | null | Promise<Answer | null>;

/** Plays every game at random: any hand, any option, any bid within reason. `random` must be strong: hands are secret. */
export function randomStrategy(random: RandomBytes): Strategy {
  const below = (count: number): number => Math.floor(fraction(random) * count);
  return ({ view, owed, wallet }) => {
    const { game, rules } = view.terms;
    switch (game) {
      case "rps":
        return { kind: "commit", value: RPS_VALUES[below(RPS_VALUES.length)]! };
      case "vote": {
        const options = own(rules, "options");
        const choice: unknown = Array.isArray(options) ? options[below(options.length)] : undefined;
        if (typeof choice !== "string") return null;
        return owed.what === "commit"
          ? { kind: "commit", value: choice }
          : { kind: "append", type: "vote", body: { choice } };
      }
      case "auction":
        return owed.what === "commit"
          ? { kind: "commit", value: String(amountIn(rules, "reserve", 0n) + BigInt(below(101))) }
          : bidOrPass(view, wallet, below);
      case "compare":
        return { kind: "commit", value: own(rules, "by") === "match" ? "yes" : String(below(101)) };
      default:
        return null;
    }
  };
}

/** In an English auction: raises by the least step or up to nine more, or passes, one time in three. */
function bidOrPass(view: View, wallet: Address, below: (count: number) => number): Answer {
  const { rules } = view.terms;
  const increment = amountIn(rules, "increment", 1n);
  let leading: bigint | undefined;
  for (const { entry, body } of view.order) {
    const amount = own(body, "amount");
    if (entry.type !== "bid" || typeof amount !== "string" || !/^\d{1,78}$/.test(amount)) continue;
    if (leading === undefined || BigInt(amount) > leading) leading = BigInt(amount);
  }
  const member = view.members.find((one) => one.wallet === wallet);
  const isShort = member !== undefined && view.share - member.used < 2;
  if (isShort || (leading !== undefined && below(3) === 0)) return { kind: "append", type: "pass", body: {} };
  const least = leading === undefined ? amountIn(rules, "reserve", 0n) : leading + increment;
  return { kind: "append", type: "bid", body: { amount: String(least + BigInt(below(10))) } };
}

function amountIn(rules: JsonObject, name: string, otherwise: bigint): bigint {
  const amount = own(rules, name);
  return typeof amount === "string" && /^\d{1,78}$/.test(amount) ? BigInt(amount) : otherwise;
}
