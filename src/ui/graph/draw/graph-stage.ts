// The picture without React: a canvas that paints at once, and the elements that join when cytoscape has loaded. Safe to
// end at any moment and to begin again (strict mode); does nothing while it has no size (a hidden tab).

import type { CameraStore } from "../camera/camera-store.ts";
import type { ElementsLayer } from "./elements-layer.ts";
import { fit, reveal, sizeOf, type Camera, type Size } from "../camera/geometry.ts";
import { onThemeChange, readLook, type Look } from "./look.ts";
import { paint } from "./paint.ts";
import type { Faces } from "../faces/faces.ts";
import type { SessionGraph } from "../model/session-graph.ts";
import { isFar } from "../camera/window.ts";

export const LIMITS = { least: 0.02, most: 2.5 };

export interface StageOptions {
  readonly canvas: HTMLCanvasElement;
  /** Where cytoscape draws; covers the canvas. */
  readonly host: HTMLElement;
  readonly graph: SessionGraph;
  readonly faces: Faces;
  readonly camera: CameraStore;
  /** Pixels at the left that the lanes' names cover. */
  readonly gutter: number;
  readonly onTap: (node: number | null) => void;
  readonly onHover: (node: number | null) => void;
  readonly onFar: (far: boolean) => void;
  readonly load: () => Promise<{ ElementsLayer: typeof ElementsLayer }>;
}

export class GraphStage {
  readonly #options: StageOptions;
  readonly #brush: CanvasRenderingContext2D | null;
  readonly #stops: (() => void)[] = [];
  #graph: SessionGraph;
  #faces: Faces;
  #look: Look;
  #layer: ElementsLayer | null = null;
  #screen: Size = { width: 0, height: 0 };
  #selected = -1;
  #dim: Uint8Array | null = null;
  #lit: Uint8Array | null = null;
  #frame = 0;
  #ended = false;
  #far: boolean | null = null;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#graph = options.graph;
    this.#faces = options.faces;
    this.#brush = options.canvas.getContext("2d");
    const root = document.documentElement;
    this.#look = readLook(root);
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(options.host);
    this.#stops.push(
      () => observer.disconnect(),
      options.camera.subscribe(() => this.#schedule()),
      onThemeChange(root, () => {
        this.#look = readLook(root);
        this.#layer?.setLook(this.#look);
        this.#schedule();
      }),
    );
  }

  get screen(): Size {
    return this.#screen;
  }

  setGraph(graph: SessionGraph, faces: Faces): void {
    if (graph === this.#graph && faces === this.#faces) return;
    this.#graph = graph;
    this.#faces = faces;
    this.#layer?.setGraph(graph, faces);
    this.#schedule();
  }

  setMarks(selected: number, dim: Uint8Array | null): void {
    this.#selected = selected;
    this.#dim = dim;
    this.#layer?.setMarks(selected, dim);
    this.#schedule();
  }

  /** 1 for nodes that stay bright while an entry is pointed at; null: all. */
  setLight(lit: Uint8Array | null): void {
    this.#lit = lit;
    this.#layer?.setLight(lit);
  }

  moveTo(camera: Camera): void {
    this.#options.camera.set(camera);
    this.#layer?.moveTo(camera);
  }

  /** Brings a node into view, if it is not. */
  reveal(node: number): void {
    if (this.#screen.width === 0) return;
    const camera = this.#options.camera.get();
    this.moveTo(reveal(this.#graph, node, camera, this.#screen, this.#options.gutter));
  }

  fit(): void {
    if (this.#screen.width === 0) return;
    const { gutter } = this.#options;
    this.moveTo(fit(this.#graph, this.#screen, { gutter, least: LIMITS.least, most: 1.4 }));
  }

  /** Zooms about the middle of the screen, or about a point of it. */
  zoom(factor: number, about?: { readonly x: number; readonly y: number }): void {
    const camera = this.#options.camera.get();
    const zoom = Math.max(LIMITS.least, Math.min(LIMITS.most, camera.zoom * factor));
    const { x, y } = about ?? { x: this.#screen.width / 2, y: this.#screen.height / 2 };
    const scale = zoom / camera.zoom;
    this.moveTo({ zoom, x: x - (x - camera.x) * scale, y: y - (y - camera.y) * scale });
  }

  pan(dx: number, dy: number): void {
    const camera = this.#options.camera.get();
    this.moveTo({ ...camera, x: camera.x + dx, y: camera.y + dy });
  }

  destroy(): void {
    this.#ended = true;
    cancelAnimationFrame(this.#frame);
    for (const stop of this.#stops) stop();
    this.#layer?.destroy();
    this.#layer = null;
  }

  #resize(): void {
    const { host, canvas } = this.#options;
    const screen = { width: host.clientWidth, height: host.clientHeight };
    if (this.#ended || screen.width === 0 || screen.height === 0) return;
    const first = this.#screen.width === 0;
    this.#screen = screen;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(screen.width * ratio);
    canvas.height = Math.round(screen.height * ratio);
    if (first) {
      const { gutter } = this.#options;
      // All lanes in sight where that leaves them readable; a long session opens at its beginning.
      const least = Math.max(0.55, Math.min(1, screen.height / sizeOf(this.#graph).height));
      const camera = fit(this.#graph, screen, { gutter, least, most: 1.4 });
      this.#options.camera.set(camera);
      if (this.#selected >= 0) this.reveal(this.#selected);
      void this.#loadLayer();
    } else this.#layer?.resize();
    this.#paint();
  }

  async #loadLayer(): Promise<void> {
    // Where the network has gone meanwhile, the painted overview stays, and the table has everything.
    const loaded = await this.#options.load().catch(() => undefined);
    if (loaded === undefined || this.#ended) return;
    const { ElementsLayer } = loaded;
    const { host, camera, onTap, onHover } = this.#options;
    this.#layer = new ElementsLayer({
      host,
      graph: this.#graph,
      faces: this.#faces,
      look: this.#look,
      camera: camera.get(),
      limits: LIMITS,
      onCamera: (next) => camera.set(next),
      onTap,
      onHover,
    });
    this.#layer.setMarks(this.#selected, this.#dim);
    this.#layer.setLight(this.#lit);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#ended || this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint(): void {
    if (this.#ended || this.#screen.width === 0 || this.#brush === null) return;
    const camera = this.#options.camera.get();
    const far = isFar(this.#graph, camera, this.#screen);
    paint(this.#brush, this.#graph, camera, {
      screen: this.#screen,
      ratio: window.devicePixelRatio || 1,
      look: this.#look,
      dim: this.#dim,
      summary: far,
      edges: this.#layer === null,
    });
    if (far !== this.#far) this.#options.onFar(far);
    this.#far = far;
  }
}
