// Whether what is served now falls short of what this browser has seen of the session before. What is seen for the first
// time is remembered; an alarm stays until the entries are served again.

import { useEffect, useState } from "react";
import type { Ref } from "../../core/values.ts";
import type { AuditStage } from "../../audit/audit-records.ts";
import { advanceKnown, rollbackOf, type RollbackAlarm } from "../../audit/known-heads.ts";
import { browserKnownHeads, type KnownHeads } from "./known-heads-store.ts";

let opened: KnownHeads | undefined;
const pageHeads = (): KnownHeads => (opened ??= browserKnownHeads());

/** Alarms for the session at a stage; none before the verified level. `heads` for tests and other stores. */
export function useRollback(
  session: Ref,
  stage: AuditStage | null,
  heads: () => KnownHeads = pageHeads,
): readonly RollbackAlarm[] {
  const [alarms, setAlarms] = useState<readonly RollbackAlarm[]>([]);
  useEffect(() => {
    if (stage?.level !== "verified" || !stage.view.ok) return;
    const { view } = stage;
    let current = true;
    void (async () => {
      const known = await heads().get(session);
      const next = advanceKnown(view, known);
      if (next !== known) await heads().put(session, next);
      if (current) setAlarms(rollbackOf(view, known));
    })();
    return () => {
      current = false;
      setAlarms([]);
    };
  }, [session, stage, heads]);
  return alarms;
}
