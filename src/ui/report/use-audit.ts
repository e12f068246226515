// An audit of records at hand as React state: the last stage that is done, and how far the next one is.

import { useEffect, useState } from "react";
import type { DomainKey } from "../../core/sealed.ts";
import type { Ref } from "../../core/values.ts";
import { auditRecords, type AuditStage } from "../../audit/audit-records.ts";
import type { Progress, Verifier } from "../../verify/verifier.ts";

export interface AuditState {
  /** Null until the first level is done. */
  readonly stage: AuditStage | null;
  /** Null when both levels are done. */
  readonly progress: Progress | null;
  /** Why the audit could not be carried to its end. */
  readonly failure: string | null;
}

export const NOT_STARTED: AuditState = { stage: null, progress: { done: 0, total: 0 }, failure: null };

/** Records, session, verifier and key must be the same objects as long as they are the same. Null records: nothing yet. */
export function useAudit(
  records: readonly string[] | null,
  session: Ref | null,
  verifier: Verifier,
  domain?: DomainKey,
): AuditState {
  const [state, setState] = useState(NOT_STARTED);
  useEffect(() => {
    if (records === null || session === null) return;
    const abort = new AbortController();
    const set = (part: Partial<AuditState>) => {
      if (!abort.signal.aborted) setState((before) => ({ ...before, ...part }));
    };
    auditRecords(records, session, verifier, {
      domain,
      signal: abort.signal,
      onStage: (stage) => set({ stage }),
      onProgress: (progress) => set({ progress }),
    }).then(
      () => set({ progress: null }),
      (error: unknown) => set({ progress: null, failure: String(error) }),
    );
    return () => {
      abort.abort();
      setState(NOT_STARTED);
    };
  }, [records, session, verifier, domain]);
  return state;
}
