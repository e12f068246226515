// Filters of the graph, and always how much they leave: "showing n of N".

import { useId, useMemo, useState } from "react";
import type { Address } from "../../core/values.ts";
import { Button } from "../components/button.tsx";
import { inertLine } from "../../platform/inert.ts";
import { STATE_NAMES } from "../graph/draw/glyphs.ts";
import type { NodeState, SessionGraph } from "../graph/model/session-graph.ts";
import { motifsOf, statesOf, typesOf } from "./filter.ts";
import { isFiltered, NO_FILTERS, RELATIONS, type Filters } from "./inspector-params.ts";
import css from "./inspector.module.css";
import type { Inspected } from "./session-model.ts";

export interface FilterBarProps {
  readonly inspected: Inspected;
  readonly graph: SessionGraph;
  /** 1 for what is drawn faintly. */
  readonly dim: Uint8Array | null;
}

export function FilterBar({ inspected, graph, dim }: FilterBarProps) {
  const { state, change, select, view, nameOf } = inspected;
  const { filters } = state;
  const types = useMemo(() => typesOf(graph), [graph]);
  const states = useMemo(() => statesOf(graph), [graph]);
  const motifs = useMemo(() => motifsOf(graph, view), [graph, view]);
  const faint = useMemo(() => dim?.reduce((sum, d) => sum + d, 0) ?? 0, [dim]);
  const [open, setOpen] = useState(false);
  const id = useId();
  const inForce = filters.types.length + filters.wallets.length + filters.states.length;
  const set = (part: Partial<Filters>) => change({ filters: { ...filters, ...part } });
  return (
    <div className={css.filters} data-open={open}>
      <Button
        className={css.fold}
        size="s"
        icon="filter"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        Filters{isFiltered(filters) && ` (${inForce + (filters.relation === null ? 0 : 1)})`}
      </Button>
      <div id={id} className={css.filterSet}>
        <Choice
          label="Type"
          all="all types"
          value={filters.types[0] ?? ""}
          options={types.map(({ value, count }) => [value, `${inertLine(value)} (${count})`])}
          onChoose={(value) => set({ types: value === "" ? [] : [value] })}
        />
        <Choice
          label="Wallet"
          all="all wallets"
          value={filters.wallets[0] ?? ""}
          options={graph.lanes.flatMap(({ wallet }) =>
            wallet === null ? [] : [[wallet, nameOf(wallet)] as const],
          )}
          onChoose={(value) => set({ wallets: value === "" ? [] : [value as Address] })}
        />
        <Choice
          label="State"
          all="all states"
          value={filters.states[0] ?? ""}
          options={states.map(({ value, count }) => [value, `${STATE_NAMES[value as NodeState]} (${count})`])}
          onChoose={(value) => set({ states: value === "" ? [] : [value as NodeState] })}
        />
        {state.entry !== null && (
          <Choice
            label="Relation to the selected entry"
            all="any relation"
            value={filters.relation ?? ""}
            options={RELATIONS.map((relation) => [relation, `${relation} ${SELECTED[relation]}`])}
            onChoose={(value) => set({ relation: RELATIONS.find((r) => r === value) ?? null })}
          />
        )}
        {motifs.map(({ id, title, keys }) => (
          <Button
            key={id}
            size="s"
            icon="search"
            onClick={() => select(keys[(keys.indexOf(state.entry ?? "") + 1) % keys.length]!)}
          >
            {title} <span className="num faint">{keys.length}</span>
          </Button>
        ))}
      </div>
      {isFiltered(filters) && (
        <Button kind="quiet" size="s" icon="cross" onClick={() => change({ filters: NO_FILTERS })}>
          Clear
        </Button>
      )}
      <span className={`${css.showing} num`} role="status" data-testid="showing">
        showing {(graph.count - faint).toLocaleString("en")} of {graph.count.toLocaleString("en")}
      </span>
    </div>
  );
}

const SELECTED = { before: "the selected", after: "the selected", concurrent: "with the selected" };

function Choice({
  label,
  all,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly onChoose: (value: string) => void;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      className={value === "" ? undefined : css.chosen}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{all}</option>
      {options.map(([option, title]) => (
        <option key={option} value={option}>
          {title}
        </option>
      ))}
    </select>
  );
}
