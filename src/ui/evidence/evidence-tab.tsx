// What speaks against somebody or something: forks with proofs that stand alone, records that were rejected with their
// code and bytes, and gaps, of which nothing is said but what is known.

import { SourcesTable } from "../compare/sources-table.tsx";
import { useSourcesOf } from "../compare/use-sources-of.ts";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import css from "../inspector/inspector.module.css";
import { ForkCard } from "./fork-card.tsx";
import { GapList } from "./gap-list.tsx";
import { evidenceCount, forksOf } from "./evidence-count.ts";
import { RejectedList } from "./rejected-list.tsx";
import type { Inspected } from "../inspector/session-model.ts";

export default function EvidenceTab({ inspected }: { inspected: Inspected }) {
  const { view, snapshot } = inspected;
  const forks = forksOf(view);
  const nothing = evidenceCount(view, snapshot.notes) === 0;
  return (
    <div className={css.evidence} data-testid="evidence">
      {nothing && (
        <Notice kind="pass" title="No problems found">
          {inspected.hubObjects.length > 0
            ? "No fork, no rejected record and no gap among all records that were found. What each source has by itself stands below."
            : "No fork, no rejected record, no gap among the records that were found."}
        </Notice>
      )}
      {forks.map((fork) => (
        <ForkCard key={`${fork.wallet}:${fork.fault.seq}`} inspected={inspected} {...fork} />
      ))}
      <RejectedList rejected={view.rejected} unchecked={view.unchecked} inspected={inspected} />
      <GapList inspected={inspected} />
      {inspected.hubObjects.length > 0 && <EachSource inspected={inspected} />}
    </div>
  );
}

/** Who lacks or differs on what: the Hubs, and the participants by the copies that they keep. */
function EachSource({ inspected }: { inspected: Inspected }) {
  const { hubObjects, stage, view, hrefOf } = inspected;
  const sources = useSourcesOf(view, hubObjects);
  if (sources === null) return <Progress label="Reading each source by itself" />;
  if (sources.length < 2) return null;
  return (
    <SourcesTable sources={sources} check={stage.report.check} among={view.participants} hrefOf={hrefOf} />
  );
}
