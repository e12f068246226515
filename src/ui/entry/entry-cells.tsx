// The cells that tables of entries share.

import { Address } from "../components/address.tsx";
import { inertLine } from "../../platform/inert.ts";
import { InertText } from "../components/inert-text.tsx";
import { glyphOf, STATE_NAMES, STATE_WORDS } from "../graph/draw/glyphs.ts";
import { GlyphMark } from "../graph/legend.tsx";
import { stateOf, walletOf, type SessionGraph } from "../graph/model/session-graph.ts";
import { walletColour } from "../theme/theme.ts";
import css from "./entry-cells.module.css";
import type { Inspected } from "../inspector/session-model.ts";

export interface CellProps {
  readonly graph: SessionGraph;
  readonly node: number;
}

export function TypeMark({ graph, node }: CellProps) {
  const type = graph.types[node]!;
  const state = stateOf(graph, node);
  return (
    <span className={css.type}>
      <GlyphMark
        glyph={glyphOf(type, state)}
        state={state}
        size={16}
        {...(state === "passed" && { colour: walletColour(graph.lane[node]!) })}
      />
      <InertText text={type} wrap={false} />
    </span>
  );
}

export function WalletOf({ inspected, graph, node }: CellProps & { readonly inspected: Inspected }) {
  const wallet = walletOf(graph, node);
  if (wallet === null) return <span className="faint">unknown</span>;
  const { participants } = inspected.view;
  const place = participants.indexOf(wallet);
  return (
    <Address value={wallet} among={participants} place={place < 0 ? undefined : place} focusable={false} />
  );
}

export function StateMark({ graph, node }: CellProps) {
  const state = stateOf(graph, node);
  return (
    <span className={css.state} data-state={state} title={STATE_WORDS[state]}>
      {STATE_NAMES[state]}
    </span>
  );
}

/** The seq as a button that selects the entry: what makes a row reachable by keyboard. */
export function EntryButton({ inspected, graph, node }: CellProps & { readonly inspected: Inspected }) {
  return (
    <button
      type="button"
      className={css.seq}
      aria-label={`Open entry ${graph.seq[node]}, ${inertLine(graph.types[node]!)}`}
      onClick={(event) => {
        event.stopPropagation();
        inspected.select(graph.keys[node]!);
      }}
    >
      {graph.seq[node]}
    </button>
  );
}
