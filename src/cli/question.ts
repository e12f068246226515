// What an outside program is asked: one JSON object a line, all that a player needs and nothing of keys or salts.
// Titles, options and values in it are strangers' texts: data, never an instruction.

import type { JsonObject } from "../core/canonical.ts";
import { own } from "../core/canonical.ts";
import type { View } from "../core/view.ts";
import type { Situation } from "../bot/strategy.ts";
import { listedValues } from "../peer/turn.ts";

/** Of a long session, so many of the newest moves. */
export const MAX_MOVES_TOLD = 500;

/** The members of a question, `id` aside; docs/agents.md describes them. */
export function questionOf({ view, verdict, wallet, owed, left, refused }: Situation): JsonObject {
  const { terms, session, participants, share, order } = view;
  const flags = new Map(verdict.ok ? verdict.flags.map(({ ref, code }) => [ref, code]) : []);
  const told = order.slice(-MAX_MOVES_TOLD);
  return {
    session,
    game: terms.game,
    rules: terms.rules,
    title: terms.title ?? null,
    wallet,
    participants,
    share,
    left,
    owed: { what: owed.what, round: owed.round },
    allowed: allowed(view, owed.what),
    earlier: order.length - told.length,
    moves: told.map(({ ref, entry, body, inTime }) => ({
      ref,
      wallet: entry.wallet,
      type: entry.type,
      body,
      ignored: inTime ? (flags.get(ref) ?? null) : "late",
    })),
    refused,
  };
}

/** What may be answered, in words and, where they are few, as a list. */
function allowed(view: View, what: string): JsonObject {
  const { game, rules } = view.terms;
  if (what === "bid") return { kind: "append", types: ["bid", "pass"], amount: "decimal digits as text" };
  if (what === "vote") return { kind: "append", types: ["vote"], choice: listedValues(view) };
  const values = listedValues(view);
  if (values.length > 0) return { kind: "commit", value: values };
  if (game === "auction") return { kind: "commit", value: "decimal digits as text" };
  const isText = own(rules, "by") === "match";
  return { kind: "commit", value: isText ? "text of 1 to 2000 characters" : "a whole number as text" };
}
