// What a strategy answers, checked: it may be a stranger's program or a language model. Only the move that is owed
// comes through, in its exact form; all else is refused with a reason that the strategy is told.

import type { View } from "../core/view.ts";
import { isAmount } from "../games/amounts.ts";
import type { Owed } from "../peer/peer.ts";
import type { Answer } from "./strategy.ts";
import { isPlayable } from "../peer/turn.ts";

export type AnswerReading =
  { readonly ok: true; readonly answer: Answer | null } | { readonly ok: false; readonly why: string };

type Members = Readonly<Record<string, unknown>>;

/** Reads an answer of any origin. It never throws, and what it gives is a copy of its own. */
export function readAnswer(value: unknown, owed: Owed, view: View): AnswerReading {
  try {
    return read(value, owed, view);
  } catch {
    // A getter or a proxy of a module's may do anything.
    return refused("the answer cannot be read");
  }
}

function read(value: unknown, owed: Owed, view: View): AnswerReading {
  if (value === null) return good(null);
  if (!isMembers(value)) return refused("an answer is an object, or null for no move now");
  switch (value["kind"]) {
    case "wait":
      return good(null);
    case "commit":
      return readCommit(value["value"], owed, view);
    case "append":
      return readAppend(value, owed, view);
    default:
      return refused('kind is none of "commit", "append", "wait"');
  }
}

function readCommit(value: unknown, { what }: Owed, view: View): AnswerReading {
  if (what !== "commit") return refused(`a ${what} is owed, not a commit`);
  if (typeof value !== "string") return refused("value is no text");
  return isPlayable(view, value) ? good({ kind: "commit", value }) : refused("value is none of this game's");
}

function readAppend({ type, body }: Members, { what }: Owed, view: View): AnswerReading {
  if (!isMembers(body)) return refused("body is no object");
  if (what === "vote" && type === "vote") {
    const choice = only(body, "choice");
    return typeof choice === "string" && isPlayable(view, choice)
      ? good({ kind: "append", type, body: { choice } })
      : refused("the body of a vote is {choice}: one of the options");
  }
  if (what === "bid" && type === "bid") {
    const amount = only(body, "amount");
    return typeof amount === "string" && isAmount(amount)
      ? good({ kind: "append", type, body: { amount } })
      : refused("the body of a bid is {amount}: decimal digits as text");
  }
  if (what === "bid" && type === "pass")
    return Object.keys(body).length === 0
      ? good({ kind: "append", type, body: {} })
      : refused("the body of a pass is empty");
  const allowed = what === "bid" ? "a bid or a pass" : `a ${what}`;
  return refused(`${allowed} is owed, and type is something else`);
}

/** The member of that name if the object has no other. */
function only(body: Members, name: string): unknown {
  return Object.keys(body).length === 1 && Object.hasOwn(body, name) ? body[name] : undefined;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function good(answer: Answer | null): AnswerReading {
  return { ok: true, answer };
}

function refused(why: string): AnswerReading {
  return { ok: false, why };
}
