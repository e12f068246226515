// What is measured, in the page: the same graph by this project's stage (only what is in view exists) and by cytoscape
// with every element loaded, under the same style. The camera moves by script, one step a frame.

import cytoscape, { type ElementDefinition } from "cytoscape";
import "../../src/ui/theme/tokens.css";
import { createCameraStore } from "../../src/ui/graph/camera/camera-store.ts";
import { elementsStyle } from "../../src/ui/graph/draw/elements-style.ts";
import type { Camera } from "../../src/ui/graph/camera/geometry.ts";
import { sizeOf, xOf, yOf } from "../../src/ui/graph/camera/geometry.ts";
import { nodeClasses, nodeData } from "../../src/ui/graph/draw/node-element.ts";
import { PLAIN_FACES } from "../../src/ui/graph/faces/faces.ts";
import { GraphStage } from "../../src/ui/graph/draw/graph-stage.ts";
import { colourOf, readLook } from "../../src/ui/graph/draw/look.ts";
import { largeGraph } from "../../src/ui/graph/model/sample-graph.ts";
import { edgeKindOf, type SessionGraph } from "../../src/ui/graph/model/session-graph.ts";
import "./page.css";

export interface Measured {
  /** Milliseconds from the graph's arrays to the first picture on the screen. */
  readonly first: number;
  /** Until nothing more is added. */
  readonly settled: number;
  readonly panFps: number;
  readonly zoomFps: number;
  /** Longest task and number of tasks over 100 ms while panning and zooming. */
  readonly longest: number;
  readonly over100: number;
  readonly heapMb: number;
  /** Milliseconds to lay out the graph's arrays. */
  readonly layout: number;
}

interface Subject {
  moveTo(camera: Camera): void;
}

const LANES = 8;
const MOVE_MS = 2_500;

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
/** After the frame that was asked for has been painted. */
const painted = async () => {
  await frame();
  await new Promise((resolve) => setTimeout(resolve, 0));
};

async function ours(graph: SessionGraph): Promise<{ subject: Subject; first: number; settled: number }> {
  const { ElementsLayer } = await import("../../src/ui/graph/draw/elements-layer.ts");
  const start = performance.now();
  const layers: InstanceType<typeof ElementsLayer>[] = [];
  const stage = new GraphStage({
    canvas: document.getElementById("canvas") as HTMLCanvasElement,
    host: document.getElementById("host")!,
    graph,
    faces: PLAIN_FACES,
    camera: createCameraStore({ x: 0, y: 0, zoom: 1 }),
    gutter: 0,
    onTap: () => undefined,
    onHover: () => undefined,
    onFar: () => undefined,
    load: () =>
      Promise.resolve({
        ElementsLayer: class extends ElementsLayer {
          constructor(options: ConstructorParameters<typeof ElementsLayer>[0]) {
            super(options);
            layers.push(this);
          }
        },
      }),
  });
  await painted();
  const first = performance.now() - start;
  for (let same = 0, before = -1; same < 3;) {
    await painted();
    const size = layers[0]?.size ?? -1;
    same = size === before && size >= 0 ? same + 1 : 0;
    before = size;
  }
  return { subject: stage, first, settled: performance.now() - start };
}

async function allLoaded(graph: SessionGraph): Promise<{ subject: Subject; first: number; settled: number }> {
  const look = readLook(document.documentElement);
  const start = performance.now();
  const elements: ElementDefinition[] = [];
  for (let n = 0; n < graph.count; n++) {
    elements.push({
      group: "nodes",
      data: { id: `n${n}`, ...nodeData(graph, PLAIN_FACES, look, n) },
      classes: nodeClasses(graph, PLAIN_FACES, n),
      position: { x: xOf(graph, n), y: yOf(graph, n) },
    });
  }
  for (let e = 0; e < graph.edges.count; e++) {
    const from = graph.edges.from[e]!;
    elements.push({
      group: "edges",
      data: {
        id: `e${e}`,
        source: `n${from}`,
        target: `n${graph.edges.to[e]!}`,
        colour: colourOf(look, graph.lane[from]!),
      },
      classes: [edgeKindOf(graph, e)],
    });
  }
  const cy = cytoscape({
    container: document.getElementById("host"),
    style: elementsStyle(look),
    layout: { name: "preset", fit: false },
    elements,
    zoom: 1,
    pan: { x: 0, y: 0 },
    autoungrabify: true,
  });
  await new Promise<void>((resolve) => cy.one("render", () => resolve()));
  await painted();
  const first = performance.now() - start;
  const subject = {
    moveTo: ({ x, y, zoom }: Camera) => void cy.viewport({ zoom, pan: { x, y } }),
  };
  return { subject, first, settled: first };
}

async function move(camera: (frames: number) => Camera, subject: Subject): Promise<number> {
  const start = performance.now();
  let frames = 0;
  while (performance.now() - start < MOVE_MS) {
    subject.moveTo(camera(frames++));
    await frame();
  }
  return (frames * 1000) / (performance.now() - start);
}

async function measure(what: "ours" | "all", count: number): Promise<Measured> {
  const began = performance.now();
  const graph = largeGraph(count, LANES, seeded(count));
  const layout = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { subject, first, settled } = await (what === "ours" ? ours(graph) : allLoaded(graph));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const tasks: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) tasks.push(entry.duration);
  });
  observer.observe({ type: "longtask" });
  const { width, height } = sizeOf(graph);
  const zoom = Math.min(1, 560 / height);
  const reach = Math.max(1, width * zoom - 1240);
  const panFps = await move((f) => ({ zoom, x: -((f * 12) % reach), y: 0 }), subject);
  const zoomFps = await move((f) => {
    const wave = (1 - Math.cos(f / 30)) / 2;
    const at = Math.exp(Math.log(0.03) * wave) * zoom;
    return { zoom: at, x: 620 - 2_000 * at, y: 280 - (height / 2) * at };
  }, subject);
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  (globalThis as { gc?: () => void }).gc?.();
  const memory = (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory;
  return {
    first,
    settled,
    panFps,
    zoomFps,
    longest: tasks.reduce((most, task) => Math.max(most, task), 0),
    over100: tasks.filter((task) => task > 100).length,
    heapMb: (memory?.usedJSHeapSize ?? 0) / 1e6,
    layout,
  };
}

declare global {
  interface Window {
    measureGraph: typeof measure;
  }
}
window.measureGraph = measure;
