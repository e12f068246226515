// An entry's checks to run elsewhere: a command, a TypeScript file, a Python script, each with the exact bytes in it.

import { snippetsOf } from "./snippets.ts";
import { Copy } from "../components/copy.tsx";
import { parentsOf } from "../graph/model/causality.ts";
import { isRefKey, type SessionGraph } from "../graph/model/session-graph.ts";
import { parseRef } from "../../core/values.ts";
import css from "./entry-panel.module.css";

export function CopyAs({ wire, graph, node }: { wire: string; graph: SessionGraph; node: number }) {
  const key = graph.keys[node]!;
  const previous = parentsOf(graph, node).find(
    (n) => graph.lane[n] === graph.lane[node] && graph.seq[n] === graph.seq[node]! - 1,
  );
  const snippets = snippetsOf({
    wire,
    hash: isRefKey(key) ? parseRef(key)?.hash : undefined,
    previous: previous === undefined ? undefined : (graph.wires[previous] ?? undefined),
  });
  return (
    <section>
      <h3>
        Check it elsewhere <span className={css.note}>the bytes are in it; no Hub is needed</span>
      </h3>
      <div className={css.copyAs}>
        {snippets.map(({ kind, title, hint, text }) => (
          <span key={kind} title={hint}>
            <Copy text={text} label={title} words kind="plain" />
          </span>
        ))}
      </div>
    </section>
  );
}
