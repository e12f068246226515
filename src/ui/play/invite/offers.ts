// What a default outcome means, in a sentence.

import type { DefaultOutcome } from "../../../core/session.ts";

/** What a default outcome means, in one sentence. */
export function formatDefaultOutcome(
  outcome: DefaultOutcome,
  nameOf: (wallet: `0x${string}`) => string,
): string {
  switch (outcome.kind) {
    case "forfeit":
      return "the player who owes nothing wins, if there is exactly one; otherwise it is void";
    case "void":
      return "it is void: nobody wins";
    case "award":
      return `it is awarded to ${nameOf(outcome.to)}`;
  }
}
