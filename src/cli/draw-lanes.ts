// The causal graph of a session as text: one lane a player, one row a move, in causal order. A row names the rows of
// other lanes that its move rests on; that it rests on its own lane goes without saying. Pure.

import { own } from "../core/canonical.ts";
import type { Ref } from "../core/values.ts";
import type { Move, View } from "../core/view.ts";
import type { NameOf } from "../games/describe.ts";
import { inertLine } from "../platform/inert.ts";

export interface Drawing {
  readonly nameOf: NameOf;
  /** Refs that the game ignored. */
  readonly ignored: ReadonlySet<Ref>;
  /** Columns of the whole picture. */
  readonly width: number;
  /** Rows drawn at most: the newest. */
  readonly rows: number;
}

const LEAST_LANE = 16;
const MOST_LANE = 30;
const NUMBER = 5;
/** Room for "sees 12, 13". */
const SEES = 16;

export const LEGEND = "● counted  ○ ignored  ◌ late; sees: rows of other players that the move rests on";

export function drawLanes(view: View, drawing: Drawing): readonly string[] {
  const { participants, order } = view;
  const room = Math.max(LEAST_LANE, drawing.width - NUMBER - SEES);
  const drawn = Math.min(participants.length, Math.max(1, Math.floor(room / LEAST_LANE)));
  const lane = Math.min(MOST_LANE, Math.floor(room / drawn));
  const from = Math.max(0, order.length - drawing.rows);
  const names = participants.slice(0, drawn).map((wallet) => fit(inertLine(drawing.nameOf(wallet)), lane));
  const lines = [" ".repeat(NUMBER) + names.join("")];
  if (from > 0) lines.push(`${" ".repeat(NUMBER)}… ${from} earlier moves are not drawn (--all draws them)`);
  const begins = new Map<number, number>();
  for (const [i, { author }] of order.entries()) if (!begins.has(author)) begins.set(author, i);
  for (const [i, move] of order.entries())
    if (i >= from) lines.push(rowOf(view, move, i, { ...drawing, drawn, lane, begins }));
  if (drawn < participants.length)
    lines.push(`… ${participants.length - drawn} players do not fit: widen the terminal, or use --json`);
  return lines.map((line) => line.trimEnd());
}

interface Row extends Drawing {
  readonly drawn: number;
  readonly lane: number;
  /** Row of each lane's first move. */
  readonly begins: ReadonlyMap<number, number>;
}

function rowOf(view: View, move: Move, i: number, { ignored, drawn, lane, begins }: Row): string {
  const cells = Array.from({ length: drawn }, (_, author) =>
    fit(
      author === move.author ? labelOf(move, ignored) : i > (begins.get(author) ?? Infinity) ? "│" : "",
      lane,
    ),
  );
  const others = move.parents.filter((parent) => view.order[parent]!.author !== move.author);
  const sees = others.length === 0 ? "" : `sees ${others.map((parent) => parent + 1).join(", ")}`;
  // A move of a lane that is not drawn stands in words at the end.
  const hidden = move.author < drawn ? "" : `player ${move.author + 1}: ${labelOf(move, ignored)}  `;
  return `${String(i + 1).padStart(NUMBER - 2)}  ${cells.join("")}${hidden}${sees}`;
}

function labelOf({ entry, ref, body, inTime }: Move, ignored: ReadonlySet<Ref>): string {
  const mark = !inTime ? "◌" : ignored.has(ref) ? "○" : "●";
  const value = ["value", "choice", "amount"]
    .map((name) => own(body, name))
    .find((one) => typeof one === "string");
  return inertLine(`${mark} #${entry.seq} ${entry.type}${value === undefined ? "" : ` ${value}`}`);
}

/** Exactly so many characters, the last one a gap. */
function fit(text: string, width: number): string {
  const characters = [...text];
  return characters.length < width
    ? text + " ".repeat(width - characters.length)
    : `${characters.slice(0, width - 2).join("")}… `;
}
