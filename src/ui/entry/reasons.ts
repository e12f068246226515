// The reasons of a verdict that concern one entry. Pure.

import { describeReason, type NameOf } from "../../games/describe.ts";
import type { Reason, Verdict } from "../../games/game.ts";

/** Reasons that speak of an entry, as sentences to be completed with names. */
export function reasonsAbout(verdict: Verdict, key: string): readonly ((nameOf: NameOf) => string)[] {
  if (!verdict.ok) return [];
  return verdict.reasons
    .filter((reason) => (reason.entries as readonly string[]).includes(key))
    .map((reason: Reason) => (nameOf: NameOf) => describeReason(reason, nameOf));
}
