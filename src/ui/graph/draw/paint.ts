// The canvas under the elements: bands of the lanes, and either a dot per entry or, far off, the summary. It is the
// first picture, and what is seen while elements come and go.

import {
  boxOf,
  COLUMN_WIDTH,
  ROW_HEIGHT,
  rowsOnScreen,
  type Box,
  type Camera,
  type Size,
} from "../camera/geometry.ts";
import { colourOf, type Look } from "./look.ts";
import { NODE_STATES, type SessionGraph } from "../model/session-graph.ts";
import { summarise } from "../camera/summary.ts";

const FAILED = NODE_STATES.indexOf("failed");
const MISSING = NODE_STATES.indexOf("missing");
const VOID = NODE_STATES.indexOf("void");
const OUTSIDE = NODE_STATES.indexOf("outside");

/** The part of a canvas that painting needs. */
export type Brush = Pick<
  CanvasRenderingContext2D,
  | "clearRect"
  | "fillRect"
  | "beginPath"
  | "arc"
  | "fill"
  | "stroke"
  | "moveTo"
  | "lineTo"
  | "setTransform"
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
>;

export interface PaintOptions {
  readonly screen: Size;
  readonly ratio: number;
  readonly look: Look;
  /** 1: drawn faintly (filtered out, or after the cut). */
  readonly dim: Uint8Array | null;
  /** Far off: cells instead of dots. */
  readonly summary: boolean;
  /** Lines between the dots too, until there are elements. */
  readonly edges: boolean;
}

export function paint(brush: Brush, graph: SessionGraph, camera: Camera, options: PaintOptions): void {
  const { screen, ratio } = options;
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush.clearRect(0, 0, screen.width, screen.height);
  const box = boxOf(camera, screen);
  paintLanes(brush, graph, camera, options);
  if (options.summary) paintSummary(brush, graph, camera, box, options);
  else paintDots(brush, graph, camera, box, options);
  brush.globalAlpha = 1;
}

function paintLanes(
  brush: Brush,
  graph: SessionGraph,
  camera: Camera,
  { screen, look, summary }: PaintOptions,
): void {
  brush.globalAlpha = 1;
  const rows = rowsOnScreen(graph, camera, screen, summary);
  graph.lanes.forEach((lane, i) => {
    const top = lane.top * rows.height + rows.top;
    const height = lane.rows * rows.height;
    if (top > screen.height || top + height < 0) return;
    if (i % 2 === 1) {
      brush.fillStyle = look.band;
      brush.fillRect(0, top, screen.width, height);
    }
    brush.fillStyle = look.line;
    brush.fillRect(0, Math.round(top + height), screen.width, 1);
  });
}

function paintSummary(
  brush: Brush,
  graph: SessionGraph,
  camera: Camera,
  box: Box,
  { screen, look }: PaintOptions,
): void {
  const rows = rowsOnScreen(graph, camera, screen, true);
  const stretched = rows.height > ROW_HEIGHT * camera.zoom;
  const inView = stretched ? { ...box, top: 0, bottom: graph.rows * ROW_HEIGHT } : box;
  const cells = summarise(graph, inView, {
    across: Math.ceil(screen.width / 4),
    down: Math.ceil(screen.height / 4),
  });
  const width = cells.columnsPerCell * COLUMN_WIDTH * camera.zoom;
  const height = cells.rowsPerCell * rows.height;
  const laneOfRow = laneByRow(graph);
  const full = cells.columnsPerCell * cells.rowsPerCell;
  const bar = Math.max(2, Math.min(height * 0.62, 22));
  for (let y = 0; y < cells.down; y++) {
    const row = cells.row + y * cells.rowsPerCell;
    const top = row * rows.height + rows.top + (height - bar) / 2;
    const colour = colourOf(look, laneOfRow[Math.min(row, laneOfRow.length - 1)] ?? 0);
    for (let x = 0; x < cells.across; x++) {
      const cell = y * cells.across + x;
      if (cells.counts[cell] === 0) continue;
      const left = (cells.column + x * cells.columnsPerCell) * COLUMN_WIDTH * camera.zoom + camera.x;
      const worst = cells.worst[cell]!;
      const bad = worst === FAILED || worst === MISSING || worst === VOID;
      brush.globalAlpha = bad ? 1 : 0.3 + 0.6 * Math.min(1, cells.counts[cell]! / full);
      brush.fillStyle = bad ? look.fail : colour;
      brush.fillRect(left, bad ? top - 2 : top, Math.max(1.5, width - 0.5), bad ? bar + 4 : bar);
    }
  }
}

function paintDots(
  brush: Brush,
  graph: SessionGraph,
  camera: Camera,
  box: Box,
  { look, dim, edges }: PaintOptions,
): void {
  const first = Math.max(0, Math.floor(box.left / COLUMN_WIDTH));
  const last = Math.min(graph.columns - 1, Math.floor(box.right / COLUMN_WIDTH));
  if (last < first) return;
  const x = (n: number) => (graph.column[n]! + 0.5) * COLUMN_WIDTH * camera.zoom + camera.x;
  const y = (n: number) => (graph.row[n]! + 0.5) * ROW_HEIGHT * camera.zoom + camera.y;
  const radius = Math.max(1.5, (edges ? 11 : 5) * camera.zoom);
  const from = graph.columnStart[first]!;
  const to = graph.columnStart[last + 1]!;
  if (edges) {
    brush.beginPath();
    brush.globalAlpha = 0.5;
    brush.strokeStyle = look.lineStrong;
    brush.lineWidth = 1;
    for (let i = from; i < to; i++) {
      const n = graph.byColumn[i]!;
      for (let k = graph.parents.start[n]!; k < graph.parents.start[n + 1]!; k++) {
        const parent = graph.edges.to[graph.parents.list[k]!]!;
        brush.moveTo(x(n), y(n));
        brush.lineTo(x(parent), y(parent));
      }
    }
    brush.stroke();
  }
  for (let i = from; i < to; i++) {
    const n = graph.byColumn[i]!;
    const state = graph.state[n]!;
    brush.globalAlpha = dim?.[n] === 1 ? 0.12 : state === OUTSIDE || state === MISSING ? 0.35 : 0.85;
    brush.fillStyle = state === FAILED ? look.fail : colourOf(look, graph.lane[n]!);
    brush.beginPath();
    brush.arc(x(n), y(n), radius, 0, 2 * Math.PI);
    brush.fill();
  }
}

function laneByRow(graph: SessionGraph): Uint16Array {
  const lanes = new Uint16Array(graph.rows);
  graph.lanes.forEach(({ top, rows }, i) => lanes.fill(i, top, top + rows));
  return lanes;
}
