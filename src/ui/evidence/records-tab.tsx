// Every record as it came, in the order of arrival, passed or not, and all of them as one file.

import { BUNDLE_EXTENSION, writeBundle } from "../../core/bundle.ts";
import { parseRef } from "../../core/values.ts";
import type { RecordState } from "../../verify/verifier.ts";
import { Button } from "../components/button.tsx";
import { Copy } from "../components/copy.tsx";
import { InertText } from "../components/inert-text.tsx";
import { saveFile } from "../services/save-file.ts";
import type { SessionSnapshot } from "../../session/session-follower.ts";
import type { AuditStage } from "../../audit/audit-records.ts";
import type { Ref } from "../../core/values.ts";
import css from "../inspector/inspector.module.css";
import cells from "../entry/entry-cells.module.css";
import { Rows } from "./rows.tsx";

export interface RecordsTabProps {
  readonly session: Ref;
  readonly snapshot: SessionSnapshot;
  readonly stage: AuditStage;
  readonly onSelect: (key: string) => void;
}

export function RecordsTab({ session, snapshot, stage, onSelect }: RecordsTabProps) {
  const { records } = snapshot;
  const { states } = stage.report;
  return (
    <div className={css.records}>
      <div className={css.row}>
        <span className="num">{records.length.toLocaleString("en")} records</span>
        <Button size="s" icon="download" onClick={() => saveBundle(session, records)}>
          Download as a bundle
        </Button>
        <Copy text={() => writeBundle(session, records)} label="Copy the bundle" words kind="quiet" />
      </div>
      <Rows
        label="Records as they came"
        count={records.length}
        columns={["", "State", "Type", "Seq", "Bytes"]}
        tracks="52px 110px 90px 60px minmax(160px,1fr)"
        onSelect={(row) => {
          const state = states[row];
          if (state !== undefined && "candidate" in state && state.candidate !== undefined)
            onSelect(state.candidate.ref);
        }}
        rowAttributes={(row) => ({ "data-record": states[row]?.state ?? "unchecked" })}
        cells={(row) => {
          const wire = records[row]!;
          const state = states[row];
          const candidate = state !== undefined && "candidate" in state ? state.candidate : undefined;
          return [
            <span key="n" className="faint num">
              {row + 1}
            </span>,
            <span key="state" className={cells.state} data-state={lookOf(state)}>
              {wordOf(state)}
            </span>,
            <InertText key="type" text={candidate?.type ?? "–"} wrap={false} />,
            candidate?.seq ?? "–",
            <span key="wire" className="mono faint">
              <InertText text={wire.slice(0, 200)} wrap={false} />
            </span>,
          ];
        }}
      />
    </div>
  );
}

export function saveBundle(session: Ref, records: readonly string[]): void {
  const name = `session-${parseRef(session)!.hash.slice(2, 12)}${BUNDLE_EXTENSION}`;
  saveFile(name, writeBundle(session, records), "application/x-ndjson");
}

function wordOf(state: RecordState | undefined): string {
  if (state === undefined) return "not checked";
  switch (state.state) {
    case "verified":
      return "verified";
    case "covered":
      return "covered";
    case "rejected":
      return state.rejection.code;
    case "unchecked":
      return "not checked";
  }
}

function lookOf(state: RecordState | undefined): string {
  if (state?.state === "verified") return "passed";
  return state?.state === "rejected" ? "failed" : "pending";
}
