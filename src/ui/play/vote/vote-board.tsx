// A vote: the options, this seat's ballot (open or sealed), the count so far and the quorum.

import { useState, type ReactNode } from "react";
import { vote } from "../../../games/vote.ts";
import { Button } from "../../components/button.tsx";
import { InertText } from "../../components/inert-text.tsx";
import type { BoardProps } from "../board/board-props.ts";
import css from "../board/boards.module.css";
import { sealedSeats } from "../sealed/sealed-seats.ts";
import { SealedTable } from "../sealed/sealed-table.tsx";
import { SealedTurn } from "../sealed/sealed-turn.tsx";
import { TurnPanel } from "../board/turn-panel.tsx";
import { useAttempt } from "../use-attempt.ts";
import { tallyOf, type TallyRow } from "./ballots.ts";
import { OptionList } from "./option-list.tsx";
import { seatOf } from "../seat-of.ts";

export function VoteBoard(props: BoardProps) {
  const { snapshot, view, known } = props;
  const [choice, setChoice] = useState<string | null>(null);
  const check = vote.readRules(view.terms.rules, view.participants, view.share);
  if (!check.ok) return null; // the verdict says what is wrong with the rules
  const { options, ballot, quorum } = check.value;
  const { verdict } = snapshot;
  const tally = tallyOf(options, verdict);
  const counted = tally.reduce((sum, { ballots }) => sum + ballots, 0);
  const list = (locked: boolean) => (
    <OptionList options={options} chosen={choice} onChoose={setChoice} locked={locked} />
  );
  return (
    <section className={css.game}>
      {ballot === "secret" ? (
        <SealedTurn {...props} what="ballot" value={choice ?? ""}>
          {list}
        </SealedTurn>
      ) : (
        <OpenTurn {...props} choice={choice}>
          {list}
        </OpenTurn>
      )}
      <dl className={css.facts}>
        <div>
          <dt>Ballot</dt>
          <dd>{ballot === "secret" ? "secret until all are in" : "open"}</dd>
        </div>
        <div>
          <dt>Counted</dt>
          <dd className="num">
            {counted} of {view.participants.length}
          </dd>
        </div>
        <div>
          <dt>Quorum</dt>
          <dd className="num">
            {quorum} ({counted >= quorum ? "reached" : `${quorum - counted} more`})
          </dd>
        </div>
      </dl>
      <Tally rows={tally} counted={counted} />
      {ballot === "secret" && (
        <SealedTable seats={sealedSeats(view, verdict)} known={known} what="Ballot" ahead={[]} />
      )}
    </section>
  );
}

interface OpenTurnProps extends BoardProps {
  readonly choice: string | null;
  readonly children: (locked: boolean) => ReactNode;
}

function OpenTurn({ peer, snapshot, known, choice, children }: OpenTurnProps) {
  const { going, problem, attempt } = useAttempt();
  const { turn } = snapshot;
  const locked = going || turn.busy;
  return (
    <TurnPanel peer={peer} snapshot={snapshot} known={known} words={{ vote: "Your vote" }} problem={problem}>
      {turn.owes[0]?.what === "vote" && (
        <form
          className={css.move}
          onSubmit={(event) => {
            event.preventDefault();
            if (choice !== null) void attempt(() => seatOf(peer).append("vote", { choice }));
          }}
        >
          {children(locked)}
          <div>
            <Button
              type="submit"
              kind="primary"
              icon="check"
              busy={locked}
              disabled={choice === null || turn.left === 0}
            >
              Vote
            </Button>
          </div>
          <p className="faint">One ballot each; the first one counts. Everybody sees who voted for what.</p>
        </form>
      )}
    </TurnPanel>
  );
}

function Tally({ rows, counted }: { rows: readonly TallyRow[]; counted: number }) {
  return (
    <ul className={css.tally} aria-label="Count">
      {rows.map(({ option, ballots, ahead }) => (
        <li key={option} className={css.tallyRow} data-ahead={ahead} data-testid="tally">
          <InertText text={option} />
          <span className="num">{ballots}</span>
          <div className={css.bar} aria-hidden>
            <div style={{ transform: `scaleX(${counted === 0 ? 0 : ballots / counted})` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}
