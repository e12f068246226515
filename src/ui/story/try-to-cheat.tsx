// Try to cheat: the reader changes a copy of the records, the same verifier audits it, and the checks that catch it are
// named. Nothing leaves the page, and the session itself stays as it is.

import { useEffect, useRef, useState } from "react";
import { auditRecords } from "../../audit/audit-records.ts";
import {
  caughtBy,
  tamperRecords,
  tellingPosition,
  type Caught,
  type Tamper,
  type TamperKind,
} from "../../audit/tamper.ts";
import { parseCandidate } from "../../core/entry.ts";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import { inertLine } from "../../platform/inert.ts";
import type { Inspected } from "../inspector/session-model.ts";
import { useEnvironment } from "../services/use-environment.ts";
import css from "./story.module.css";

interface Attempt {
  readonly kind: TamperKind;
  /** null while it is audited. */
  readonly caught: readonly Caught[] | null;
}

const CHOICES = 300;

export function TryToCheat({ inspected }: { inspected: Inspected }) {
  const { verifier } = useEnvironment();
  const { snapshot, session, domain, stage, nameOf } = inspected;
  const { records } = snapshot;
  const [record, setRecord] = useState(() =>
    Math.max(
      0,
      records.findLastIndex((wire) => wire.includes('"value"')),
    ),
  );
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const latest = useRef<AbortController | null>(null);
  useEffect(() => () => latest.current?.abort(), []);
  const attack = (tamper: Tamper) => {
    latest.current?.abort();
    const { signal } = (latest.current = new AbortController());
    setAttempt({ kind: tamper.kind, caught: null });
    const pinned = stage.verdict?.ok === true ? stage.verdict.digest : undefined;
    void auditRecords(tamperRecords(records, tamper), session, verifier, { domain, signal }).then((after) => {
      if (!signal.aborted) setAttempt({ kind: tamper.kind, caught: caughtBy(stage, after, pinned) });
    });
  };
  const labels = records.slice(0, CHOICES).map((wire, i) => {
    const parsed = parseCandidate(wire);
    if (!parsed.ok) return `record ${i + 1}`;
    return inertLine(`${nameOf(parsed.value.wallet)}: ${parsed.value.type}, entry ${parsed.value.seq}`);
  });
  const wire = records[record] ?? "";
  const other = otherOf(records, record);
  return (
    <section className={css.cheat} aria-label="Try to cheat" data-testid="cheat">
      <h3>Try to cheat</h3>
      <p className="muted">Change a copy of the records. The same checks run over it, here.</p>
      <div className={css.choices}>
        <select
          aria-label="Entry to change"
          value={record}
          onChange={(event) => setRecord(Number(event.target.value))}
        >
          {labels.map((label, i) => (
            <option key={i} value={i}>
              {label}
            </option>
          ))}
        </select>
        <Button onClick={() => attack({ kind: "byte", record, at: tellingPosition(wire) })}>
          Change a byte
        </Button>
        <Button onClick={() => attack({ kind: "drop", record })}>Drop it</Button>
        <Button disabled={other < 0} onClick={() => attack({ kind: "swap", record, other })}>
          Swap it with its neighbour
        </Button>
        <Button onClick={() => attack({ kind: "reorder" })}>Reorder all</Button>
      </div>
      <div role="status">{attempt !== null && <Result attempt={attempt} />}</div>
    </section>
  );
}

/** The entry before or after it in the same log; -1 where it is the only one. */
function otherOf(records: readonly string[], record: number): number {
  const mine = parseCandidate(records[record] ?? "");
  if (!mine.ok) return -1;
  const { wallet, seq } = mine.value;
  return records.findIndex((wire) => {
    const parsed = wire.includes(wallet) ? parseCandidate(wire) : mine;
    return parsed.ok && parsed.value.wallet === wallet && Math.abs(parsed.value.seq - seq) === 1;
  });
}

const DID: { readonly [kind in TamperKind]: string } = {
  byte: "One byte was changed",
  drop: "The entry was dropped",
  swap: "Two entries changed places",
  reorder: "All records came in the opposite order",
};

function Result({ attempt: { kind, caught } }: { attempt: Attempt }) {
  if (caught === null) return <p>Checking the changed copy…</p>;
  if (caught.length === 0)
    return (
      <p data-caught="0">
        {DID[kind]}. The result is the same:{" "}
        {kind === "reorder"
          ? "what an entry had seen stands in the entry itself, so the order of arrival does not matter."
          : "nothing that counts was changed."}
      </p>
    );
  return (
    <>
      <p data-caught={caught.length}>
        {DID[kind]}. Caught by {caught.length === 1 ? "this check" : `these ${caught.length} checks`}:
      </p>
      <ul className={css.caught}>
        {caught.slice(0, 12).map(({ check, state, expected, found }, i) => (
          <li key={i} data-check={check} data-state={state}>
            <Icon name={state === "failed" ? "cross" : "clock"} size={14} /> {check}
            <dl>
              <dt>expected</dt>
              <dd className="mono">
                <InertText text={expected} />
              </dd>
              <dt>found</dt>
              <dd className="mono">
                <InertText text={found} />
              </dd>
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}
