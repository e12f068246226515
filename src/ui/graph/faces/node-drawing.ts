// How a node is drawn, as data: cytoscape and the small SVG pictures both draw from it, so that they look the same. Shape
// says what kind of entry it is; filling, hatching, strike and star say what became of it; colour says whose it is, and
// is never needed for the rest.

import { inertLine } from "../../../platform/inert.ts";
import { stateOf, type SessionGraph } from "../model/session-graph.ts";
import type { Face, Faces } from "./faces.ts";

export type NodeShape = "pill" | "card" | "hexagon" | "tag" | "note" | "octagon" | "hole";

export interface NodeDrawing {
  readonly shape: NodeShape;
  /** At most `MOST_TEXT` characters. */
  readonly text: string;
  readonly lock: boolean;
  /** Filled: it counts. */
  readonly solid: boolean;
  /** Hatched and struck: it does not count. */
  readonly struck: boolean;
  /** With a star: it won. */
  readonly star: boolean;
  readonly border: "solid" | "dashed" | "dotted" | "double";
  readonly tone: "lane" | "quiet" | "fail";
  readonly width: number;
}

export const NODE_HEIGHT = 32;
/** Longer values are shortened in the middle: what tells them apart is often at the end. */
export const MOST_TEXT = 9;
const LEAST_WIDTH = 34;
const MOST_WIDTH = 84;
const CHARACTER = 6.6;
const LOCK = 15;

export function drawNode(graph: SessionGraph, node: number, faces: Faces): NodeDrawing {
  const size = graph.size[node]!;
  if (size > 1) return drawing({ shape: "card", text: `+${size}`, border: "double" });
  const face = faces.of(graph, node);
  switch (stateOf(graph, node)) {
    case "failed":
      return drawing({ ...said(face), shape: "octagon", text: `✕ ${shorten(face.text, 7)}`, tone: "fail" });
    case "missing":
      return drawing({ shape: "hole", text: "?", border: "dashed", tone: "quiet" });
    case "void":
      return drawing({ ...said(face), border: "dashed", tone: "fail" });
    case "late":
      return drawing({ ...said(face), border: "double" });
    case "pending":
      return drawing({ ...said(face), border: "dashed" });
    case "unchecked":
      return drawing({ ...said(face), border: "dotted" });
    case "outside":
    case "passed":
      return drawing({ ...said(face), ...shapeOf(graph.types[node]!, face) });
  }
}

function said(face: Face): Partial<NodeDrawing> & Pick<NodeDrawing, "text"> {
  return {
    shape: face.sealed ? "card" : "pill",
    text: `${face.wins ? "★ " : ""}${shorten(face.text, face.wins ? MOST_TEXT - 1 : MOST_TEXT)}`,
    lock: face.sealed,
    solid: face.standing === "counts",
    struck: face.standing === "ignored",
    star: face.wins,
  };
}

function shapeOf(type: string, { standing, sealed }: Face): Partial<NodeDrawing> {
  if (type === "genesis") return { shape: "hexagon" };
  if (type === "invite" || type === "accept") return { shape: "tag", tone: "quiet" };
  if (sealed || standing !== "neutral") return {};
  return { shape: type === "evidence" ? "note" : "pill", tone: "quiet" };
}

function drawing(parts: Partial<NodeDrawing> & Pick<NodeDrawing, "text">): NodeDrawing {
  const { text, lock = false, shape = "pill" } = parts;
  const room = shape === "hexagon" || shape === "octagon" || shape === "tag" ? 26 : 18;
  const wide = [...text].length * CHARACTER + room + (lock && text !== "" ? LOCK : 0);
  return {
    shape,
    lock,
    solid: false,
    struck: false,
    star: false,
    border: "solid",
    tone: "lane",
    ...parts,
    width: shape === "hole" ? NODE_HEIGHT : Math.round(Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, wide))),
  };
}

/** The text in one line of at most so many characters; what would be invisible is shown by its code. */
export function shorten(text: string, most = MOST_TEXT): string {
  const characters = [...inertLine(text.slice(0, 400))];
  if (characters.length <= most) return characters.join("");
  const tail = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - tail).join("")}…${characters.slice(-tail).join("")}`;
}
