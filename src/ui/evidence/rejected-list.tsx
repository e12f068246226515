// Records that are no entries, each with the check that it failed, what was expected and found, and its bytes; and those
// whose signature was not checked.

import { sha256 } from "../../core/values.ts";
import type { RejectedRecord, UncheckedRecord } from "../../core/view.ts";
import { Button } from "../components/button.tsx";
import { Copy } from "../components/copy.tsx";
import { Icon } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import css from "../inspector/inspector.module.css";
import type { Inspected } from "../inspector/session-model.ts";
import { useState } from "react";

const PAGE = 25;

export interface RejectedListProps {
  readonly rejected: readonly RejectedRecord[];
  readonly unchecked: readonly UncheckedRecord[];
  /** Absent where there is no view, and so nothing to select. */
  readonly inspected?: Inspected;
}

export function RejectedList({ rejected, unchecked, inspected }: RejectedListProps) {
  const [shown, setShown] = useState(PAGE);
  if (rejected.length + unchecked.length === 0) return null;
  return (
    <>
      {rejected.length > 0 && (
        <section className={css.card}>
          <h3>
            <Icon name="cross" /> {rejected.length.toLocaleString("en")}{" "}
            {rejected.length === 1 ? "record was" : "records were"} rejected
          </h3>
          <ul className={css.rejects}>
            {rejected.slice(0, shown).map((record) => (
              <Rejected key={record.hash} record={record} inspected={inspected} />
            ))}
          </ul>
          {rejected.length > shown && (
            <Button size="s" onClick={() => setShown(shown + PAGE)}>
              Show more of {rejected.length - shown}
            </Button>
          )}
        </section>
      )}
      {unchecked.length > 0 && (
        <section className={css.card}>
          <h3>
            <Icon name="clock" /> {unchecked.length.toLocaleString("en")} not checked
          </h3>
          <p>Nothing of them counts, for or against anyone: {unchecked[0]!.why}.</p>
        </section>
      )}
    </>
  );
}

function Rejected({
  record: { hash, wire, rejection },
  inspected,
}: {
  readonly record: RejectedRecord;
  readonly inspected: Inspected | undefined;
}) {
  return (
    <li data-reject={rejection.code}>
      <p>
        <code className={css.code}>{rejection.code}</code> at{" "}
        <span className="mono">
          <InertText text={rejection.at} />
        </span>
        : expected <InertText text={rejection.expected} />, found <InertText text={rejection.found} />
      </p>
      <details>
        <summary>
          {wire === "" ? "bytes that are no text" : `${wire.length.toLocaleString("en")} characters`}, SHA-256{" "}
          <span className="mono">{(wire === "" ? hash : sha256(wire)).slice(2, 14)}…</span>
        </summary>
        <pre className={css.bytes} tabIndex={0}>
          <InertText text={wire} />
        </pre>
      </details>
      <div className={css.row}>
        <Copy text={wire} label="Copy the bytes" words kind="quiet" />
        {inspected !== undefined && (
          <Button
            kind="quiet"
            size="s"
            icon="graph"
            onClick={() => inspected.change({ entry: `record:${hash}`, tab: "graph" })}
          >
            Show where it stands
          </Button>
        )}
      </div>
    </li>
  );
}
