// A node's drawing in cytoscape's words: its data and its classes.

import type { Faces } from "../faces/faces.ts";
import { drawNode, type NodeShape } from "../faces/node-drawing.ts";
import type { SessionGraph } from "../model/session-graph.ts";
import { colourOf, type Look } from "./look.ts";

const SHAPES: { readonly [shape in NodeShape]: { readonly shape: string; readonly radius: number } } = {
  pill: { shape: "round-rectangle", radius: 16 },
  card: { shape: "round-rectangle", radius: 4 },
  hexagon: { shape: "hexagon", radius: 0 },
  tag: { shape: "tag", radius: 0 },
  note: { shape: "cut-rectangle", radius: 8 },
  octagon: { shape: "octagon", radius: 0 },
  hole: { shape: "ellipse", radius: 0 },
};

export function nodeData(graph: SessionGraph, faces: Faces, look: Look, node: number) {
  const { text, width, shape } = drawNode(graph, node, faces);
  return { node, text, width, ...SHAPES[shape], colour: colourOf(look, graph.lane[node]!) };
}

export function nodeClasses(graph: SessionGraph, faces: Faces, node: number): string[] {
  const drawn = drawNode(graph, node, faces);
  const classes: string[] = [drawn.solid ? "solid" : "hollow", drawn.tone, `border-${drawn.border}`];
  if (drawn.lock) classes.push(drawn.text === "" ? "shut" : "lock");
  if (drawn.struck) classes.push("struck");
  if (drawn.star) classes.push("star");
  if (graph.tainted[node] === 1) classes.push("tainted");
  return classes;
}
