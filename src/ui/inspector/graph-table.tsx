// The graph as a table, in the order of the columns: what a screen reader, and who prefers rows, gets of the picture.

import { useMemo } from "react";
import { childrenOf, parentsOf } from "../graph/model/causality.ts";
import type { SessionGraph } from "../graph/model/session-graph.ts";
import { EntryButton, StateMark, TypeMark, WalletOf } from "../entry/entry-cells.tsx";
import { Rows } from "../evidence/rows.tsx";
import type { Inspected } from "./session-model.ts";

export interface GraphTableProps {
  readonly inspected: Inspected;
  readonly graph: SessionGraph;
  readonly dim: Uint8Array | null;
}

export function GraphTable({ inspected, graph, dim }: GraphTableProps) {
  const { state, select } = inspected;
  const nodes = useMemo(() => Array.from(graph.byColumn).filter((n) => (dim?.[n] ?? 0) === 0), [graph, dim]);
  const selected = state.entry === null ? -1 : nodes.indexOf(graph.index.get(state.entry) ?? -1);
  return (
    <Rows
      label="Entries of the graph, in order"
      count={nodes.length}
      columns={["Type", "Wallet", "Seq", "State", "Refers to", "Referred to by"]}
      tracks="minmax(90px,1fr) minmax(150px,1.4fr) 60px minmax(90px,1fr) 80px 100px"
      selected={selected}
      onSelect={(row) => select(graph.keys[nodes[row]!]!)}
      cells={(row) => {
        const n = nodes[row]!;
        return [
          <TypeMark key="type" graph={graph} node={n} />,
          <WalletOf key="wallet" inspected={inspected} graph={graph} node={n} />,
          <EntryButton key="seq" inspected={inspected} graph={graph} node={n} />,
          <StateMark key="state" graph={graph} node={n} />,
          parentsOf(graph, n).length,
          childrenOf(graph, n).length,
        ];
      }}
    />
  );
}
