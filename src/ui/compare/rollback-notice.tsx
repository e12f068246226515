// The alarm when a Hub serves less than this browser has seen, or something else in its place.

import type { Address, Ref } from "../../core/values.ts";
import type { Rollback } from "./use-rollback.ts";
import { Notice } from "../components/notice.tsx";
import { RefLink } from "../components/ref-link.tsx";
import css from "./compare.module.css";

export interface RollbackNoticeProps {
  readonly rollback: Rollback;
  readonly among: readonly Address[];
  /** Where an entry is shown. */
  readonly hrefOf: (ref: Ref) => string;
}

export function RollbackNotice({ rollback: { alarms, isBlind }, among, hrefOf }: RollbackNoticeProps) {
  if (isBlind)
    return (
      <Notice kind="warn" title="Not compared with what this browser has seen before">
        This browser’s storage does not answer, so entries that are no longer served would not be noticed. It
        is tried again every few seconds.
      </Notice>
    );
  if (alarms.length === 0) return null;
  const rewritten = alarms.some(({ kind }) => kind === "rewritten");
  return (
    <Notice
      kind="error"
      title={
        rewritten
          ? "A log was rewritten since this browser saw it"
          : "Less is served than this browser has seen before"
      }
    >
      <ul>
        {alarms.map((alarm) => (
          <li key={alarm.ref} className={css.difference} data-rollback={alarm.kind}>
            {alarm.kind === "withheld" ? (
              <>
                <span>This entry was here before, and is not served any more:</span>
                <RefLink to={alarm.ref} href={hrefOf(alarm.ref)} among={among} withHash />
              </>
            ) : (
              <>
                <span>Seen before:</span>
                <RefLink to={alarm.ref} href={hrefOf(alarm.ref)} among={among} withHash />
                <span>served now in its place:</span>
                <RefLink to={alarm.found} href={hrefOf(alarm.found)} among={among} withHash />
              </>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
