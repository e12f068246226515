// Where a lane, row and column stand in the picture, in model units (pixels at zoom 1).

import type { SessionGraph } from "../model/session-graph.ts";

export const COLUMN_WIDTH = 104;
export const ROW_HEIGHT = 60;
/** Below this zoom single entries are too small to tell apart: a summary is drawn instead. */
export const SUMMARY_ZOOM = 0.4;

/** A rectangle of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** On screen = model × zoom + pan. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function xOf(graph: SessionGraph, node: number): number {
  return (graph.column[node]! + 0.5) * COLUMN_WIDTH;
}

export function yOf(graph: SessionGraph, node: number): number {
  return (graph.row[node]! + 0.5) * ROW_HEIGHT;
}

export function sizeOf(graph: SessionGraph): Size {
  return { width: graph.columns * COLUMN_WIDTH, height: graph.rows * ROW_HEIGHT };
}

/** The part of the picture that a camera shows. */
export function boxOf(camera: Camera, screen: Size): Box {
  return {
    left: -camera.x / camera.zoom,
    top: -camera.y / camera.zoom,
    right: (screen.width - camera.x) / camera.zoom,
    bottom: (screen.height - camera.y) / camera.zoom,
  };
}

export interface FitOptions {
  /** Room kept at the left for the lanes' names, in pixels. */
  readonly gutter: number;
  readonly least: number;
  readonly most: number;
}

/** The camera that shows all of it; where that would be smaller than `least`, its beginning. */
export function fit(graph: SessionGraph, screen: Size, { gutter, least, most }: FitOptions): Camera {
  const { width, height } = sizeOf(graph);
  const across = (screen.width - gutter) / width;
  const zoom = Math.max(least, Math.min(most, across, screen.height / height));
  const x = gutter + Math.max(0, (screen.width - gutter - width * zoom) / 2);
  return { x: Math.min(x, gutter + 24), y: Math.max(0, (screen.height - height * zoom) / 2), zoom };
}

/** The camera moved just so far that a node is well inside the screen. */
export function reveal(
  graph: SessionGraph,
  node: number,
  camera: Camera,
  screen: Size,
  gutter: number,
): Camera {
  const edge = 48;
  const inside = (at: number, low: number, high: number) => (at < low ? low - at : at > high ? high - at : 0);
  const atX = xOf(graph, node) * camera.zoom + camera.x;
  const atY = yOf(graph, node) * camera.zoom + camera.y;
  return {
    zoom: camera.zoom,
    x: camera.x + inside(atX, gutter + edge, Math.max(gutter + edge, screen.width - edge)),
    y: camera.y + inside(atY, edge, Math.max(edge, screen.height - edge)),
  };
}

export interface RowsOnScreen {
  /** Pixels at which the first row begins, and of one row. */
  readonly top: number;
  readonly height: number;
}

/** Rows as high as this can be read as bars. */
const READABLE_ROW = 30;

/**
 * Where the rows stand on screen. Far off, where a long session would shrink to a line, the summary keeps its rows
 * readable: height is no time, so nothing is lost by stretching it.
 */
export function rowsOnScreen(graph: SessionGraph, camera: Camera, screen: Size, far: boolean): RowsOnScreen {
  const height = ROW_HEIGHT * camera.zoom;
  if (!far || height >= READABLE_ROW || graph.rows * height >= screen.height * 0.6)
    return { top: camera.y, height };
  const stretched = Math.max(height, Math.min(READABLE_ROW, (screen.height * 0.8) / graph.rows));
  return { top: (screen.height - stretched * graph.rows) / 2, height: stretched };
}
