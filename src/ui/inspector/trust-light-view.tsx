// The trust light: one colour with its word and reason; opened, the checks behind it by name, what each participant has
// used of its share, and the session's id.

import { useMemo } from "react";
import { trustChecks, trustLight, type LightColour, type TrustInput } from "../../audit/trust-light.ts";
import { describeCompleteness } from "../../games/describe.ts";
import { Copy } from "../components/copy.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { Progress } from "../components/progress.tsx";
import { CheckList } from "../entry/check-list.tsx";
import { Sentence } from "../entry/sentence.tsx";
import { Shares } from "../evidence/shares.tsx";
import { notedMissing } from "../../session/noted-gaps.ts";
import type { Rollback } from "../compare/use-rollback.ts";
import css from "./inspector.module.css";
import { pinnedVerdict } from "./inspector-params.ts";
import { tallyOf, type Inspected, type ShownCut } from "./session-model.ts";
import { useProgress, useRuns } from "./use-session.ts";

const ICONS: { readonly [colour in LightColour]: IconName } = {
  green: "shield",
  amber: "clock",
  red: "cross",
};

interface TrustLightProps {
  readonly inspected: Inspected;
  readonly rollback: Rollback;
  readonly cut: ShownCut | null;
}

export function TrustLight({ inspected, rollback, cut }: TrustLightProps) {
  const { view, verdict, stage, snapshot, params, follower } = inspected;
  const runs = useRuns(follower);
  const progress = useProgress(follower);
  const input = useMemo((): TrustInput => {
    const count = (kind: "withheld" | "rewritten") =>
      rollback.alarms.filter((alarm) => alarm.kind === kind).length;
    return {
      stage: { ...stage, view, verdict },
      working: runs,
      pinned: pinnedVerdict(params),
      notRead: snapshot.notes.flatMap((note) => notedMissing(note) ?? []),
      rolledBack: { withheld: count("withheld"), rewritten: count("rewritten") },
    };
  }, [stage, view, verdict, runs, params, snapshot.notes, rollback]);
  const { colour, word, say } = useMemo(() => trustLight(input), [input]);
  const checks = useMemo(() => trustChecks(input), [input]);
  const isVerified = stage.level === "verified" && tallyOf(stage).unchecked === 0;
  return (
    <details className={css.trust} data-testid="session-checks" data-light={colour}>
      <summary data-level={isVerified ? "verified" : "authenticated"}>
        <span className={css.light}>
          <Icon name={ICONS[colour]} size={15} />
          <span>
            <b>{word}</b>: <Sentence say={say} participants={view.participants} />
          </span>
        </span>
      </summary>
      <div className={css.trustInside}>
        <Counts inspected={inspected} />
        <CheckList checks={checks} label="Checks of the session" />
        <p className={css.complete}>{describeCompleteness(view)}</p>
        <Shares view={cut?.view ?? view} />
        <p className={css.session}>
          <span className="mono" translate="no">
            {view.session}
          </span>
          <Copy text={view.session} label="Copy the session id" />
        </p>
      </div>
      {progress !== null && (
        <div className={css.progress}>
          <Progress
            label={progress.level === "verified" ? "Checking signatures" : "Checking hashes and chains"}
            done={progress.done}
            total={progress.total}
          />
        </div>
      )}
    </details>
  );
}

function Counts({ inspected }: { inspected: Inspected }) {
  const { passed, covered, failed, unchecked } = tallyOf(inspected.stage);
  return (
    <ul className={css.counts} aria-label="Records">
      <Count icon="check" kind="pass" count={passed} word="passed" />
      {covered > 0 && <Count icon="chain" kind="wait" count={covered} word="covered by a chain" />}
      <Count icon="cross" kind="fail" count={failed} word="failed" />
      {unchecked > 0 && <Count icon="clock" kind="wait" count={unchecked} word="not checked" />}
    </ul>
  );
}

function Count({
  icon,
  kind,
  count,
  word,
}: {
  readonly icon: IconName;
  readonly kind: "pass" | "fail" | "wait";
  readonly count: number;
  readonly word: string;
}) {
  return (
    <li className={count > 0 ? css[kind] : css.none} data-count={word}>
      <Icon name={icon} size={13} />
      <span className="num">{count.toLocaleString("en")}</span> {word}
    </li>
  );
}
