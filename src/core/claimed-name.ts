// What a wallet calls itself in the body of its invite or accept: a claim for the screen, never a key to anything.

import { own } from "./canonical.ts";
import type { Candidate } from "./entry.ts";
import { isText } from "./session.ts";

export const MAX_NAME = 40;

/** Control, format (invisible and bidirectional), surrogate, private and unassigned characters, line and paragraph ends. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Whether a text may stand as a name: 1 to 40 characters, all of them visible, not blank. */
export function isName(text: string): boolean {
  return isText(text, 1, MAX_NAME) && !HIDDEN.test(text) && text.trim() !== "";
}

/** The name that an entry claims, or undefined where it claims none that may be shown. */
export function claimedName(entry: Pick<Candidate, "body">): string | undefined {
  const name = own(entry.body, "name");
  return typeof name === "string" && isName(name) ? name : undefined;
}
