// The tab of the causal graph: filters and time travel above, the picture or its table below.

import { useMemo, useState } from "react";
import { Button } from "../components/button.tsx";
import { CausalGraph } from "../graph/causal-graph.tsx";
import { useFaces } from "../graph/faces/use-faces.ts";
import { foldRuns } from "../graph/model/fold.ts";
import type { SessionGraph } from "../graph/model/session-graph.ts";
import { dimOf, filterNodes } from "./filter.ts";
import { FilterBar } from "./filter-bar.tsx";
import { focusSoon, PANEL } from "./inspector-commands.ts";
import css from "./inspector.module.css";
import { GraphTable } from "./late-parts.tsx";
import type { Inspected, ShownCut } from "./session-model.ts";
import { TimeTravel } from "./time-travel.tsx";

export function GraphTab({ inspected, cut }: { inspected: Inspected; cut: ShownCut }) {
  const { state, change, select, nameOf } = inspected;
  const { graph: whole, there } = cut;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const selectedNode = state.entry === null ? -1 : (whole.index.get(state.entry) ?? -1);
  const shown = useMemo(
    () => filterNodes(whole, state.filters, selectedNode),
    [whole, state.filters, selectedNode],
  );
  const faces = useFaces(inspected.view, cut.verdict);
  const dim = useMemo(() => dimOf(there, shown), [there, shown]);
  const graph = useMemo(() => (state.folded ? foldRuns(whole, open) : whole), [whole, state.folded, open]);
  const drawnDim = useMemo(() => foldDim(whole, graph, dim), [whole, graph, dim]);
  /** A folded run unfolds; of an entry the panel is read. */
  const openNode = (key: string) => {
    if (graph.size[graph.index.get(key) ?? -1]! > 1) setOpen((before) => new Set(before).add(key));
    else focusSoon(PANEL);
  };
  return (
    <div className={css.graphTab}>
      {state.table ? (
        <GraphTable inspected={inspected} graph={whole} faces={faces} dim={dim} />
      ) : (
        <CausalGraph
          graph={graph}
          faces={faces}
          selected={state.entry}
          onSelect={select}
          onOpen={openNode}
          dim={drawnDim}
          nameOf={nameOf}
        />
      )}
      <TimeTravel inspected={inspected} cut={cut} />
      <FilterBar inspected={inspected} graph={whole} dim={dim} />
      <div className={css.graphFoot}>
        <Button kind="quiet" size="s" icon="chain" onClick={() => change({ table: !state.table })}>
          {state.table ? "Show as graph" : "Show as table"}
        </Button>
        <Button
          kind="quiet"
          size="s"
          aria-pressed={state.folded}
          onClick={() => {
            setOpen(new Set());
            change({ folded: !state.folded });
          }}
        >
          {state.folded ? "Unfold runs" : "Fold runs"}
        </Button>
        {whole.unplaced > 0 && (
          <Button kind="quiet" size="s" icon="warn" onClick={() => change({ tab: "evidence" })}>
            {whole.unplaced} more {whole.unplaced === 1 ? "record has" : "records have"} no place in the graph
          </Button>
        )}
        {whole.omitted > 0 && (
          <span className="faint">
            {whole.omitted.toLocaleString("en")} refs to missing entries not drawn
          </span>
        )}
      </div>
    </div>
  );
}

/** A folded run is faint only where all of it is. */
function foldDim(whole: SessionGraph, drawn: SessionGraph, dim: Uint8Array | null): Uint8Array | null {
  if (dim === null || drawn === whole) return dim;
  const faint = new Uint8Array(drawn.count).fill(1);
  whole.keys.forEach((key, n) => {
    if (dim[n] === 0) faint[drawn.index.get(key)!] = 0;
  });
  return faint;
}
