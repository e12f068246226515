// The session inspector: what came out, how sure that is, and everything that it rests on.

import { Suspense, useEffect, useMemo } from "react";
import type { Ref } from "../../core/values.ts";
import { AuditBanner } from "../share/audit-banner.tsx";
import { NamesProvider } from "../names/names-context.tsx";
import { useSessionNames } from "../names/use-session-names.ts";
import { Progress } from "../components/progress.tsx";
import { to } from "../routing/routes.ts";
import css from "./inspector.module.css";
import { readState, withState, type InspectorState } from "./inspector-params.ts";
import { InspectorBody } from "./inspector-body.tsx";
import { markShown, whenShown } from "../services/first-picture.ts";
import { fetchLateParts } from "./late-parts.tsx";
import { NoViewPage } from "./no-view.tsx";
import type { SessionFollower } from "../../session/session-follower.ts";
import type { Inspected } from "./session-model.ts";
import { useProgress, useRuns, useSession } from "./use-session.ts";

export interface InspectorPageProps {
  readonly session: Ref;
  readonly params: URLSearchParams;
  readonly setParams: (next: URLSearchParams) => void;
}

export default function InspectorPage(props: InspectorPageProps) {
  useEffect(() => void whenShown().then(fetchLateParts), []);
  return (
    <Suspense fallback={<Waiting label="Opening" />}>
      <Inspector {...props} />
    </Suspense>
  );
}

function Inspector({ session, params, setParams }: InspectorPageProps) {
  const { follower, snapshot, domain, hubs, hubObjects, givenName } = useSession(session, params);
  const { stage } = snapshot;
  const runs = useRuns(follower);
  useEffect(() => {
    if (stage !== null) markShown();
  }, [stage]);
  const working = runs || snapshot.state === "reading" || stage === null;
  const names = useSessionNames(stage?.view.ok === true ? stage.view : null);
  const inspected = useMemo((): Inspected | null => {
    if (stage === null || !stage.view.ok || stage.verdict === null) return null;
    const state = readState(params);
    const change = (part: Partial<InspectorState>) => setParams(withState(params, part));
    return {
      session,
      params,
      setParams,
      state,
      change,
      select: (entry) => change({ entry }),
      follower,
      snapshot,
      domain,
      hubs,
      hubObjects,
      stage,
      view: stage.view,
      verdict: stage.verdict,
      nameOf: names.nameOf,
      hrefOf: (entry) => to.session(session, withState(params, { entry })),
    };
  }, [stage, session, params, setParams, follower, snapshot, domain, hubs, hubObjects, names]);
  return (
    <div className={css.page} data-testid="inspector" data-working={working}>
      <AuditBanner session={session} params={params} stage={stage} working={working} />
      {stage === null ? (
        <WaitingFor follower={follower} read={snapshot.read} />
      ) : inspected === null ? (
        <NoViewPage
          session={session}
          snapshot={snapshot}
          stage={stage}
          onRefresh={() => void follower.refresh()}
        />
      ) : (
        <NamesProvider value={names}>
          <InspectorBody inspected={inspected} givenName={givenName} />
        </NamesProvider>
      )}
    </div>
  );
}

function WaitingFor({ follower, read }: { follower: SessionFollower; read: number }) {
  const progress = useProgress(follower);
  if (progress !== null) return <Waiting label="Checking hashes and chains" {...progress} />;
  return <Waiting label={`Reading the session${read > 0 ? `: ${read} records` : ""}`} />;
}

export function Waiting({ label, done, total }: { label: string; done?: number; total?: number }) {
  return (
    <div className={css.waiting}>
      <Progress label={label} {...(done !== undefined && { done })} total={total} />
    </div>
  );
}
