// The top of the inspector: which game, what came out, how sure that is, and what it rests on. It is there before any
// picture is.

import { memo } from "react";
import { describeFinality, describeVerdict } from "../../games/describe.ts";
import { Copy } from "../components/copy.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Progress } from "../components/progress.tsx";
import css from "./inspector.module.css";
import { FollowLive, LiveBadge } from "./live-badge.tsx";
import { Sentence } from "../entry/sentence.tsx";
import { SessionChecks } from "../evidence/session-checks.tsx";
import { tallyOf, type Inspected, type ShownCut } from "./session-model.ts";
import { useProgress } from "./use-session.ts";
import { Shares } from "../evidence/shares.tsx";
import { ShareMenu } from "../share/share-menu.tsx";

interface VerdictHeaderProps {
  readonly inspected: Inspected;
  readonly cut: ShownCut | null;
}

export const VerdictHeader = memo(function VerdictHeader({ inspected, cut }: VerdictHeaderProps) {
  const { view, snapshot } = inspected;
  const verdict = cut?.verdict ?? inspected.verdict;
  const past = cut !== null && !cut.live;
  const title = view.terms.title;
  return (
    <header className={css.header} data-testid="verdict">
      <div className={css.kicker}>
        <span className={css.game}>
          <InertText text={view.terms.game} />
        </span>
        {title !== undefined && title !== "" && (
          <span className={css.title}>
            <InertText text={title} />
          </span>
        )}
        <span className={css.push}>
          <LiveBadge live={snapshot.state} />
          <FollowLive follower={inspected.follower} isQuiet={snapshot.isQuiet} />
          <ShareMenu inspected={inspected} />
        </span>
      </div>
      {past && <p className={css.past}>At this point of the session:</p>}
      <h1 className={css.verdict} data-verdict={verdict.ok ? verdict.status : verdict.code}>
        <Sentence say={(nameOf) => describeVerdict(verdict, nameOf)} participants={view.participants} links />
      </h1>
      {verdict.ok && (
        <p className={css.finality} data-finality={verdict.finality}>
          <Icon name={FINALITY_ICONS[verdict.finality]} size={15} />
          <span>
            <Sentence say={(nameOf) => describeFinality(verdict, nameOf)} participants={view.participants} />
          </span>
        </p>
      )}
      <Level inspected={inspected} />
      <Shares view={cut?.view ?? view} />
      <SessionChecks inspected={inspected} />
      <p className={css.session}>
        <span className="mono" translate="no">
          {view.session}
        </span>
        <Copy text={view.session} label="Copy the session id" />
      </p>
    </header>
  );
});

const FINALITY_ICONS: { readonly [finality in "open" | "settled" | "final"]: IconName } = {
  open: "clock",
  settled: "info",
  final: "lock",
};

/** Which of the two levels has been reached, in words that do not promise the other. */
function Level({ inspected: { stage, follower } }: { inspected: Inspected }) {
  const { passed, covered, failed, unchecked, total } = tallyOf(stage);
  const verified = stage.level === "verified" && unchecked === 0;
  const progress = useProgress(follower);
  return (
    <div className={css.level} data-level={verified ? "verified" : "authenticated"}>
      <span className={verified ? css.levelVerified : css.levelPart}>
        <Icon name={verified ? "shield" : "chain"} size={15} />
        {verified ? "Verified" : stage.level === "verified" ? "Not fully checked" : "Authenticated"}
      </span>
      <span className={css.levelWords}>{formatVerification(stage.level, verified, failed)}</span>
      <ul className={css.counts} aria-label="Records">
        <Count icon="check" kind="pass" count={passed} word="passed" />
        {covered > 0 && <Count icon="chain" kind="wait" count={covered} word="covered by a chain" />}
        <Count icon="cross" kind="fail" count={failed} word="failed" />
        {unchecked > 0 && <Count icon="clock" kind="wait" count={unchecked} word="not checked" />}
      </ul>
      {progress !== null && (
        <div className={css.progress}>
          <Progress
            label={progress.level === "verified" ? "Checking signatures" : "Checking hashes and chains"}
            done={progress.done}
            total={progress.total || total}
          />
        </div>
      )}
    </div>
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

function formatVerification(level: string, verified: boolean, failed: number): string {
  if (level !== "verified")
    return "Every chain is covered by a signature that was checked; the others are being checked.";
  if (!verified) return "Some checks did not run; nothing that was not checked counts.";
  if (failed === 0) return "Every signature was checked in this browser.";
  const records = failed === 1 ? "1 record failed and counts" : `${failed} records failed and count`;
  return `Every record was checked in this browser; ${records} for nothing.`;
}
