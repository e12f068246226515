// A recent session in a line, with the names of today: what was noted holds wallets and the outcome, not names.

import { describeOutcome } from "../../games/describe.ts";
import { sessionNames } from "../../names/session-names.ts";
import { parseRef, type Address } from "../../core/values.ts";
import type { RecentSession } from "../services/recent.ts";

/** Its title, else its game and the beginning of its hash. */
export function titleOfRecent({ session, game, title }: RecentSession): string {
  if (title !== "") return title;
  return `${game === "" ? "session" : game} ${parseRef(session)!.hash.slice(2, 10)}`;
}

/** What came of it; "open" while nothing has. */
export function formatRecent(
  { participants, claimed, seat, outcome, result }: RecentSession,
  reader: { readonly given: ReadonlyMap<Address, string>; readonly bot: Address | null },
): string {
  if (outcome === null) return result === "" ? "open" : result;
  const { nameOf } = sessionNames({ participants, claimed, me: seat, ...reader });
  const text = describeOutcome(outcome, nameOf);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
