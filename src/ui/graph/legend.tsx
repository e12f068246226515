// What shapes, fillings and lines mean: only those that occur in this session.

import { useId, useMemo } from "react";
import css from "./graph.module.css";
import type { Glyph } from "./draw/glyphs.ts";
import type { Faces } from "./faces/faces.ts";
import { legendOf } from "./legend-items.ts";
import { NODE_HEIGHT } from "./faces/node-drawing.ts";
import type { EdgeKind, NodeState, SessionGraph } from "./model/session-graph.ts";
import { Hatch, NodeSvg } from "./picture/node-svg.tsx";

export interface LegendProps {
  readonly graph: SessionGraph;
  readonly faces: Faces;
  readonly far: boolean;
}

export function Legend({ graph, faces, far }: LegendProps) {
  const { nodes, lines, tainted } = useMemo(() => legendOf(graph, faces), [graph, faces]);
  const hatch = useId();
  return (
    <div className={css.legend} role="group" aria-label="Legend">
      <ul>
        {nodes.map(({ says, drawing }) => (
          <li key={says}>
            <svg
              width={(drawing.width + 10) / 2}
              height={(NODE_HEIGHT + 10) / 2}
              viewBox={`${-drawing.width / 2 - 5} ${-NODE_HEIGHT / 2 - 5} ${drawing.width + 10} ${NODE_HEIGHT + 10}`}
              aria-hidden
            >
              <Hatch id={hatch} />
              <NodeSvg drawing={drawing} colour="var(--ink-2)" hatch={hatch} />
            </svg>
            {says}
          </li>
        ))}
        {tainted && (
          <li>
            <span className={css.halo} aria-hidden />
            rests on a void entry
          </li>
        )}
        {lines.map(({ says, kind }) => (
          <li key={says}>
            <Line kind={kind} />
            {says}
          </li>
        ))}
      </ul>
      {far && <p>Summary: zoom in to see single entries.</p>}
    </div>
  );
}

function Line({ kind }: { readonly kind: EdgeKind }) {
  return (
    <svg className={css.line} data-kind={kind} width="26" height="10" viewBox="0 0 26 10" aria-hidden>
      <path d="M1 5H25" />
      {kind === "ref" && <path className={css.arrow} d="M25 5l-7 -3.6v7.2z" />}
    </svg>
  );
}

const PATHS: { readonly [shape in Glyph["shape"]]: string } = {
  ellipse: "M10 2a8 8 0 110 16a8 8 0 110-16z",
  "round-rectangle": "M6 3h8a3 3 0 013 3v8a3 3 0 01-3 3H6a3 3 0 01-3-3V6a3 3 0 013-3z",
  diamond: "M10 1l9 9-9 9-9-9z",
  hexagon: "M5.5 2.2h9L19 10l-4.5 7.8h-9L1 10z",
  pentagon: "M10 1.5l8.5 6.3-3.3 10H4.8l-3.3-10z",
  triangle: "M10 1.5l8.7 16H1.3z",
  octagon: "M6.3 1.5h7.4l4.8 4.8v7.4l-4.8 4.8H6.3l-4.8-4.8V6.3z",
  barrel: "M3 4c4-2 10-2 14 0v12c-4 2-10 2-14 0z",
  tag: "M3 4h10l5 6-5 6H3z",
};

/** A glyph as it looks in the graph, for the legend, tables and the entry panel. */
export function GlyphMark({
  glyph,
  state,
  colour,
  size = 18,
}: {
  readonly glyph: Glyph;
  readonly state: NodeState;
  readonly colour?: string;
  readonly size?: number;
}) {
  return (
    <svg
      className={`${css.glyph} ${css[`is-${state}`] ?? ""}`}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      aria-hidden
      style={colour === undefined ? {} : { color: colour }}
    >
      <path d={PATHS[glyph.shape]} />
      <text x="10" y="10" dy="0.36em">
        {glyph.letter}
      </text>
    </svg>
  );
}
