// One table per wallet: its log as far as the session is concerned, in the order of seq, each entry with its link to the
// one before.

import { Address } from "../components/address.tsx";
import { InertText } from "../components/inert-text.tsx";
import type { SessionGraph } from "../graph/model/session-graph.ts";
import { to } from "../routing/routes.ts";
import { describeGap } from "../../games/describe.ts";
import { EntryButton, StateMark, TypeMark } from "../entry/entry-cells.tsx";
import css from "./inspector.module.css";
import { Rows } from "../evidence/rows.tsx";
import { oncePerGraph } from "./filter.ts";
import { Sentence } from "../entry/sentence.tsx";
import type { Inspected } from "./session-model.ts";

export function ChainsTab({ inspected, graph }: { inspected: Inspected; graph: SessionGraph }) {
  const logs = logsOf(graph);
  return (
    <div className={css.chains}>
      {graph.lanes.map((_, lane) =>
        logs[lane]!.length === 0 ? null : (
          <Chain key={lane} inspected={inspected} graph={graph} lane={lane} nodes={logs[lane]!} />
        ),
      )}
    </div>
  );
}

interface ChainProps {
  readonly inspected: Inspected;
  readonly graph: SessionGraph;
  readonly lane: number;
  readonly nodes: readonly number[];
}

function Chain({ inspected, graph, lane, nodes }: ChainProps) {
  const { view, state, select } = inspected;
  const { wallet, role } = graph.lanes[lane]!;
  const member = view.members[lane];
  const selected = state.entry === null ? -1 : nodes.indexOf(graph.index.get(state.entry) ?? -1);
  return (
    <section aria-label={wallet === null ? "Others" : wallet}>
      <h3 className={css.chainHead}>
        {wallet === null ? (
          "Wallets outside the session"
        ) : (
          <Address value={wallet} among={view.participants} place={lane} href={to.wallet(wallet)} />
        )}
        <span className="faint num">
          {nodes.length.toLocaleString("en")} {nodes.length === 1 ? "entry" : "entries"}
          {role === "creator" && ", created the session"}
        </span>
      </h3>
      {member?.gap != null && (
        <p className={css.warn}>
          <Sentence say={(nameOf) => describeGap(member, nameOf) ?? ""} participants={view.participants} />
        </p>
      )}
      <Rows
        label={`Log of ${wallet ?? "others"}`}
        count={nodes.length}
        columns={["Seq", "Type", "State", "Hash", "Names before it"]}
        tracks="64px minmax(90px,1fr) minmax(80px,1fr) minmax(110px,1fr) minmax(110px,1fr)"
        height={Math.min(340, nodes.length * 34 + 2)}
        selected={selected}
        onSelect={(row) => select(graph.keys[nodes[row]!]!)}
        cells={(row) => {
          const n = nodes[row]!;
          const entry = graph.entries[n];
          return [
            <EntryButton key="seq" inspected={inspected} graph={graph} node={n} />,
            <TypeMark key="type" graph={graph} node={n} />,
            <StateMark key="state" graph={graph} node={n} />,
            <Short key="hash" text={entry?.hash ?? graph.keys[n]!.split(":").at(-1)!} />,
            <Short key="prev" text={entry?.prev_hash ?? (entry === null ? "?" : "none")} />,
          ];
        }}
      />
    </section>
  );
}

function Short({ text }: { text: string }) {
  return (
    <span className="mono faint" title={text}>
      <InertText text={text.startsWith("0x") ? text.slice(2, 14) : text} wrap={false} />
    </span>
  );
}

const logsOf = oncePerGraph((graph): number[][] => {
  const logs: number[][] = graph.lanes.map(() => []);
  for (let n = 0; n < graph.count; n++) logs[graph.lane[n]!]!.push(n);
  for (const log of logs) log.sort((a, b) => graph.seq[a]! - graph.seq[b]! || graph.row[a]! - graph.row[b]!);
  return logs;
});
