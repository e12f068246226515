// A node as SVG, about its own middle: for the legend, the tables and the small pictures. The same drawing as the graph's.

import { NODE_HEIGHT, type NodeDrawing, type NodeShape } from "../faces/node-drawing.ts";
import css from "./picture.module.css";

export interface NodeSvgProps {
  readonly drawing: NodeDrawing;
  /** CSS colour of its author. */
  readonly colour: string;
  /** Id of the hatching that the picture defines. */
  readonly hatch: string;
}

export function NodeSvg({ drawing, colour, hatch }: NodeSvgProps) {
  const { shape, text, lock, solid, struck, star, border, tone, width } = drawing;
  const d = OUTLINES[shape](width / 2, NODE_HEIGHT / 2);
  const locked = lock && text !== "";
  return (
    <g
      className={css.node}
      style={{ color: colour }}
      data-tone={tone}
      data-border={border}
      data-solid={solid}
      data-struck={struck}
    >
      {star && <path className={css.ring} d={OUTLINES[shape](width / 2 + 4, NODE_HEIGHT / 2 + 4)} />}
      <path className={css.outline} d={d} />
      {struck && <path d={d} fill={`url(#${hatch})`} />}
      {lock && <LockSvg x={locked ? -width / 2 + 14 : 0} />}
      <text x={locked ? 7 : 0} dy="0.36em">
        {text}
      </text>
      {struck && <path className={css.strike} d={`M${-width / 2} 0H${width / 2}`} />}
    </g>
  );
}

function LockSvg({ x }: { readonly x: number }) {
  return (
    <g transform={`translate(${x - 6} -6.5) scale(0.75)`}>
      <path className={css.lock} d="M3 7h10v7H3z" />
      <path className={css.shackle} d="M5 7V5a3 3 0 016 0v2" />
    </g>
  );
}

/** The hatching of what does not count; once a picture, under an id of its own. */
export function Hatch({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={id} width="7" height="7" patternUnits="userSpaceOnUse">
        <path className={css.hatch} d="M-1 8L8 -1M-4.5 4.5L4.5 -4.5M2.5 11.5L11.5 2.5" />
      </pattern>
    </defs>
  );
}

/** Paths about the middle, of a node of half the width and height given. */
const OUTLINES: { readonly [shape in NodeShape]: (x: number, y: number) => string } = {
  pill: (x, y) => rounded(x, y, y),
  card: (x, y) => rounded(x, y, 4),
  hexagon: (x, y) => `M${-x / 2 - 8} ${-y}H${x / 2 + 8}L${x} 0L${x / 2 + 8} ${y}H${-x / 2 - 8}L${-x} 0z`,
  tag: (x, y) => `M${-x} ${-y}H${x - 12}L${x} 0L${x - 12} ${y}H${-x}z`,
  note: (x, y) =>
    `M${-x + 8} ${-y}H${x - 8}L${x} ${-y + 8}V${y - 8}L${x - 8} ${y}H${-x + 8}L${-x} ${y - 8}V${-y + 8}z`,
  octagon: (x, y) =>
    `M${-x + 10} ${-y}H${x - 10}L${x} ${-y + 10}V${y - 10}L${x - 10} ${y}H${-x + 10}L${-x} ${y - 10}V${-y + 10}z`,
  hole: (_x, y) => rounded(y, y, y),
};

function rounded(x: number, y: number, r: number): string {
  return `M${-x + r} ${-y}H${x - r}a${r} ${r} 0 01${r} ${r}V${y - r}a${r} ${r} 0 01${-r} ${r}H${-x + r}a${r} ${r} 0 01${-r} ${-r}V${-y + r}a${r} ${r} 0 01${r} ${-r}z`;
}
