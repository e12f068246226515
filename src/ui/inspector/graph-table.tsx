// The graph as a table, in the order of the columns: what a screen reader, and who prefers rows, gets of the picture.

import { useMemo } from "react";
import { InertText } from "../components/inert-text.tsx";
import { EntryButton, StateMark, TypeMark, WalletOf } from "../entry/entry-cells.tsx";
import { Rows } from "../evidence/rows.tsx";
import type { Faces } from "../graph/faces/faces.ts";
import { factsOf } from "../graph/faces/node-facts.ts";
import { childrenOf, parentsOf } from "../graph/model/causality.ts";
import type { SessionGraph } from "../graph/model/session-graph.ts";
import type { Inspected } from "./session-model.ts";

export interface GraphTableProps {
  readonly inspected: Inspected;
  readonly graph: SessionGraph;
  readonly faces: Faces;
  readonly dim: Uint8Array | null;
}

export function GraphTable({ inspected, graph, faces, dim }: GraphTableProps) {
  const { state, select } = inspected;
  const nodes = useMemo(() => Array.from(graph.byColumn).filter((n) => (dim?.[n] ?? 0) === 0), [graph, dim]);
  const selected = state.entry === null ? -1 : nodes.indexOf(graph.index.get(state.entry) ?? -1);
  const round = faces.rounds ? { columns: ["Round"], tracks: " 60px" } : { columns: [], tracks: "" };
  return (
    <Rows
      label="Entries of the graph, in order"
      count={nodes.length}
      columns={["Type", "Wallet", "Seq", "What", "Counts", ...round.columns, "State", "Refs", "Seen by"]}
      tracks={`minmax(80px,0.8fr) minmax(120px,1fr) 44px minmax(120px,1.4fr) minmax(140px,2fr)${round.tracks} 74px 44px 60px`}
      selected={selected}
      onSelect={(row) => select(graph.keys[nodes[row]!]!)}
      cells={(row) => {
        const n = nodes[row]!;
        const facts = factsOf(graph, n, faces);
        return [
          <TypeMark key="type" graph={graph} node={n} />,
          <WalletOf key="wallet" inspected={inspected} graph={graph} node={n} />,
          <EntryButton key="seq" inspected={inspected} graph={graph} node={n} />,
          <InertText key="did" text={facts.did} wrap={false} />,
          <span key="counts" title={facts.counts}>
            {facts.won === "" ? "" : `★ ${facts.won}. `}
            <InertText text={facts.counts} wrap={false} />
          </span>,
          ...(faces.rounds ? [facts.round ?? ""] : []),
          <StateMark key="state" graph={graph} node={n} />,
          parentsOf(graph, n).length,
          childrenOf(graph, n).length,
        ];
      }}
    />
  );
}
