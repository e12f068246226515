// The alarm when a Hub serves less than this browser has seen, or something else in its place.

import type { Address, Ref } from "../../core/values.ts";
import type { RollbackAlarm } from "../../audit/known-heads.ts";
import { Notice } from "../components/notice.tsx";
import { RefLink } from "../components/ref-link.tsx";
import css from "./compare.module.css";

export interface RollbackNoticeProps {
  readonly alarms: readonly RollbackAlarm[];
  readonly among: readonly Address[];
  /** Where an entry is shown. */
  readonly hrefOf: (ref: Ref) => string;
}

export function RollbackNotice({ alarms, among, hrefOf }: RollbackNoticeProps) {
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
