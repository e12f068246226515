// The story beside the graph: one plain sentence an entry, in step with the cut and the selected entry, then the way to
// check that nobody cheated.

import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { describeStoryLine } from "../../audit/describe-story.ts";
import type { StoryFact, StoryLine } from "../../audit/story-line.ts";
import { Button } from "../components/button.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { Progress } from "../components/progress.tsx";
import { Sentence } from "../entry/sentence.tsx";
import type { Inspected, ShownCut } from "../inspector/session-model.ts";
import css from "./story.module.css";
import { useStory, type Story } from "./use-story.ts";

const loadProof = () => import("./proof-dialog.tsx");
const ProofDialog = lazy(loadProof);

/** Lines drawn at once around what is looked at. */
const SHOWN = 120;

export function StoryPanel({ inspected, cut }: { inspected: Inspected; cut: ShownCut }) {
  const story = useStory(cut.view, cut.verdict);
  const [isProving, setProving] = useState(false);
  useEffect(() => {
    loadProof().catch(() => undefined); // it is asked for again when it is needed
  }, []);
  return (
    <section className={css.story} aria-label="Story" data-testid="story">
      <h2 className={css.heading}>What happened</h2>
      {story === null ? (
        <Progress label="Telling" />
      ) : (
        <Lines inspected={inspected} story={story} live={cut.live} />
      )}
      <Button icon="shield" onClick={() => setProving(true)}>
        Check that nobody cheated
      </Button>
      {isProving && (
        <Suspense fallback={null}>
          <ProofDialog inspected={inspected} onClose={() => setProving(false)} />
        </Suspense>
      )}
    </section>
  );
}

function Lines({ inspected, story, live }: { inspected: Inspected; story: Story; live: boolean }) {
  const { lines } = story;
  const { entry } = inspected.state;
  const list = useRef<HTMLOListElement>(null);
  const current = entry === null ? -1 : lines.findIndex(({ entries }) => entries.includes(entry));
  const [extra, setExtra] = useState(0);
  const end = current < 0 ? lines.length : Math.min(lines.length, current + SHOWN / 2);
  const start = Math.max(0, end - SHOWN - extra);
  useEffect(() => {
    const host = list.current;
    const line = host?.querySelector<HTMLElement>('[aria-current="true"]') ?? null;
    if (host === null) return;
    if (line !== null) {
      const top = line.offsetTop - host.offsetTop;
      if (top < host.scrollTop || top + line.offsetHeight > host.scrollTop + host.clientHeight)
        host.scrollTop = Math.max(0, top - host.clientHeight / 2);
    } else if (!live) host.scrollTop = host.scrollHeight;
  }, [lines, current, live]);
  return (
    <ol ref={list} className={css.lines} tabIndex={0} aria-label="What happened, in order">
      {start > 0 && (
        <li>
          <Button kind="quiet" size="s" onClick={() => setExtra(extra + SHOWN)}>
            {start.toLocaleString("en")} lines before: show {Math.min(SHOWN, start)}
          </Button>
        </li>
      )}
      {lines.slice(start, end).map((line, i) => (
        <Line
          key={start + i}
          inspected={inspected}
          story={story}
          line={line}
          isCurrent={start + i === current}
        />
      ))}
      {end < lines.length && (
        <li className="faint">{(lines.length - end).toLocaleString("en")} lines after</li>
      )}
    </ol>
  );
}

interface LineProps {
  readonly inspected: Inspected;
  readonly story: Story;
  readonly line: StoryLine;
  readonly isCurrent: boolean;
}

function Line({ inspected, story, line: { fact, entries }, isCurrent }: LineProps) {
  const kind = kindOf(fact);
  const first = fact.kind === "result" || fact.kind === "rests" ? undefined : entries[0];
  const words = (
    <>
      <span className={css.mark}>
        <Icon name={ICONS[kind]} size={14} />
      </span>
      <span>
        <Sentence
          say={(nameOf) => describeStoryLine(fact, story.view, nameOf)}
          participants={story.view.participants}
        />
      </span>
    </>
  );
  return (
    <li data-line={fact.kind} data-kind={kind}>
      {first === undefined ? (
        <p className={css.line}>{words}</p>
      ) : (
        <button
          type="button"
          className={css.line}
          aria-current={isCurrent}
          onClick={() => inspected.select(isCurrent ? null : first)}
        >
          {words}
        </button>
      )}
    </li>
  );
}

type Kind = "plain" | "sealed" | "ignored" | "failed" | "missing" | "open" | "result";

const ICONS: { readonly [kind in Kind]: IconName } = {
  plain: "right",
  sealed: "lock",
  ignored: "dash",
  failed: "cross",
  missing: "warn",
  open: "clock",
  result: "check",
};

function kindOf(fact: StoryFact): Kind {
  switch (fact.kind) {
    case "move":
      if (fact.waits) return "missing";
      if (fact.ignored !== null || fact.late !== null) return "ignored";
      return fact.act === "sealed" ? "sealed" : "plain";
    case "forked":
    case "rejected":
    case "more-rejected":
    case "broken":
      return "failed";
    case "withheld":
    case "more-waiting":
    case "owed":
      return "missing";
    case "elsewhere":
      return "ignored";
    case "result":
      return fact.verdict.ok && fact.verdict.status === "decided" ? "result" : "open";
    default:
      return "plain";
  }
}
