// The one file that imports cytoscape. It holds only the elements in and near the viewport, and applies differences in
// small steps, one a frame; the camera is cytoscape's, and everybody else follows it. Loaded when it is needed.

import cytoscape, { type Core, type ElementDefinition } from "cytoscape";
import type { Faces } from "../faces/faces.ts";
import { elementsStyle } from "./elements-style.ts";
import { nodeClasses, nodeData } from "./node-element.ts";
import { boxOf, xOf, yOf, type Camera, type Size } from "../camera/geometry.ts";
import { colourOf, type Look } from "./look.ts";
import { EDGE_KINDS, type SessionGraph } from "../model/session-graph.ts";
import {
  apply,
  diff,
  firstStep,
  isFar,
  NO_ELEMENTS,
  visible,
  type Change,
  type Elements,
} from "../camera/window.ts";

/** Elements changed in one frame: fewer where frames come late, more where they are on time. */
const STEP = { first: 60, least: 8, most: 120 };
const LATE_MS = 30;
const ON_TIME_MS = 19;
/** While the zoom changes nothing is added: it would be gone before it is seen, and the canvas has the dots. */
const STEADY_MS = 90;
/** Kept ready beyond the screen's edge, in pixels; the window is chosen anew only after the camera has gone so far. */
const MARGIN = 420;
const HYSTERESIS = 180;

export interface LayerOptions {
  readonly host: HTMLElement;
  readonly graph: SessionGraph;
  readonly faces: Faces;
  readonly look: Look;
  readonly camera: Camera;
  readonly limits: { readonly least: number; readonly most: number };
  readonly onCamera: (camera: Camera) => void;
  readonly onTap: (node: number | null) => void;
  readonly onHover: (node: number | null) => void;
}

export class ElementsLayer {
  readonly #cy: Core;
  readonly #options: LayerOptions;
  #graph: SessionGraph;
  #faces: Faces;
  #look: Look;
  #present: Elements = NO_ELEMENTS;
  #wanted: Elements = NO_ELEMENTS;
  #dim: Uint8Array | null = null;
  #lit: Uint8Array | null = null;
  #selected = -1;
  #frame = 0;
  #ended = false;
  #step = STEP.first;
  #lastFrame = 0;
  #zoomedAt = -Infinity;
  #chosenAt: { readonly camera: Camera; readonly screen: Size; readonly graph: SessionGraph } | null = null;
  #zoom = 0;

  constructor(options: LayerOptions) {
    this.#options = options;
    this.#graph = options.graph;
    this.#faces = options.faces;
    this.#look = options.look;
    forbidStyleTag(options.host.ownerDocument);
    this.#cy = cytoscape({
      container: options.host,
      style: elementsStyle(options.look),
      layout: { name: "preset" },
      minZoom: options.limits.least,
      maxZoom: options.limits.most,
      zoom: options.camera.zoom,
      pan: { x: options.camera.x, y: options.camera.y },
      autoungrabify: true,
      autounselectify: true,
      boxSelectionEnabled: false,
    });
    this.#zoom = options.camera.zoom;
    this.#cy.on("viewport", () => {
      if (this.#cy.zoom() !== this.#zoom) this.#zoomedAt = performance.now();
      this.#zoom = this.#cy.zoom();
      this.#options.onCamera(this.camera);
      this.#schedule();
    });
    this.#cy.on("resize", () => this.#schedule());
    this.#cy.on("tap", (event) => {
      const target = event.target as { data?: (name: string) => unknown };
      const node = event.target === this.#cy ? undefined : target.data?.("node");
      this.#options.onTap(typeof node === "number" ? node : null);
    });
    this.#cy.on("mouseover", "node", (event) => {
      const node = (event.target as { data: (name: string) => unknown }).data("node");
      this.#options.onHover(typeof node === "number" ? node : null);
    });
    this.#cy.on("mouseout", "node", () => this.#options.onHover(null));
    this.#schedule();
  }

  get camera(): Camera {
    const { x, y } = this.#cy.pan();
    return { x, y, zoom: this.#cy.zoom() };
  }

  /** Elements that exist now. */
  get size(): number {
    return this.#cy.elements().length;
  }

  moveTo(camera: Camera): void {
    this.#cy.viewport({ zoom: camera.zoom, pan: { x: camera.x, y: camera.y } });
  }

  /** The container's size changed, or it was shown. */
  resize(): void {
    this.#cy.resize();
    this.#schedule();
  }

  setGraph(graph: SessionGraph, faces: Faces): void {
    if (graph === this.#graph) {
      if (faces !== this.#faces) this.#setFaces(faces);
      return;
    }
    this.#graph = graph;
    this.#faces = faces;
    this.#present = NO_ELEMENTS;
    this.#selected = -1;
    this.#dim = null;
    this.#lit = null;
    this.#cy.elements().remove();
    this.#schedule();
  }

  /** The same nodes with other faces: a cut, or a verdict that has grown. */
  #setFaces(faces: Faces): void {
    this.#faces = faces;
    this.#cy.batch(() => {
      for (const n of this.#present.nodes) {
        const element = this.#cy.getElementById(`n${n}`);
        element.data(this.#dataOf(n));
        element.classes(this.#classesOf(n, false));
      }
    });
  }

  setLook(look: Look): void {
    this.#look = look;
    this.#cy.batch(() => {
      for (const n of this.#present.nodes)
        this.#cy.getElementById(`n${n}`).data("colour", colourOf(look, this.#graph.lane[n]!));
      for (const e of this.#present.edges)
        this.#cy
          .getElementById(`e${e}`)
          .data("colour", colourOf(look, this.#graph.lane[this.#graph.edges.from[e]!]!));
    });
    this.#cy.style(elementsStyle(look));
  }

  /** `dim`: 1 for nodes to be drawn faintly. */
  setMarks(selected: number, dim: Uint8Array | null): void {
    const dimmed = dim !== this.#dim;
    this.#selected = selected;
    this.#dim = dim;
    this.#cy.batch(() => {
      this.#cy.elements(".selected, .near").removeClass("selected near");
      if (dimmed) this.#markDim();
      if (selected < 0) return;
      const node = this.#cy.getElementById(`n${selected}`);
      node.addClass("selected");
      node.connectedEdges().addClass("near");
    });
  }

  setLight(lit: Uint8Array | null): void {
    if (lit === this.#lit) return;
    this.#lit = lit;
    this.#cy.batch(() => {
      for (const n of this.#present.nodes)
        this.#cy.getElementById(`n${n}`).toggleClass("unlit", lit !== null && lit[n] === 0);
      for (const e of this.#present.edges)
        this.#cy.getElementById(`e${e}`).toggleClass("unlit", this.#isUnlitEdge(e));
    });
  }

  #isUnlitEdge(e: number): boolean {
    const { from, to } = this.#graph.edges;
    return this.#lit !== null && (this.#lit[from[e]!] === 0 || this.#lit[to[e]!] === 0);
  }

  #markDim(): void {
    for (const n of this.#present.nodes) this.#cy.getElementById(`n${n}`).toggleClass("dim", this.#isDim(n));
    for (const e of this.#present.edges)
      this.#cy.getElementById(`e${e}`).toggleClass("dim", this.#isDimEdge(e));
  }

  destroy(): void {
    this.#ended = true;
    cancelAnimationFrame(this.#frame);
    this.#cy.destroy();
  }

  #schedule(): void {
    if (this.#ended || this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      const gap = now - this.#lastFrame;
      this.#lastFrame = now;
      if (gap > LATE_MS) this.#step = Math.max(STEP.least, Math.floor(this.#step * 0.6));
      else if (gap < ON_TIME_MS) this.#step = Math.min(STEP.most, this.#step + 8);
      this.#approach(now);
    });
  }

  /** One step from the elements that exist to those that should. */
  #approach(now: number): void {
    const screen = { width: this.#cy.width(), height: this.#cy.height() };
    if (this.#ended || screen.width === 0) return;
    const camera = this.camera;
    if (this.#hasMoved(camera, screen)) {
      this.#wanted = isFar(this.#graph, camera, screen)
        ? NO_ELEMENTS
        : visible(this.#graph, boxOf(camera, screen), MARGIN / camera.zoom);
      this.#chosenAt = { camera, screen, graph: this.#graph };
    }
    const whole = diff(this.#present, this.#wanted);
    if (whole.size === 0) return;
    if (now - this.#zoomedAt < STEADY_MS) {
      this.#schedule();
      return;
    }
    const change = firstStep(whole, this.#step);
    this.#apply(change);
    this.#present = apply(this.#present, change, this.#wanted);
    this.#schedule();
  }

  /** Changes come in bursts with calm between them: cytoscape draws from its caches while nothing changes. */
  #hasMoved(camera: Camera, screen: Size): boolean {
    const last = this.#chosenAt;
    if (last === null || last.graph !== this.#graph || last.camera.zoom !== camera.zoom) return true;
    if (last.screen.width !== screen.width || last.screen.height !== screen.height) return true;
    const far = Math.max(Math.abs(last.camera.x - camera.x), Math.abs(last.camera.y - camera.y));
    return far > HYSTERESIS;
  }

  #apply(change: Change): void {
    this.#cy.batch(() => {
      for (const n of change.restyle)
        this.#cy.getElementById(`n${n}`).classes(this.#classesOf(n, !this.#wanted.nodes.has(n)));
      const added: ElementDefinition[] = [];
      for (const n of change.addNodes) added.push(this.#node(n, false));
      for (const n of change.addEnds) added.push(this.#node(n, true));
      for (const e of change.addEdges) added.push(this.#edge(e));
      if (added.length > 0) this.#cy.add(added);
      for (const e of change.removeEdges) this.#cy.getElementById(`e${e}`).remove();
      for (const n of change.removeNodes) this.#cy.getElementById(`n${n}`).remove();
    });
  }

  #node(n: number, end: boolean): ElementDefinition {
    const graph = this.#graph;
    return {
      group: "nodes",
      data: { id: `n${n}`, ...this.#dataOf(n) },
      classes: this.#classesOf(n, end),
      position: { x: xOf(graph, n), y: yOf(graph, n) },
    };
  }

  #dataOf(n: number) {
    return nodeData(this.#graph, this.#faces, this.#look, n);
  }

  #classesOf(n: number, end: boolean): string[] {
    if (end) return ["end"];
    const classes = nodeClasses(this.#graph, this.#faces, n);
    if (n === this.#selected) classes.push("selected");
    if (this.#isDim(n)) classes.push("dim");
    if (this.#lit !== null && this.#lit[n] === 0) classes.push("unlit");
    return classes;
  }

  #edge(e: number): ElementDefinition {
    const { from, to, kind } = this.#graph.edges;
    const classes: string[] = [EDGE_KINDS[kind[e]!]!];
    if (from[e] === this.#selected || to[e] === this.#selected) classes.push("near");
    if (this.#isDimEdge(e)) classes.push("dim");
    if (this.#isUnlitEdge(e)) classes.push("unlit");
    return {
      group: "edges",
      data: {
        id: `e${e}`,
        source: `n${from[e]}`,
        target: `n${to[e]}`,
        colour: colourOf(this.#look, this.#graph.lane[from[e]!]!),
      },
      classes,
    };
  }

  #isDim(n: number): boolean {
    return this.#dim?.[n] === 1;
  }

  #isDimEdge(e: number): boolean {
    return this.#isDim(this.#graph.edges.from[e]!) || this.#isDim(this.#graph.edges.to[e]!);
  }
}

/**
 * cytoscape adds a style element to the head unless an element of this id is there; the page's policy forbids style
 * elements, so an empty one of another kind stands in. Its one rule (position: relative) is in our own sheet.
 */
function forbidStyleTag(document: Document): void {
  const id = "__________cytoscape_stylesheet";
  if (document.getElementById(id) !== null) return;
  const stand = document.createElement("meta");
  stand.id = id;
  document.head.append(stand);
}
