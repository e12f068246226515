// Which nodes and edges exist as elements: those in the viewport and a margin, brought in and taken out in small steps.
// An edge with one end outside gets a bare end there; an edge that only passes over is not drawn.

import {
  boxOf,
  COLUMN_WIDTH,
  ROW_HEIGHT,
  SUMMARY_ZOOM,
  type Box,
  type Camera,
  type Size,
} from "./geometry.ts";
import type { SessionGraph } from "../model/session-graph.ts";

/** Indices of nodes and edges. `ends`: nodes outside the window that only hold an edge's far end. */
export interface Elements {
  readonly nodes: ReadonlySet<number>;
  readonly ends: ReadonlySet<number>;
  readonly edges: ReadonlySet<number>;
}

export const NO_ELEMENTS: Elements = { nodes: new Set(), ends: new Set(), edges: new Set() };

/** Edges out of the window that one node may have, so that one much-cited entry can't bring in thousands. */
const MAX_OUTWARD = 6;

/** The elements of a part of the picture, and `margin` (model units) around it. O(what is in those columns). */
export function visible(graph: SessionGraph, box: Box, margin: number): Elements {
  const nodes = new Set<number>();
  const first = Math.max(0, Math.floor((box.left - margin) / COLUMN_WIDTH));
  const last = Math.min(graph.columns - 1, Math.floor((box.right + margin) / COLUMN_WIDTH));
  const top = (box.top - margin) / ROW_HEIGHT - 1;
  const bottom = (box.bottom + margin) / ROW_HEIGHT;
  if (last < first) return NO_ELEMENTS;
  for (let i = graph.columnStart[first]!; i < graph.columnStart[last + 1]!; i++) {
    const n = graph.byColumn[i]!;
    if (graph.row[n]! >= top && graph.row[n]! <= bottom) nodes.add(n);
  }
  const ends = new Set<number>();
  const edges = new Set<number>();
  for (const n of nodes) {
    let outward = 0;
    for (const { list, start, far } of [
      { ...graph.parents, far: graph.edges.to },
      { ...graph.children, far: graph.edges.from },
    ])
      for (let i = start[n]!; i < start[n + 1]!; i++) {
        const edge = list[i]!;
        const other = far[edge]!;
        if (!nodes.has(other)) {
          if (++outward > MAX_OUTWARD) break;
          ends.add(other);
        }
        edges.add(edge);
      }
  }
  return { nodes, ends, edges };
}

/** Whether a box holds so many nodes that elements would be too many; counts no further than it must. */
export function isCrowded(graph: SessionGraph, box: Box, most: number): boolean {
  const first = Math.max(0, Math.floor(box.left / COLUMN_WIDTH));
  const last = Math.min(graph.columns - 1, Math.floor(box.right / COLUMN_WIDTH));
  if (last < first) return false;
  if (graph.columnStart[last + 1]! - graph.columnStart[first]! <= most) return false;
  const top = box.top / ROW_HEIGHT - 1;
  const bottom = box.bottom / ROW_HEIGHT;
  let count = 0;
  for (let i = graph.columnStart[first]!; i < graph.columnStart[last + 1]!; i++) {
    const row = graph.row[graph.byColumn[i]!]!;
    if (row >= top && row <= bottom && ++count > most) return true;
  }
  return false;
}

/** Changes in the order in which they must be applied: nodes before their edges, edges gone before their nodes. */
export interface Change {
  readonly addNodes: readonly number[];
  readonly addEnds: readonly number[];
  readonly addEdges: readonly number[];
  readonly removeEdges: readonly number[];
  /** Nodes and bare ends alike. */
  readonly removeNodes: readonly number[];
  /** Bare ends that become nodes, and the reverse. */
  readonly restyle: readonly number[];
  readonly size: number;
}

/** What leads from one set of elements to another. */
export function diff(prev: Elements, next: Elements): Change {
  const addNodes: number[] = [];
  const addEnds: number[] = [];
  const restyle: number[] = [];
  const removeNodes: number[] = [];
  for (const n of next.nodes) if (!prev.nodes.has(n)) (prev.ends.has(n) ? restyle : addNodes).push(n);
  for (const n of next.ends) if (!prev.ends.has(n)) (prev.nodes.has(n) ? restyle : addEnds).push(n);
  for (const n of prev.nodes) if (!next.nodes.has(n) && !next.ends.has(n)) removeNodes.push(n);
  for (const n of prev.ends) if (!next.nodes.has(n) && !next.ends.has(n)) removeNodes.push(n);
  const addEdges = [...next.edges].filter((e) => !prev.edges.has(e));
  const removeEdges = [...prev.edges].filter((e) => !next.edges.has(e));
  const size =
    addNodes.length +
    addEnds.length +
    addEdges.length +
    removeEdges.length +
    removeNodes.length +
    restyle.length;
  return { addNodes, addEnds, addEdges, removeEdges, removeNodes, restyle, size };
}

/** The first `most` parts of a change; applying step after step leads to the same end. */
export function firstStep(change: Change, most: number): Change {
  let room = most;
  const take = (list: readonly number[]): readonly number[] => {
    const part = list.length <= room ? list : list.slice(0, room);
    room -= part.length;
    return part;
  };
  const restyle = take(change.restyle);
  const addNodes = take(change.addNodes);
  const addEnds = take(change.addEnds);
  const addEdges = take(change.addEdges);
  const removeEdges = take(change.removeEdges);
  const removeNodes = take(change.removeNodes);
  return { restyle, addNodes, addEnds, addEdges, removeEdges, removeNodes, size: most - room };
}

/** The elements after a change. `next` tells which restyled ones are nodes now. */
export function apply(prev: Elements, change: Change, next: Elements): Elements {
  const nodes = new Set(prev.nodes);
  const ends = new Set(prev.ends);
  const edges = new Set(prev.edges);
  for (const n of change.restyle) {
    const [to, from] = next.nodes.has(n) ? [nodes, ends] : [ends, nodes];
    from.delete(n);
    to.add(n);
  }
  for (const n of change.addNodes) nodes.add(n);
  for (const n of change.addEnds) ends.add(n);
  for (const e of change.addEdges) edges.add(e);
  for (const e of change.removeEdges) edges.delete(e);
  for (const n of change.removeNodes) {
    nodes.delete(n);
    ends.delete(n);
  }
  return { nodes, ends, edges };
}

/** With more nodes in view there is only the summary. */
export const MOST_NODES = 420;

/** Whether entries are only summed up at this camera, not told apart. */
export function isFar(graph: SessionGraph, camera: Camera, screen: Size): boolean {
  return camera.zoom < SUMMARY_ZOOM || isCrowded(graph, boxOf(camera, screen), MOST_NODES);
}
