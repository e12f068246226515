// The inspector of a session that has a view: the verdict, then the tabs, with the selected entry beside them.

import { memo, startTransition, Suspense, useDeferredValue, useEffect, useRef, useState } from "react";
import { RollbackNotice } from "../compare/rollback-notice.tsx";
import { useRollback } from "../compare/use-rollback.ts";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Progress } from "../components/progress.tsx";
import { Tabs } from "../components/tabs.tsx";
import { buildSteps } from "../graph/model/build-graph.ts";
import type { SessionGraph } from "../graph/model/session-graph.ts";
import { EntryPanel } from "../entry/entry-panel.tsx";
import { evidenceCount } from "../evidence/evidence-count.ts";
import { GraphTab } from "./graph-tab.tsx";
import { defaultPace, runSteps } from "../../platform/time-slices.ts";
import { useInspectorCommands } from "./inspector-commands.ts";
import css from "./inspector.module.css";
import { ChainsTab, EvidenceTab, RecordsTab } from "./late-parts.tsx";
import type { Inspected, ShownCut } from "./session-model.ts";
import { useCut } from "./use-cut.ts";
import { useLater } from "./use-session.ts";
import { useSources } from "../services/stores.tsx";
import { VerdictHeader } from "./verdict-header.tsx";
import { StoryPanel } from "../story/story-panel.tsx";
import { WhyTab } from "../evidence/why-tab.tsx";

export function InspectorBody({ inspected, givenName }: { inspected: Inspected; givenName: string | null }) {
  const later = useLater();
  const graph = useGraph(inspected, later);
  const cut = useCut(inspected, graph);
  useInspectorCommands(inspected, graph);
  const { setParams, params } = inspected;
  const about = useSources((state) => state.bySession.get(inspected.session)?.about) ?? null;
  // A key is answered by the picture; the panel and the top of the page follow in slices.
  const calm = useDeferredValue(inspected);
  // A file is what its giver made of it: only what a Hub serves is held against what was seen before.
  const rollback = useRollback(inspected.session, givenName === null ? inspected.stage : null);
  const askHub = () => {
    const next = new URLSearchParams(params);
    next.set("ask", "hub");
    setParams(next);
  };
  return (
    <>
      <VerdictHeader inspected={calm} cut={cut} rollback={rollback} />
      {givenName !== null && (
        <p className={css.given}>
          <span>
            <Icon name="file" size={14} /> <InertText text={givenName} />
            {about === null ? (
              ". "
            ) : (
              <>
                : <InertText text={about} />{" "}
              </>
            )}
            No Hub was asked.
          </span>
          <Button kind="quiet" size="s" onClick={askHub}>
            Ask the Hub too
          </Button>
        </p>
      )}
      <RollbackNotice rollback={rollback} among={inspected.view.participants} hrefOf={inspected.hrefOf} />
      <div className={css.columns}>
        <div className={css.main}>
          <InspectorTabs inspected={inspected} graph={graph} cut={cut} />
        </div>
        {(calm.state.entry !== null || calm.state.tab === "graph") && (
          <div className={css.side} data-entry={calm.state.entry !== null}>
            {calm.state.tab === "graph" && cut !== null && <StoryPanel inspected={calm} cut={cut} />}
            {calm.state.entry !== null && graph !== null && (
              <div data-late={calm !== inspected}>
                <EntryPanel inspected={calm} graph={graph} selected={calm.state.entry} />
              </div>
            )}
          </div>
        )}
      </div>
    </>
  );
}

interface TabsProps {
  readonly inspected: Inspected;
  readonly graph: SessionGraph | null;
  readonly cut: ShownCut | null;
}

/** Drawn anew only for what it shows: a selection or a verdict, not each step on the way to one. */
const InspectorTabs = memo(function InspectorTabs({ inspected, graph, cut }: TabsProps) {
  const { state, change, view, snapshot, verdict } = inspected;
  const evidence = evidenceCount(view, snapshot.notes);
  const alarm = view.rejected.length > 0 || view.members.some(({ fault }) => fault !== null);
  // Another tab is shown as chosen at once; its panel, hundreds of rows maybe, is drawn in slices.
  const held = useDeferredValue(inspected);
  const shown = held.state.tab === state.tab ? inspected : held;
  const shownVerdict = cut?.verdict ?? verdict;
  return (
    <Tabs
      label="Parts of the session"
      chosen={state.tab}
      onChoose={(tab) => change({ tab })}
      tabs={[
        { id: "graph", title: "Graph", icon: "graph" },
        { id: "chains", title: "Chains", icon: "chain" },
        {
          id: "why",
          title: "Why",
          icon: "info",
          count: shownVerdict.ok ? shownVerdict.reasons.length : undefined,
        },
        { id: "evidence", title: "Evidence", icon: "warn", count: evidence, alarm },
        { id: "records", title: "Records", icon: "file", count: snapshot.records.length },
      ]}
    >
      <div className={css.panel}>
        <Suspense fallback={<Drawing />}>
          <TabPanel inspected={shown} graph={graph} cut={cut} />
        </Suspense>
      </div>
    </Tabs>
  );
});

const TabPanel = memo(function TabPanel({ inspected, graph, cut }: TabsProps) {
  switch (inspected.state.tab) {
    case "graph":
      return cut === null ? <Drawing /> : <GraphTab inspected={inspected} cut={cut} />;
    case "chains":
      return graph === null ? <Drawing /> : <ChainsTab inspected={inspected} graph={graph} />;
    case "why":
      return <WhyTab inspected={inspected} cut={cut} />;
    case "evidence":
      return <EvidenceTab inspected={inspected} />;
    case "records":
      return (
        <RecordsTab
          session={inspected.session}
          snapshot={inspected.snapshot}
          stage={inspected.stage}
          onSelect={inspected.select}
        />
      );
  }
});

function Drawing() {
  return (
    <div className={css.waiting}>
      <Progress label="Drawing" />
    </div>
  );
}

/**
 * The graph of the view, made in slices once the verdict has been drawn. A view that differs in its level alone has the
 * same moves (the very same list), so that its graph is not made anew.
 */
function useGraph({ view }: Inspected, later: boolean): SessionGraph | null {
  const [graph, setGraph] = useState<SessionGraph | null>(null);
  const { order } = view;
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });
  useEffect(() => {
    if (!later) return;
    const ended = new AbortController();
    runSteps(buildSteps(latest.current), defaultPace, ended.signal).then(
      (made) => startTransition(() => setGraph(made)),
      (error: unknown) => {
        if (ended.signal.aborted) return;
        setGraph(() => {
          throw error; // while drawing, where the page's boundary shows it
        });
      },
    );
    return () => ended.abort();
  }, [order, later]);
  return graph;
}
