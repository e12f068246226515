// The far view: entries counted into cells of a grid, each with its worst state, to be painted on a canvas. One pass over
// the columns in view.

import { COLUMN_WIDTH, ROW_HEIGHT, type Box } from "./geometry.ts";
import { NODE_STATES, type SessionGraph } from "../model/session-graph.ts";

export interface Summary {
  /** First row and column shown, and how many columns (and rows) go into one cell. */
  readonly row: number;
  readonly column: number;
  readonly columnsPerCell: number;
  readonly rowsPerCell: number;
  readonly across: number;
  readonly down: number;
  /** Entries by cell, row after row. */
  readonly counts: Uint32Array;
  /** Index into NODE_STATES of the worst state in the cell (the lowest index); meaningless where the count is 0. */
  readonly worst: Uint8Array;
}

/** @param most cells across and down at most */
export function summarise(
  graph: SessionGraph,
  box: Box,
  most: { readonly across: number; readonly down: number },
): Summary {
  const column = clamp(Math.floor(box.left / COLUMN_WIDTH), 0, graph.columns);
  const lastColumn = clamp(Math.ceil(box.right / COLUMN_WIDTH), column, graph.columns);
  const row = clamp(Math.floor(box.top / ROW_HEIGHT), 0, graph.rows);
  const lastRow = clamp(Math.ceil(box.bottom / ROW_HEIGHT), row, graph.rows);
  const columnsPerCell = Math.max(1, Math.ceil((lastColumn - column) / Math.max(1, most.across)));
  const rowsPerCell = Math.max(1, Math.ceil((lastRow - row) / Math.max(1, most.down)));
  const across = Math.ceil((lastColumn - column) / columnsPerCell);
  const down = Math.ceil((lastRow - row) / rowsPerCell);
  const counts = new Uint32Array(across * down);
  const worst = new Uint8Array(across * down).fill(NODE_STATES.length);
  for (let i = graph.columnStart[column]!; i < graph.columnStart[lastColumn]!; i++) {
    const n = graph.byColumn[i]!;
    const y = graph.row[n]!;
    if (y < row || y >= lastRow) continue;
    const x = Math.floor((graph.column[n]! - column) / columnsPerCell);
    const cell = Math.floor((y - row) / rowsPerCell) * across + x;
    counts[cell]! += graph.size[n]!;
    if (graph.state[n]! < worst[cell]!) worst[cell] = graph.state[n]!;
  }
  return { row, column, columnsPerCell, rowsPerCell, across, down, counts, worst };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
