// One entry in full: what it says, each check with expected and found, what it had seen and what had seen it, and the
// exact bytes that all of it rests on.

import { memo, useMemo } from "react";
import { IconButton } from "../components/button.tsx";
import { childrenOf, parentsOf } from "../graph/model/causality.ts";
import { glyphOf, STATE_NAMES, STATE_WORDS } from "../graph/draw/glyphs.ts";
import { GlyphMark } from "../graph/legend.tsx";
import { isRefKey, stateOf, walletOf, type SessionGraph } from "../graph/model/session-graph.ts";
import { checkRecord, type NamedCheck } from "../../audit/record-checks.ts";
import { walletColour } from "../theme/theme.ts";
import { Address } from "../components/address.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { to } from "../routing/routes.ts";
import { BodyView } from "./body-view.tsx";
import { CheckList } from "./check-list.tsx";
import css from "./entry-panel.module.css";
import { EntryLinks } from "./entry-links.tsx";
import { ExactBytes } from "./exact-bytes.tsx";
import { CopyAs } from "./copy-as.tsx";
import { backToGraph } from "../inspector/inspector-commands.ts";
import { reasonsAbout } from "./reasons.ts";
import { Sentence } from "./sentence.tsx";
import type { Inspected } from "../inspector/session-model.ts";

export interface EntryPanelProps {
  readonly inspected: Inspected;
  readonly graph: SessionGraph;
  readonly selected: string;
}

export const EntryPanel = memo(function EntryPanel({ inspected, graph, selected }: EntryPanelProps) {
  const node = graph.index.get(selected);
  if (node === undefined)
    return (
      <aside className={css.panel} aria-label="Entry">
        <PanelHead title="Entry" onClose={() => inspected.select(null)} />
        <Notice kind="warn" title="This entry is not among the records">
          The link names an entry that was not found where this session was read.
        </Notice>
      </aside>
    );
  return <KnownEntry inspected={inspected} graph={graph} node={node} />;
});

function KnownEntry({ inspected, graph, node }: Omit<EntryPanelProps, "selected"> & { node: number }) {
  const { view, stage, select } = inspected;
  const wire = graph.wires[node] ?? null;
  const checks = useMemo(
    () => (wire === null ? null : checkRecord(wire, stage.report.check, view)),
    [wire, stage, view],
  );
  const key = graph.keys[node]!;
  const state = stateOf(graph, node);
  const wallet = walletOf(graph, node);
  const place = wallet === null ? -1 : view.participants.indexOf(wallet);
  const seq = graph.seq[node]!;
  const move = useMemo(
    () => view.order.find(({ entry, ref }) => entry.seq === seq && ref === key),
    [view, seq, key],
  );
  const { verdict } = inspected;
  const reasons = useMemo(() => reasonsAbout(verdict, key), [verdict, key]);
  return (
    <aside
      className={css.panel}
      aria-label="Entry"
      tabIndex={-1}
      data-testid="entry-panel"
      data-entry={key}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        backToGraph();
        select(null);
      }}
    >
      <PanelHead
        title={state === "missing" ? "Missing entry" : graph.types[node]!}
        onClose={() => select(null)}
        mark={
          <GlyphMark
            glyph={glyphOf(graph.types[node]!, state)}
            state={state}
            size={22}
            {...(place >= 0 && { colour: walletColour(place) })}
          />
        }
      />
      <div className={css.facts}>
        {wallet !== null && (
          <Address
            value={wallet}
            among={view.participants}
            place={place < 0 ? undefined : place}
            href={to.wallet(wallet)}
            copy
          />
        )}
        <span className="num">
          seq {seq}
          {move !== undefined && `, place ${move.place} of ${view.share}`}
        </span>
        <span className={css.state} data-state={state} title={STATE_WORDS[state]}>
          {STATE_NAMES[state]}
        </span>
        {graph.tainted[node] === 1 && <span className={css.state}>rests on a void entry</span>}
      </div>
      {reasons.length > 0 && (
        <ul className={css.reasons}>
          {reasons.map((say, i) => (
            <li key={i}>
              <Sentence say={say} participants={view.participants} />
            </li>
          ))}
        </ul>
      )}
      {wire !== null && <BodyView wire={wire} opened={move?.unopened === false ? move.body : undefined} />}
      {checks === null ? (
        <Notice kind="info" title="Nothing but its name is known">
          Another entry refers to it, but no source had it. Its absence proves nothing about its author.
        </Notice>
      ) : (
        <FoldedChecks key={key} checks={checks} />
      )}
      <EntryLinks
        inspected={inspected}
        graph={graph}
        saw={parentsOf(graph, node)}
        seenBy={childrenOf(graph, node)}
      />
      {wire !== null && <ExactBytes wire={wire} nodeKey={key} check={stage.report.check} />}
      {wire !== null && <CopyAs wire={wire} graph={graph} node={node} />}
      {isRefKey(key) && (
        <p className={css.ref}>
          <InertText text={key} />
        </p>
      )}
    </aside>
  );
}

/** Named checks behind their count: open where one did not pass. */
function FoldedChecks({ checks }: { checks: readonly NamedCheck[] }) {
  const applying = checks.filter(({ state }) => state !== "not-applicable");
  const passed = applying.filter(({ state }) => state === "passed").length;
  return (
    <details className={css.checks} open={passed < applying.length}>
      <summary>
        {passed} of {applying.length} checks passed
      </summary>
      <CheckList checks={checks} label="Checks of this entry" />
    </details>
  );
}

function PanelHead({
  title,
  onClose,
  mark,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly mark?: React.ReactNode;
}) {
  return (
    <div className={css.head}>
      {mark}
      <h2>
        <InertText text={title} />
      </h2>
      <IconButton label="Close the entry" icon="cross" size="s" onClick={onClose} />
    </div>
  );
}
