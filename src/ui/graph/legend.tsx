// What shapes, letters and outlines mean: only those that occur in this session.

import css from "./graph.module.css";
import { glyphOf, STATE_WORDS, type Glyph } from "./draw/glyphs.ts";
import { NODE_STATES, stateOf, type NodeState, type SessionGraph } from "./model/session-graph.ts";
import { useMemo } from "react";

export function Legend({ graph, far }: { readonly graph: SessionGraph; readonly far: boolean }) {
  const { types, states, tainted } = useMemo(() => occurring(graph), [graph]);
  return (
    <div className={css.legend} aria-label="Legend">
      <ul>
        {types.map((type) => (
          <li key={type}>
            <GlyphMark glyph={glyphOf(type, "passed")} state="passed" />
            {type}
          </li>
        ))}
        {states.map((state) => (
          <li key={state}>
            <GlyphMark
              glyph={state === "failed" || state === "missing" ? glyphOf("", state) : BLANK}
              state={state}
            />
            {STATE_WORDS[state]}
          </li>
        ))}
        {tainted && (
          <li>
            <span className={css.halo} aria-hidden />
            rests on a void entry
          </li>
        )}
      </ul>
      {far && <p>Summary: zoom in to see single entries.</p>}
    </div>
  );
}

function occurring(graph: SessionGraph): {
  types: readonly string[];
  states: readonly NodeState[];
  tainted: boolean;
} {
  const types = new Set<string>();
  const states = new Set<NodeState>();
  for (let n = 0; n < graph.count; n++) {
    const state = stateOf(graph, n);
    if (state !== "passed") states.add(state);
    if (state !== "missing" && state !== "failed" && types.size < 12) types.add(graph.types[n]!);
  }
  return {
    types: [...types],
    states: NODE_STATES.filter((state) => states.has(state)),
    tainted: graph.tainted.includes(1),
  };
}

const BLANK: Glyph = { shape: "ellipse", letter: "" };

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
