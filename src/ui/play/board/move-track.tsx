// A move on its way: signing, stored, read back, seen. It is never drawn as done before the Hub has given it back.

import type { Peer, PeerSnapshot, SentMove } from "../../../peer/peer.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Notice } from "../../components/notice.tsx";
import css from "../play.module.css";
import { formatMove, stageIndex, STAGES } from "./stages.ts";
import { seatOf } from "../seat-of.ts";

export function MoveTrack({ peer, snapshot }: { peer: Peer; snapshot: PeerSnapshot }) {
  const last = snapshot.moves.at(-1);
  const decided = snapshot.verdict?.ok === true && snapshot.verdict.status === "decided";
  // What is read back of a decided session is past: nobody needs to write another entry that has it in its past.
  const shown = last !== undefined && !(decided && stageIndex(last.stage) >= stageIndex("read-back"));
  const troubled = snapshot.moves.filter(({ problem, stage }) => problem !== null && stage !== "seen");
  return (
    <div className={css.tracks} aria-live="polite">
      {shown && <Track move={last} />}
      {troubled.map((move) => (
        <Notice
          key={move.id}
          kind={move.failed ? "error" : "warn"}
          title={move.failed ? `${formatMove(move)}: not made` : `${formatMove(move)}: not there yet`}
          action={
            !move.failed && (
              <Button size="s" icon="refresh" onClick={() => void seatOf(peer).retry()}>
                Try again now
              </Button>
            )
          }
        >
          {move.problem}
        </Notice>
      ))}
      {snapshot.durability === "memory" && snapshot.wallet !== null && (
        <p className="faint">This browser keeps nothing here: finish before you close the page.</p>
      )}
      {!snapshot.guardedAcrossTabs && snapshot.wallet !== null && (
        <p className="faint">This page cannot see other tabs with the same key; play in one tab only.</p>
      )}
    </div>
  );
}

function Track({ move }: { move: SentMove }) {
  const at = stageIndex(move.stage);
  return (
    <div className={css.track} data-stage={move.stage}>
      <span className={css.trackName}>{formatMove(move)}</span>
      <ol>
        {STAGES.map(({ stage, title, hint: says }, i) => (
          <li
            key={stage}
            title={says}
            className={i < at || move.stage === "seen" ? css.past : i === at ? css.now : css.ahead}
            {...(i === at && { "aria-current": "step" as const })}
          >
            {(i < at || move.stage === "seen" || (i === at && stage === "read-back")) && (
              <Icon name="check" size={12} />
            )}
            {title}
          </li>
        ))}
      </ol>
    </div>
  );
}
