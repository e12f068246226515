// Records that are no entries, or could not be checked: every one is listed, with the check that it fails and its bytes.

import type { AuditStage } from "../../audit/audit-records.ts";
import { checkRecord, describeCheck } from "../../audit/record-checks.ts";
import { InertText } from "../components/inert-text.tsx";
import css from "./report.module.css";

export function RejectedRecords({ stage }: { stage: AuditStage }) {
  const { rejected, unchecked } = stage.view;
  if (rejected.length + unchecked.length === 0) return null;
  return (
    <section className={css.section}>
      <h2>Records that count for nothing</h2>
      <ul className={css.rejects}>
        {rejected.map(({ hash, wire, rejection }) => (
          <li key={hash} data-rejected={rejection.code}>
            <p>
              <b className="mono">{rejection.code}</b>{" "}
              <InertText
                text={failedCheck(wire, stage) ?? `${rejection.expected}; found ${rejection.found}`}
              />
            </p>
            <Bytes wire={wire} />
          </li>
        ))}
        {unchecked.map(({ hash, wire, why }) => (
          <li key={hash} data-rejected="unchecked">
            <p>
              <b>not checked</b> <InertText text={why} />
            </p>
            <Bytes wire={wire} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function failedCheck(wire: string, stage: AuditStage): string | undefined {
  const failed = checkRecord(wire, stage.report.check).find(({ state }) => state === "failed");
  return failed === undefined ? undefined : describeCheck(failed);
}

function Bytes({ wire }: { wire: string }) {
  return (
    <details>
      <summary>The record</summary>
      <pre className={css.bytes} tabIndex={0}>
        <InertText text={wire} />
      </pre>
    </details>
  );
}
