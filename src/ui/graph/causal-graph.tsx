// The causal graph: one lane per wallet, time to the right. The stage draws it; this holds the stage, the lanes' names,
// the minimap and the keyboard. Selection comes and goes by key, so that it can live in the address.

import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type WheelEvent,
} from "react";
import type { Address } from "../../core/values.ts";
import { IconButton } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { createCameraStore } from "./camera/camera-store.ts";
import { ROW_HEIGHT } from "./camera/geometry.ts";
import css from "./graph.module.css";
import { GraphStage } from "./draw/graph-stage.ts";
import type { Faces } from "./faces/faces.ts";
import { STATE_WORDS } from "./draw/glyphs.ts";
import { LaneNames } from "./lane-names.tsx";
import { Legend } from "./legend.tsx";
import { Minimap } from "./minimap.tsx";
import { parentsOf, childrenOf } from "./model/causality.ts";
import { EntryCard } from "./entry-card.tsx";
import { describeFacts, factsOf } from "./faces/node-facts.ts";
import { lightOf } from "./model/light.ts";
import { stateOf, type SessionGraph } from "./model/session-graph.ts";
import { STEP_KEYS, walk } from "./model/walk.ts";

export interface CausalGraphProps {
  readonly graph: SessionGraph;
  readonly faces: Faces;
  /** Key of the selected node. */
  readonly selected: string | null;
  readonly onSelect: (key: string | null) => void;
  /** Called for Enter on the selected node, and for a tap on a folded run. */
  readonly onOpen?: (key: string) => void;
  /** 1 for nodes drawn faintly: filtered out, or not there yet at the cut. */
  readonly dim: Uint8Array | null;
  readonly nameOf: (wallet: Address) => string;
}

const GUTTER = 158;
const NARROW_GUTTER = 84;

export function CausalGraph({ graph, faces, selected, onSelect, onOpen, dim, nameOf }: CausalGraphProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<GraphStage>(null);
  const back = useRef<string[]>([]);
  const [camera] = useState(() => createCameraStore({ x: 0, y: 0, zoom: 1 }));
  const [far, setFar] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const [gutter] = useState(() => (window.innerWidth < 640 ? NARROW_GUTTER : GUTTER));
  const [focused, setFocused] = useState(false);
  const node = selected === null ? -1 : (graph.index.get(selected) ?? -1);
  const pointed = hovered !== null && hovered < graph.count ? hovered : focused ? node : -1;
  const light = useMemo(() => (pointed < 0 ? null : lightOf(graph, pointed)), [graph, pointed]);
  const latest = useRef({ graph, faces, onSelect, onOpen });
  useEffect(() => {
    latest.current = { graph, faces, onSelect, onOpen };
  });

  useEffect(() => {
    const made = new GraphStage({
      canvas: canvas.current!,
      host: host.current!,
      graph: latest.current.graph,
      faces: latest.current.faces,
      camera,
      gutter,
      onTap: (tapped) => {
        const { graph, onSelect, onOpen } = latest.current;
        if (tapped !== null && graph.size[tapped]! > 1) onOpen?.(graph.keys[tapped]!);
        else onSelect(tapped === null ? null : graph.keys[tapped]!);
      },
      onHover: setHovered,
      onFar: setFar,
      load: () => quiet().then(() => import("./draw/elements-layer.ts")),
    });
    stage.current = made;
    return () => made.destroy();
  }, [camera, gutter]);
  useEffect(() => stage.current?.setGraph(graph, faces), [graph, faces]);
  useEffect(() => {
    stage.current?.setMarks(node, dim);
    if (node >= 0) stage.current?.reveal(node);
  }, [node, dim, graph]);

  useEffect(() => stage.current?.setLight(light?.lit ?? null), [light]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (handleKey(event.key)) event.preventDefault();
  };

  function handleKey(key: string): boolean {
    const step = STEP_KEYS[key];
    if (step !== undefined) {
      const next = node >= 0 || step === "last" ? walk(graph, node, step) : graph.byColumn[0];
      if (next === undefined) return true;
      if (selected !== null) back.current.push(selected);
      onSelect(graph.keys[next]!);
      return true;
    }
    if (key === "Backspace") {
      const last = back.current.pop();
      if (last !== undefined) onSelect(last);
      return last !== undefined;
    }
    if (key === "Enter" && node >= 0) onOpen?.(graph.keys[node]!);
    else if (key === "+" || key === "=") stage.current?.zoom(1.3);
    else if (key === "-") stage.current?.zoom(1 / 1.3);
    else if (key === "0") stage.current?.fit();
    else return false;
    return true;
  }

  const onWheel = (event: WheelEvent) => {
    // The wheel scrolls the page; with Ctrl (or a pinch) it zooms, with Shift or sideways it pans.
    event.stopPropagation();
    const { left, top } = host.current!.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey)
      stage.current?.zoom(Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top });
    else if (event.shiftKey) stage.current?.pan(-event.deltaY, 0);
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) stage.current?.pan(-event.deltaX, 0);
  };
  useStopPageZoom(host);
  const screen = useCallback(() => stage.current?.screen ?? { width: 0, height: 0 }, []);

  const said = useMemo(() => formatNode(graph, faces, node, nameOf), [graph, faces, node, nameOf]);
  return (
    <div className={css.graph}>
      <div
        className={css.stage}
        role="application"
        aria-label="Causal graph. Arrow keys go along a lane and between lanes; p, c and x to a parent, child or concurrent entry; Backspace back; Enter opens."
        aria-roledescription="graph"
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onWheelCapture={onWheel}
        data-far={far}
        data-nodes={graph.count}
        style={{ height: heightOf(graph) }}
      >
        <canvas ref={canvas} className={css.canvas} aria-hidden />
        <div ref={host} className={`${css.host} __________cytoscape_container`} aria-hidden />
        <LaneNames graph={graph} camera={camera} gutter={gutter} far={far} screen={screen} />
        {light !== null && (
          <EntryCard
            graph={graph}
            faces={faces}
            node={pointed}
            light={light}
            camera={camera}
            screen={screen}
            nameOf={nameOf}
          />
        )}
        <div className={css.tools}>
          <IconButton label="Zoom in" icon="plus" size="s" onClick={() => stage.current?.zoom(1.4)} />
          <IconButton label="Zoom out" icon="dash" size="s" onClick={() => stage.current?.zoom(1 / 1.4)} />
          <IconButton label="Show all" icon="graph" size="s" onClick={() => stage.current?.fit()} />
        </div>
        <Minimap
          graph={graph}
          camera={camera}
          gutter={gutter}
          onMove={(next) => stage.current?.moveTo(next)}
          screen={screen}
        />
      </div>
      <p className="hidden-visually" aria-live="polite">
        <InertText text={said} />
      </p>
      <Legend graph={graph} faces={faces} far={far} />
    </div>
  );
}

/** The picture is painted already; what it takes to touch it is made ready when the page has nothing better to do. */
function quiet(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 400 });
    else setTimeout(resolve, 50);
  });
}

/** Room for all rows while they fit on a screen. */
function heightOf(graph: SessionGraph): string {
  return `clamp(200px, ${graph.rows * ROW_HEIGHT * 1.2 + 48}px, max(300px, 52vh))`;
}

/** Without this, Ctrl and the wheel would also zoom the page; React's wheel listeners can't forbid it. */
function useStopPageZoom(host: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = host.current?.parentElement;
    const stop = (event: globalThis.WheelEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) event.preventDefault();
    };
    element?.addEventListener("wheel", stop, { passive: false });
    return () => element?.removeEventListener("wheel", stop);
  }, [host]);
}

function formatNode(
  graph: SessionGraph,
  faces: Faces,
  node: number,
  nameOf: (wallet: Address) => string,
): string {
  if (node < 0) return "";
  const saw = parentsOf(graph, node).length;
  const seen = childrenOf(graph, node).length;
  const state = stateOf(graph, node);
  const found = state === "passed" ? "" : ` State: ${STATE_WORDS[state]}.`;
  return `${describeFacts(factsOf(graph, node, faces), nameOf)}${found} Entry ${graph.seq[node]}, refers to ${saw}, referred to by ${seen}.`;
}
