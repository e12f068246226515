// The whole session in a corner, and which part of it the screen shows; a click or drag goes there.

import { useEffect, useRef, type PointerEvent } from "react";
import { useCamera, type CameraStore } from "./camera/camera-store.ts";
import { boxOf, sizeOf, type Camera, type Size } from "./camera/geometry.ts";
import css from "./graph.module.css";
import { onThemeChange, readLook } from "./draw/look.ts";
import { paint } from "./draw/paint.ts";
import type { SessionGraph } from "./model/session-graph.ts";

const WIDTH = 168;
const MOST_HEIGHT = 72;

export interface MinimapProps {
  readonly graph: SessionGraph;
  readonly camera: CameraStore;
  readonly gutter: number;
  readonly onMove: (camera: Camera) => void;
  readonly screen: () => Size;
}

export function Minimap({ graph, camera, gutter, onMove, screen }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const now = useCamera(camera);
  const whole = sizeOf(graph);
  const height = Math.max(18, Math.min(MOST_HEIGHT, graph.rows * 6));
  const scale = { x: WIDTH / whole.width, y: height / whole.height };
  const size = screen();
  const box = boxOf(now, size);
  const all = box.left <= 0 && box.top <= 0 && box.right >= whole.width && box.bottom >= whole.height;
  const shown = size.width > 0 && !all;
  useEffect(() => {
    if (!shown) return;
    const draw = () => paintWhole(canvas.current, graph, height);
    draw();
    return onThemeChange(document.documentElement, draw);
  }, [graph, height, shown]);
  if (!shown) return null;
  const go = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / scale.x) * now.zoom;
    const y = ((event.clientY - top) / scale.y) * now.zoom;
    onMove({ ...now, x: (size.width + gutter) / 2 - x, y: size.height / 2 - y });
  };
  const left = Math.max(0, box.left * scale.x);
  const top = Math.max(0, box.top * scale.y);
  return (
    <div
      className={css.minimap}
      style={{ width: WIDTH, height }}
      onPointerDown={go}
      onPointerMove={go}
      aria-hidden
    >
      <canvas ref={canvas} />
      <span
        className={css.frame}
        style={{
          left,
          top,
          width: Math.max(4, Math.min(WIDTH, box.right * scale.x) - left),
          height: Math.max(4, Math.min(height, box.bottom * scale.y) - top),
        }}
      />
    </div>
  );
}

function paintWhole(canvas: HTMLCanvasElement | null, graph: SessionGraph, height: number): void {
  const brush = canvas?.getContext("2d");
  if (canvas === null || brush === null || brush === undefined) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = WIDTH * ratio;
  canvas.height = height * ratio;
  const whole = sizeOf(graph);
  // One scale for both axes would leave a line of a long session; the map is stretched instead.
  const zoom = WIDTH / whole.width;
  const stretch = height / (whole.height * zoom);
  const scaled: typeof brush = brush;
  paint(
    stretched(scaled, ratio, stretch),
    graph,
    { x: 0, y: 0, zoom },
    {
      screen: { width: WIDTH, height: whole.height * zoom },
      ratio: 1,
      look: { ...readLook(document.documentElement), band: "transparent", line: "transparent" },
      dim: null,
      summary: true,
      edges: false,
    },
  );
}

/** The brush with the vertical axis stretched: `paint` sets a plain transform, which is replaced by this one. */
function stretched(
  brush: CanvasRenderingContext2D,
  ratio: number,
  stretch: number,
): CanvasRenderingContext2D {
  return new Proxy(brush, {
    get(target, name) {
      if (name === "setTransform") return () => target.setTransform(ratio, 0, 0, ratio * stretch, 0, 0);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value as () => void).bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value),
  });
}
