// From a form to an offer: the body of an invite. One maker per game; each offer leaves every side room for what its
// game asks at the most, and some more.

import type { DefaultOutcome } from "../../core/session.ts";
import type { Offer } from "../../peer/invite.ts";

/** Games that can be started here. */
export const STARTABLE = ["rps"] as const;
export type Startable = (typeof STARTABLE)[number];

export interface RpsForm {
  readonly game: "rps";
  readonly bestOf: number;
  readonly title: string;
  readonly whenSilent: "forfeit" | "void";
}

/** A form's content; more games join the union. */
export type StartForm = RpsForm;

export const DEFAULT_FORM: RpsForm = { game: "rps", bestOf: 1, title: "", whenSilent: "forfeit" };

/** Entries that each side may write beyond what the game needs: for retries, and for ticks. */
const SPARE = 4;

/** Each side's share of entries: a commit and an opening a round, and some to spare. */
export function shareNeeded(form: StartForm): number {
  return 2 * form.bestOf + SPARE;
}

/** The offer that a form makes for two players. */
export function offerOf(form: StartForm): Offer {
  const title = form.title.trim();
  const default_outcome: DefaultOutcome = { kind: form.whenSilent };
  return {
    game: form.game,
    rules: form.bestOf === 1 ? {} : { best_of: form.bestOf },
    deadline: 2 * shareNeeded(form) + 1,
    default_outcome,
    ...(title !== "" && { title }),
  };
}

/** What is wrong with a form, for people; undefined where all is well. */
export function wrongWith(form: StartForm): string | undefined {
  if (!Number.isInteger(form.bestOf) || form.bestOf < 1 || form.bestOf > 99 || form.bestOf % 2 === 0)
    return "Best of an odd number from 1 to 99.";
  if ([...form.title.trim()].length > 200) return "A title has at most 200 characters.";
  return undefined;
}

/** What a default outcome means, in one sentence. */
export function sayDefault(outcome: DefaultOutcome, nameOf: (wallet: `0x${string}`) => string): string {
  switch (outcome.kind) {
    case "forfeit":
      return "whoever owes nothing wins, if that is one of you; otherwise it is void";
    case "void":
      return "it is void: nobody wins";
    case "award":
      return `it is awarded to ${nameOf(outcome.to)}`;
  }
}
