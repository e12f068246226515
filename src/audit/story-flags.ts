// The numbers by which an ignored bid was measured: the least that was good, and the bid that its author had seen leading.

import { own } from "../core/canonical.ts";
import type { Move, View } from "../core/view.ts";
import { isAmount } from "../games/amounts.ts";
import { auction } from "../games/auction.ts";
import { BidBook, leastBid } from "../games/english.ts";
import type { FlagCode } from "../games/game.ts";

export interface FlagDetail {
  readonly least?: string;
  readonly leading?: string;
}

/** Takes the moves one by one, in the session's order, each with its flag, or undefined where it counted. */
export function createFlagDetails(view: View): (move: Move, flag: FlagCode | undefined) => FlagDetail {
  const { terms, participants, share, members } = view;
  const rules = terms.game === "auction" ? auction.readRules(terms.rules, participants, share) : undefined;
  if (rules?.ok !== true || rules.value.kind !== "english") return () => ({});
  const book = new BidBook(participants.length);
  return (move, flag) => {
    const amount = own(move.body, "amount");
    if (move.entry.type !== "bid" || !isAmount(amount)) return {};
    if (flag === "low-bid") {
      const leading = book.leadingIn(move);
      return {
        least: String(leastBid(leading, rules.value)),
        ...(leading !== undefined && { leading: String(leading.amount) }),
      };
    }
    if (flag === undefined && move.inTime && members[move.author]!.fault === null)
      book.add({ move, amount: BigInt(amount) });
    return {};
  };
}
