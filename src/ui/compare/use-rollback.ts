// Whether what is served now falls short of what this browser has seen of the session before. What is seen for the first
// time is remembered; an alarm stays until the entries are served again.

import { useEffect, useState } from "react";
import type { Ref } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import type { AuditStage } from "../../audit/audit-records.ts";
import { advanceKnown, rollbackOf, type RollbackAlarm } from "../../audit/known-heads.ts";
import { pageClock } from "../services/browser-ports.ts";
import { browserKnownHeads, type KnownHeads } from "./known-heads-store.ts";

let opened: KnownHeads | undefined;
const pageHeads = (): KnownHeads => (opened ??= browserKnownHeads());

/** What was served less, and whether this browser could not read what it has seen: then nothing is known of it. */
export interface Rollback {
  readonly alarms: readonly RollbackAlarm[];
  readonly isBlind: boolean;
}

const NOTHING: Rollback = { alarms: [], isBlind: false };
/** How soon storage that did not answer is read again. */
const AGAIN_MS = 3_000;

/** Alarms for the session at a stage; none before the verified level. `heads` for tests and other stores. */
export function useRollback(
  session: Ref,
  stage: AuditStage | null,
  heads: () => KnownHeads = pageHeads,
): Rollback {
  const [rollback, setRollback] = useState(NOTHING);
  useEffect(() => {
    if (stage?.level !== "verified" || !stage.view.ok) return;
    const { view } = stage;
    let current = true;
    let cancel: (() => void) | undefined;
    const compare = async () => {
      const next = await compareHeads(heads(), session, view).catch(() => undefined);
      if (!current) return;
      setRollback(next ?? { alarms: [], isBlind: true });
      if (next === undefined) cancel = pageClock.after(AGAIN_MS, () => void compare());
    };
    void compare();
    return () => {
      current = false;
      cancel?.();
      setRollback(NOTHING);
    };
  }, [session, stage, heads]);
  return rollback;
}

async function compareHeads(heads: KnownHeads, session: Ref, view: View): Promise<Rollback> {
  const known = await heads.get(session);
  const next = advanceKnown(view, known);
  if (next !== known) await heads.put(session, next);
  return { alarms: rollbackOf(view, known), isBlind: false };
}
