// The moves that a seat may make now, as data: for a person in words, for a program as JSON Schema, and as the check of
// what comes back. All three follow from one list, so that what is offered and what is accepted are the same. Pure.

import { own, type JsonObject } from "../core/canonical.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { leastBid, standingOf } from "../games/english.ts";
import type { PeerSnapshot } from "../peer/peer.ts";
import { isPlayable, listedValues } from "../peer/turn.ts";
import type { Answer } from "../bot/strategy.ts";
import { RPS_VALUES } from "../games/rps.ts";
import { markedText } from "../platform/inert.ts";
import { atLeastPattern } from "./at-least-pattern.ts";

export const MOVE_KINDS = ["commit", "vote", "bid", "pass"] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

export interface LegalMove {
  readonly kind: MoveKind;
  /** 1 in games without rounds. */
  readonly round: number;
  /** What `value` may be; null for a move without one. */
  readonly value: ValueForm | null;
}

export type ValueForm =
  | { readonly form: "listed"; readonly values: readonly ListedValue[] }
  | { readonly form: "pattern"; readonly pattern: string; readonly says: string }
  | { readonly form: "text"; readonly longest: number };

export interface ListedValue {
  /** As it is offered and sent back: our own word, never a stranger's text. */
  readonly value: string;
  /** What is played. */
  readonly plays: string;
}

/** Everything that this seat may do now; empty while a move is on its way, and when it is another's turn. */
export function legalMoves({ view, turn, seated }: PeerSnapshot): readonly LegalMove[] {
  if (view?.ok !== true || !seated || turn.busy || turn.left === 0) return [];
  return turn.owes.flatMap(({ what, round }): LegalMove[] => {
    switch (what) {
      case "commit":
      case "vote":
        return [{ kind: what, round, value: valueForm(view) }];
      case "bid":
        return [
          { kind: "bid", round, value: amountForm(leastOf(view)) },
          { kind: "pass", round, value: null },
        ];
      case "reveal":
        return []; // the seat opens its commits by itself
    }
  });
}

function valueForm(view: View): ValueForm {
  const { game, rules } = view.terms;
  if (game === "rps") return { form: "listed", values: RPS_VALUES.map((value) => ({ value, plays: value })) };
  if (game === "vote")
    // The options are the host's texts: they are offered by number, so that no stranger writes into a tool's schema.
    return {
      form: "listed",
      values: listedValues(view).map((plays, i) => ({ value: `option ${i + 1}`, plays })),
    };
  if (game === "auction") return amountForm(0n);
  if (own(rules, "by") === "match") return { form: "text", longest: MAX_TEXT };
  return {
    form: "pattern",
    pattern: "^(0|-?[1-9][0-9]{0,77})$",
    says: "a whole number of at most 78 digits",
  };
}

const MAX_TEXT = 2000;

function amountForm(least: bigint): ValueForm {
  const says = least === 0n ? "a whole number, not negative" : `a whole number, at least ${least}`;
  return { form: "pattern", pattern: atLeastPattern(least), says };
}

function leastOf(view: View): bigint {
  const amount = (name: string, otherwise: bigint): bigint => {
    const text = own(view.terms.rules, name);
    return typeof text === "string" && /^\d{1,78}$/.test(text) ? BigInt(text) : otherwise;
  };
  const limits = { reserve: amount("reserve", 0n), increment: amount("increment", 1n) };
  return leastBid(standingOf(view, limits).good.at(-1), limits);
}

/** JSON Schema of exactly these moves of a session. */
export function schemasOf(session: Ref, moves: readonly LegalMove[]): JsonObject[] {
  return moves.map(({ kind, value }) => ({
    type: "object",
    properties: {
      session: { type: "string", enum: [session] },
      kind: { type: "string", enum: [kind] },
      ...(value !== null && { value: valueSchema(value) }),
    },
    required: value === null ? ["session", "kind"] : ["session", "kind", "value"],
    additionalProperties: false,
  }));
}

function valueSchema(value: ValueForm): JsonObject {
  switch (value.form) {
    case "listed":
      return { type: "string", enum: value.values.map((one) => one.value) };
    case "pattern":
      return { type: "string", pattern: value.pattern, description: value.says };
    case "text":
      return { type: "string", minLength: 1, maxLength: value.longest };
  }
}

/** The moves for a reader: what is listed says what it plays, where that is another's text, marked as data. */
export function describeLegalMoves(moves: readonly LegalMove[]): string {
  if (moves.length === 0) return "none now";
  return moves.map(describeLegalMove).join("; or ");
}

function describeLegalMove({ kind, value }: LegalMove): string {
  if (value === null) return kind;
  switch (value.form) {
    case "listed":
      return `${kind} ${value.values.map(describeListed).join(", ")}`;
    case "pattern":
      return `${kind} ${value.says}`;
    case "text":
      return `${kind} a text of 1 to ${value.longest} characters`;
  }
}

function describeListed({ value, plays }: ListedValue): string {
  return value === plays ? `"${value}"` : `"${value}" = ${markedText(plays)}`;
}

/** Reads a move that came from outside: only one of those offered comes through. The error says what is wrong. */
export function readMove(
  { kind, value }: { readonly kind: string; readonly value?: string | undefined },
  moves: readonly LegalMove[],
  view: View,
): Result<Answer, string> {
  const move = moves.find((one) => one.kind === kind);
  if (move === undefined) return fail(`${JSON.stringify(kind)} is no legal move now`);
  if (move.value === null)
    return value === undefined
      ? ok({ kind: "append", type: "pass", body: {} })
      : fail(`a ${kind} has no value`);
  const plays = value === undefined ? undefined : playedBy(move.value, value);
  if (plays === undefined || (kind !== "bid" && !isPlayable(view, plays)))
    return fail(`the value ${JSON.stringify(value ?? null)} is not legal for a ${kind}`);
  switch (move.kind) {
    case "commit":
      return ok({ kind: "commit", value: plays });
    case "vote":
      return ok({ kind: "append", type: "vote", body: { choice: plays } });
    default:
      return ok({ kind: "append", type: "bid", body: { amount: plays } });
  }
}

function playedBy(form: ValueForm, value: string): string | undefined {
  switch (form.form) {
    case "listed":
      return form.values.find((one) => one.value === value)?.plays;
    case "pattern":
      return new RegExp(form.pattern).test(value) ? value : undefined;
    case "text":
      return value.length > 0 && value.length <= form.longest ? value : undefined;
  }
}
