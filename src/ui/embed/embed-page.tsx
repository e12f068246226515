// A compact verdict for a frame in somebody's page: read from the Hub and verified here, in the reader's own browser.
// It holds no keys and changes nothing; everything more is one link away, in a tab of its own.

import { useMemo } from "react";
import { isHash, type Ref } from "../../core/values.ts";
import { Button, LinkButton } from "../components/button.tsx";
import { useSessionNames } from "../names/use-session-names.ts";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import { useSession } from "../inspector/use-session.ts";
import { summarize } from "../report/summary.ts";
import { VerdictCard } from "../report/verdict-card.tsx";
import { to } from "../routing/routes.ts";
import { witnessesOf } from "../share/audit-url.ts";
import { EmbedCode } from "./embed-code-view.tsx";
import css from "./embed.module.css";

export interface EmbedPageProps {
  readonly session: Ref;
  readonly params: URLSearchParams;
}

export default function EmbedPage({ session, params }: EmbedPageProps) {
  const { snapshot, hubs, follower } = useSession(session, params);
  const { stage, progress, state: live, read } = snapshot;
  const claimed = params.get("v");
  const names = useSessionNames(stage?.view.ok === true ? stage.view : null, null);
  const summary = useMemo(
    () => (stage === null ? null : summarize(stage, isHash(claimed) ? claimed : undefined, names)),
    [stage, claimed, names],
  );
  const framed = window.top !== window.self;
  return (
    <main className={css.page} data-live={live}>
      <h1 className="hidden-visually">Verdict of a session</h1>
      {summary !== null ? (
        <VerdictCard summary={summary} progress={progress} compact />
      ) : live === "offline" ? (
        <Notice
          kind="offline"
          title="No Hub answered, so nothing can be said of this session"
          action={
            <Button size="s" icon="refresh" onClick={() => void follower.refresh()}>
              Try again
            </Button>
          }
        />
      ) : (
        <Progress label={read > 0 ? `Reading records: ${read.toLocaleString("en")}` : "Reading records"} />
      )}
      <footer className={css.foot}>
        <LinkButton
          size="s"
          icon="external"
          href={`${explorer()}${to.session(session, withoutCheck(params))}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          Open in the explorer
        </LinkButton>
        <span className="muted">Verified in your browser, from the records themselves.</span>
      </footer>
      {!framed && (
        <EmbedCode
          session={session}
          hubs={hubs}
          witnesses={stage?.view.ok === true ? witnessesOf(stage.view) : []}
          digest={digestOf(stage)}
        />
      )}
    </main>
  );
}

function digestOf(stage: ReturnType<typeof useSession>["snapshot"]["stage"]) {
  return stage?.level === "verified" && stage.verdict?.ok === true ? stage.verdict.digest : undefined;
}

/** The app's own page: the framed address without its last part. */
function explorer(): string {
  const page = window.location.href.split("#")[0]!;
  return page.replace(/\/embed$/, "/");
}

/** The check over a link's text is of the link as it was written. */
function withoutCheck(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete("c");
  return rest;
}
