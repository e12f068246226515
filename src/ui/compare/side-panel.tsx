// One side of a comparison: which session, from where, through whose eyes, and what it comes to by itself.

import { useId, useMemo, useState } from "react";
import { readBlob } from "../../platform/read-input.ts";
import { COLLECT_LIMITS } from "../../session/collect-session.ts";
import { readBundle } from "../../core/bundle.ts";
import type { Address } from "../../core/values.ts";
import type { SideName } from "../../audit/compare-views.ts";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import { shortAddressText } from "../components/short-address.ts";
import { summarize } from "../report/summary.ts";
import { VerdictCard } from "../report/verdict-card.tsx";
import type { Source } from "../services/sources.ts";
import css from "./compare.module.css";
import { parseHub, parseSide, type Side } from "./sides.ts";
import type { SideState } from "./use-side.ts";

export interface SidePanelProps {
  readonly name: SideName;
  readonly side: Side;
  readonly file: Source | null;
  readonly state: SideState;
  readonly onSide: (side: Side) => void;
  readonly onFile: (file: Source | null) => void;
}

export function SidePanel({ name, side, file, state, onSide, onFile }: SidePanelProps) {
  const title = name === "a" ? "A" : "B";
  return (
    <section className={css.side} aria-label={`Side ${title}`} data-side={name}>
      <h2>{title}</h2>
      {file === null ? (
        <>
          <SourceForm key={`${side.session} ${side.hub}`} title={title} side={side} onSide={onSide} />
          <FileButton title={title} onFile={onFile} />
        </>
      ) : (
        <p className={css.file}>
          <InertText text={file.name} />
          <Button size="s" kind="quiet" icon="cross" onClick={() => onFile(null)}>
            Another source
          </Button>
        </p>
      )}
      <Observer side={side} state={state} onSide={onSide} />
      <SideResult state={state} named={file === null} />
    </section>
  );
}

function SourceForm({ title, side, onSide }: { title: string; side: Side; onSide: (side: Side) => void }) {
  const [session, setSession] = useState<string>(side.session ?? "");
  const [hub, setHub] = useState(side.hub ?? "");
  const read = parseSide(session);
  const readHub = parseHub(hub);
  const sessionWrong = "why" in read ? read.why : undefined;
  const hubWrong = typeof readHub === "object" && readHub !== null ? readHub.why : undefined;
  const submit = () => {
    if ("why" in read || (typeof readHub === "object" && readHub !== null)) return;
    onSide({ ...read, hub: readHub ?? read.hub, key: read.key ?? side.key });
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={`Session of ${title}`} help="A session id or an audit link" wrong={sessionWrong}>
        {(ids) => (
          <input
            {...ids}
            className="mono"
            value={session}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setSession(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={`Hub of ${title}`}
        help="Empty: the records at hand, else this app’s Hub"
        wrong={hubWrong}
      >
        {(ids) => (
          <input
            {...ids}
            value={hub}
            type="url"
            spellCheck={false}
            onChange={(event) => setHub(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="s" icon="refresh" disabled={session.trim() === ""}>
        Read {title}
      </Button>
    </form>
  );
}

function FileButton({ title, onFile }: { title: string; onFile: (file: Source | null) => void }) {
  const id = useId();
  const [wrong, setWrong] = useState<string | null>(null);
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const text = await readBlob(file, { lines: COLLECT_LIMITS.total + 1, bytes: COLLECT_LIMITS.totalUnits });
    if (!text.ok) return setWrong(text.why);
    const bundle = readBundle(text.text);
    setWrong(bundle.ok ? null : `This is no bundle: expected ${bundle.expected}, found ${bundle.found}.`);
    if (bundle.ok) onFile({ session: bundle.session, name: file.name, records: bundle.records });
  };
  return (
    <div className={css.fileChoice}>
      <label htmlFor={id}>Or a bundle file for {title}</label>
      <input
        id={id}
        type="file"
        accept=".jsonl,.coop.jsonl"
        onChange={(event) => void read(event.target.files?.[0])}
      />
      {wrong !== null && (
        <Notice kind="error" title="The file was not read">
          <InertText text={wrong} />
        </Notice>
      )}
    </div>
  );
}

function Observer({ side, state, onSide }: Pick<SidePanelProps, "side" | "state" | "onSide">) {
  const view = state.stage?.view;
  if (view?.ok !== true) return null;
  return (
    <Field label="As seen by">
      {(ids) => (
        <select
          {...ids}
          value={side.seen ?? ""}
          onChange={(event) =>
            onSide({
              ...side,
              session: view.session,
              seen: view.participants.find((wallet) => wallet === event.target.value) ?? null,
            })
          }
        >
          <option value="">everybody: all records</option>
          {view.participants.map((wallet: Address) => (
            <option key={wallet} value={wallet}>
              {shortAddressText(wallet, view.participants)}, when it last wrote
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** `named`: says where the records came from. */
function SideResult({ state, named }: { state: SideState; named: boolean }) {
  const { stage, progress, failure, session, from } = state;
  const summary = useMemo(() => (stage === null ? null : summarize(stage)), [stage]);
  if (session === null) return null;
  if (failure !== null)
    return (
      <Notice kind="offline" title="It could not be read">
        <InertText text={failure} />
      </Notice>
    );
  return (
    <>
      {named && (
        <p className="muted">
          From <InertText text={from} />
        </p>
      )}
      {summary === null ? (
        <Progress label="Reading records" />
      ) : (
        <VerdictCard summary={summary} progress={progress} compact />
      )}
    </>
  );
}
