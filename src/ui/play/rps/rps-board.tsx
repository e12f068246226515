// Rock, paper, scissors: the rounds, and the three choices when it is this seat's turn.

import { useState } from "react";
import { RPS_VALUES } from "../../../games/rps.ts";
import type { PeerSnapshot } from "../../../peer/peer.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Notice } from "../../components/notice.tsx";
import { useAttempt } from "../use-attempt.ts";
import { formatWaiting } from "../format-turn.ts";
import type { Known } from "../names.ts";
import { own } from "../../../core/canonical.ts";
import css from "./rps-board.module.css";
import { revealTogether, RPS_TITLES, roundsOf, settledRounds } from "./rounds.ts";
import type { BoardProps } from "../board/board-props.ts";
import { useOwnSealed } from "../sealed/use-own-sealed.ts";
import { LostSalts } from "../board/lost-salts.tsx";
import { Rounds, Score } from "./rounds-table.tsx";
import { seatOf } from "../seat-of.ts";

export function RpsBoard({ peer, snapshot, view, known, settled }: BoardProps) {
  const { problem, attempt, going } = useAttempt();
  const { turn, verdict } = snapshot;
  const played = roundsOf(view, verdict);
  const rounds = revealTogether(played, view.participants, known.me, settled);
  const sealed = useOwnSealed(snapshot, view);
  const [picked, pick] = useState<string | null>(null);
  const owes = turn.owes[0]?.what;
  const isFree = owes === "commit" && !turn.busy && !going;
  // What was pressed counts as one's choice at once; what is kept, after a reload.
  const mine = isFree ? null : (sealed?.value ?? picked);
  const open = verdict?.ok === true && verdict.status === "pending";
  const isHeld = !open && settled < settledRounds(played, true);
  const bestOf = own(view.terms.rules, "best_of");
  return (
    <section className={css.game}>
      <Score view={view} rounds={rounds} known={known} bestOf={typeof bestOf === "number" ? bestOf : 1} />
      {open && known.me !== null && (
        <div className={css.turn}>
          <h2 aria-live="polite">{formatRoundTurn(snapshot, known)}</h2>
          <div className={css.choices} role="group" aria-label="Your choice">
            {RPS_VALUES.map((value) => (
              <button
                key={value}
                type="button"
                className={css.choice}
                data-mine={value === mine}
                aria-pressed={value === mine}
                disabled={!isFree}
                onClick={() => {
                  pick(value);
                  void attempt(() => seatOf(peer).commit(value));
                }}
              >
                <Icon name={value} size={34} />
                <span>
                  {RPS_TITLES[value]}
                  {value === mine && <Icon name="lock" size={14} />}
                </span>
              </button>
            ))}
          </div>
          {owes === "reveal" && !turn.busy && (
            <div>
              <Button kind="primary" icon="lock" onClick={() => void attempt(() => seatOf(peer).reveal())}>
                Open your choice
              </Button>
            </div>
          )}
          <p className="faint">
            {turn.left} {turn.left === 1 ? "entry" : "entries"} of your share left.
          </p>
        </div>
      )}
      {isHeld && <h2 aria-live="polite">Both have chosen</h2>}
      {open && known.me === null && <h2 aria-live="polite">{formatWaiting(snapshot, known)}</h2>}
      <LostSalts peer={peer} snapshot={snapshot} known={known} />
      {problem !== null && (
        <Notice kind="error" title="The move was not made">
          {problem}
        </Notice>
      )}
      {rounds.length > 0 && <Rounds view={view} rounds={rounds} known={known} sealed={sealed} />}
    </section>
  );
}

function formatRoundTurn(snapshot: PeerSnapshot, known: Known): string {
  const { turn } = snapshot;
  if (turn.busy) return "Your move is on its way";
  if (turn.owes[0]?.what === "commit")
    return turn.owes[0].round > 1 ? `Round ${turn.owes[0].round}: your choice` : "Your choice";
  if (turn.owes[0]?.what === "reveal") return "Both have chosen";
  return formatWaiting(snapshot, known);
}
