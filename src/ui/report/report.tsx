// A report's page: the verdict first, then every check, reason, log and record behind it.

import { useMemo } from "react";
import { fromBase64url } from "../../core/bytes.ts";
import { readBundle, type Bundle } from "../../core/bundle.ts";
import { domainKey } from "../../core/seal.ts";
import type { DomainKey } from "../../core/sealed.ts";
import { describeReason } from "../../games/describe.ts";
import { describeCheck } from "../../audit/record-checks.ts";
import type { Verifier } from "../../verify/verifier.ts";
import { skeletonOf } from "../../names/skeleton.ts";
import { NamesProvider } from "../names/names-context.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import type { ReportContent } from "../../audit/build-report.ts";
import { Logs } from "./logs.tsx";
import { RejectedRecords } from "./rejected-records.tsx";
import css from "./report.module.css";
import { namesIn, summarize, type Summary } from "./summary.ts";
import { useAudit } from "./use-audit.ts";
import { VerdictCard } from "./verdict-card.tsx";

const NONE = { why: "It carries no session, or what it carries was damaged." };

export function Report({ content, verifier }: { content: ReportContent | undefined; verifier: Verifier }) {
  const read = useMemo(() => (content === undefined ? NONE : readContent(content)), [content]);
  if ("why" in read) return <Broken why={read.why} />;
  return <Audited {...read} content={content!} verifier={verifier} />;
}

function readContent({
  bundle,
  key,
}: ReportContent): { bundle: Bundle; domain?: DomainKey } | { why: string } {
  const read = readBundle(bundle);
  if (!read.ok) return { why: `Its bundle cannot be read: expected ${read.expected}, found ${read.found}.` };
  const bytes = key === undefined ? undefined : fromBase64url(key);
  if (key !== undefined && bytes?.length !== 32) return { why: "The key that it carries is not whole." };
  return { bundle: read, ...(bytes !== undefined && { domain: domainKey(bytes) }) };
}

function Broken({ why }: { why: string }) {
  return (
    <main className={css.page}>
      <h1>Session report</h1>
      <Notice kind="error" title="This report cannot be verified">
        <InertText text={why} />
      </Notice>
    </main>
  );
}

interface AuditedProps {
  readonly bundle: Bundle;
  readonly domain?: DomainKey;
  readonly content: ReportContent;
  readonly verifier: Verifier;
}

function Audited({ bundle, domain, content, verifier }: AuditedProps) {
  const { stage, progress, failure } = useAudit(bundle.records, bundle.session, verifier, domain);
  const names = useMemo(() => (stage === null ? null : namesIn(stage.view, skeletonOf)), [stage]);
  const summary = useMemo(
    () => (stage === null || names === null ? null : summarize(stage, content.verdict, names)),
    [stage, names, content.verdict],
  );
  return (
    <NamesProvider value={names}>
      <main className={css.page}>
        <header className={css.head}>
          <h1>Session report</h1>
          <p className="muted">
            This file carries {bundle.records.length.toLocaleString("en")} records and the verifier. It has
            just checked them in this browser, with no request to anybody.
          </p>
          <p className={`${css.id} mono`}>{bundle.session}</p>
        </header>
        {failure !== null && (
          <Notice kind="error" title="The check did not run to its end">
            <InertText text={failure} />
          </Notice>
        )}
        {stage === null || summary === null ? (
          <Progress label="Reading records" />
        ) : (
          <>
            <VerdictCard summary={summary} progress={progress} />
            <Checks summary={summary} />
            <Reasons summary={summary} reasons={stage.verdict?.ok === true ? stage.verdict.reasons : []} />
            {stage.view.ok && <Logs view={stage.view} report={stage.report} />}
            <RejectedRecords stage={stage} />
          </>
        )}
      </main>
    </NamesProvider>
  );
}

const STATES: Record<string, IconName> = {
  passed: "check",
  failed: "cross",
  unchecked: "clock",
  "not-applicable": "dash",
};

function Checks({ summary }: { summary: Summary }) {
  return (
    <section className={css.section}>
      <h2>Checks of the session</h2>
      <ul className={css.checks}>
        {summary.checks.map((check, i) => (
          <li key={i} data-check={check.name} data-state={check.state}>
            <Icon name={STATES[check.state]!} label={check.state} />
            <span>
              <InertText text={describeCheck(check)} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reasons({
  summary,
  reasons,
}: {
  summary: Summary;
  reasons: readonly Parameters<typeof describeReason>[0][];
}) {
  if (reasons.length === 0) return null;
  return (
    <section className={css.section}>
      <h2>Why</h2>
      <ol className={css.reasons}>
        {reasons.map((reason, i) => (
          <li key={i}>
            <InertText text={describeReason(reason, summary.nameOf)} translatable />
          </li>
        ))}
      </ol>
    </section>
  );
}
