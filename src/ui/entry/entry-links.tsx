// What an entry had seen, and what had seen it, as ways to go there.

import { InertText } from "../components/inert-text.tsx";
import { RefLink } from "../components/ref-link.tsx";
import { isRefKey, type SessionGraph } from "../graph/model/session-graph.ts";
import css from "./entry-panel.module.css";
import type { Inspected } from "../inspector/session-model.ts";

const SHOWN = 24;

export interface EntryLinksProps {
  readonly inspected: Inspected;
  readonly graph: SessionGraph;
  readonly saw: readonly number[];
  readonly seenBy: readonly number[];
}

export function EntryLinks({ inspected, graph, saw, seenBy }: EntryLinksProps) {
  return (
    <section className={css.links}>
      <div>
        <h3>Refers to</h3>
        <List inspected={inspected} graph={graph} nodes={saw} none="nothing" />
      </div>
      <div>
        <h3>Referred to by</h3>
        <List inspected={inspected} graph={graph} nodes={seenBy} none="nothing yet" />
      </div>
    </section>
  );
}

function List({
  inspected: { view, select, hrefOf },
  graph,
  nodes,
  none,
}: Pick<EntryLinksProps, "inspected" | "graph"> & {
  readonly nodes: readonly number[];
  readonly none: string;
}) {
  if (nodes.length === 0) return <p className="faint">{none}</p>;
  return (
    <ul>
      {nodes.slice(0, SHOWN).map((n) => {
        const key = graph.keys[n]!;
        return (
          <li key={n}>
            {isRefKey(key) ? (
              <RefLink
                to={key}
                href={hrefOf(key)}
                among={view.participants}
                place={graph.lane[n]}
                onSelect={select}
              />
            ) : (
              <a href={hrefOf(key)}>a record that failed</a>
            )}{" "}
            <span className="faint">
              <InertText text={graph.types[n]!} wrap={false} />
            </span>
          </li>
        );
      })}
      {nodes.length > SHOWN && <li className="faint">and {nodes.length - SHOWN} more</li>}
    </ul>
  );
}
