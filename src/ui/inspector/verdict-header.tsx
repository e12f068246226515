// The top of the inspector: the result in one sentence, one trust light, Share. Everything behind them is one click away,
// so that the picture begins on the first screen.

import { memo } from "react";
import { describeFinalityPlainly, describeResult } from "../../audit/describe-result.ts";
import type { Rollback } from "../compare/use-rollback.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import css from "./inspector.module.css";
import { FollowLive, LiveBadge } from "./live-badge.tsx";
import { Sentence } from "../entry/sentence.tsx";
import type { Inspected, ShownCut } from "./session-model.ts";
import { ShareMenu } from "../share/share-menu.tsx";
import { TrustLight } from "./trust-light-view.tsx";

interface VerdictHeaderProps {
  readonly inspected: Inspected;
  readonly cut: ShownCut | null;
  readonly rollback: Rollback;
}

export const VerdictHeader = memo(function VerdictHeader({ inspected, cut, rollback }: VerdictHeaderProps) {
  const { snapshot } = inspected;
  const view = cut?.view ?? inspected.view;
  const verdict = cut?.verdict ?? inspected.verdict;
  const past = cut !== null && !cut.live;
  const { title, game } = view.terms;
  const now = inspected.verdict;
  // Where nothing can happen any more, nothing is live.
  const isOver = now.ok && now.finality === "final" && ["live", "polling"].includes(snapshot.state);
  return (
    <header className={css.header} data-testid="verdict">
      <div className={css.kicker}>
        <span className={css.game}>
          <InertText text={game} />
        </span>
        {title !== undefined && title !== "" && (
          <span className={css.title}>
            <InertText text={title} />
          </span>
        )}
        {past && <span className={css.past}>as it stood at this point</span>}
        <span className={css.push}>
          {!isOver && <LiveBadge live={snapshot.state} />}
          {!isOver && <FollowLive follower={inspected.follower} isQuiet={snapshot.isQuiet} />}
          <ShareMenu inspected={inspected} />
        </span>
      </div>
      <h1 className={css.verdict} data-verdict={verdict.ok ? verdict.status : verdict.code}>
        <Sentence
          say={(nameOf) => describeResult(verdict, view, nameOf)}
          participants={view.participants}
          links
        />
      </h1>
      <div className={css.sure}>
        <TrustLight inspected={inspected} rollback={rollback} cut={cut} />
        {verdict.ok && (
          <p className={css.finality} data-finality={verdict.finality}>
            <Icon name={FINALITY_ICONS[verdict.finality]} size={15} />
            <span>
              <Sentence
                say={(nameOf) => describeFinalityPlainly(verdict, view, nameOf)}
                participants={view.participants}
              />
            </span>
          </p>
        )}
      </div>
    </header>
  );
});

const FINALITY_ICONS: { readonly [finality in "open" | "settled" | "final"]: IconName } = {
  open: "clock",
  settled: "info",
  final: "lock",
};
