// A session of which there is no view: what is known, what was received all the same, and what to do next.

import { Suspense } from "react";
import type { Ref } from "../../core/values.ts";
import { describeNoView } from "../../games/describe.ts";
import type { AuditStage } from "../../audit/audit-records.ts";
import { Button } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import type { SessionSnapshot } from "../../session/session-follower.ts";
import css from "./inspector.module.css";
import { LiveBadge } from "./live-badge.tsx";
import { formatNote } from "../evidence/format-note.ts";
import { RecordsTab } from "./late-parts.tsx";
import { RejectedList } from "../evidence/rejected-list.tsx";

export interface NoViewProps {
  readonly session: Ref;
  readonly snapshot: SessionSnapshot;
  readonly stage: AuditStage;
  readonly onRefresh: () => void;
}

export function NoViewPage({ session, snapshot, stage, onRefresh }: NoViewProps) {
  const { view } = stage;
  if (view.ok) return null;
  const offline = snapshot.state === "offline";
  return (
    <>
      <Notice
        large
        kind={offline ? "offline" : view.code === "no-genesis" ? "empty" : "error"}
        title={offline ? "No Hub answers" : TITLES[view.code]}
        action={
          <Button icon="refresh" onClick={onRefresh}>
            Try again
          </Button>
        }
      >
        {offline
          ? "The session can’t be read now. A bundle of it opens without a Hub: drop the file anywhere on this page."
          : describeNoView(view.code, view.why?.at, view.why?.expected)}
      </Notice>
      <p className={css.noViewId}>
        <LiveBadge live={snapshot.state} /> <span className="mono">{session}</span>
      </p>
      {snapshot.notes.length > 0 && (
        <section className={css.card}>
          <h3>What the Hub answered</h3>
          <ul className={css.gaps}>
            {snapshot.notes.slice(0, 20).map((note, i) => (
              <li key={i}>
                <InertText text={note.hub} />: <InertText text={formatNote(note)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <RejectedList rejected={view.rejected} unchecked={view.unchecked} />
      {snapshot.records.length > 0 && (
        <Suspense fallback={null}>
          <RecordsTab session={session} snapshot={snapshot} stage={stage} onSelect={() => undefined} />
        </Suspense>
      )}
    </>
  );
}

const TITLES = {
  "no-genesis": "Session not found",
  "bad-genesis": "This is no session",
  "bad-key": "The key does not fit",
};
