// The rounds of rock, paper, scissors as a table, and the score of a longer match.

import type { View } from "../../../core/view.ts";
import { RPS_VALUES } from "../../../games/rps.ts";
import { Icon } from "../../components/icon.tsx";
import { InertText } from "../../components/inert-text.tsx";
import { formatName, type Known } from "../names.ts";
import type { OwnSealed } from "../sealed/use-own-sealed.ts";
import css from "./rps-board.module.css";
import { RPS_TITLES, scoreOf, type Cell, type RoundRow } from "./rounds.ts";

export function Score({
  view,
  rounds,
  known,
  bestOf,
}: {
  view: View;
  rounds: readonly RoundRow[];
  known: Known;
  bestOf: number;
}) {
  if (bestOf === 1) return null;
  const score = scoreOf(view, rounds);
  return (
    <p className={`${css.score} num`}>
      {view.participants.map((wallet, i) => (
        <span key={wallet}>
          {formatName(known, wallet)} <strong>{score[i]}</strong>
        </span>
      ))}
      <span className="faint">best of {bestOf}</span>
    </p>
  );
}

interface RoundsProps {
  readonly view: View;
  readonly rounds: readonly RoundRow[];
  readonly known: Known;
  /** This seat's own choice while only this browser knows it. */
  readonly sealed: OwnSealed | null;
}

export function Rounds({ view, rounds, known, sealed }: RoundsProps) {
  return (
    <table className={css.rounds}>
      <thead>
        <tr>
          <th scope="col">Round</th>
          {view.participants.map((wallet) => (
            <th scope="col" key={wallet}>
              <InertText text={formatName(known, wallet)} wrap={false} />
            </th>
          ))}
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {rounds.map((row) => (
          <tr key={row.round} data-round={row.round}>
            <td className="num">{row.round}</td>
            {row.cells.map((cell, i) => (
              <td key={i} data-won={row.result === view.participants[i]}>
                <CellText
                  cell={cell}
                  own={view.participants[i] === known.me && sealed?.round === row.round ? sealed.value : null}
                />
              </td>
            ))}
            <td>{formatRoundResult(row, known)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CellText({ cell, own }: { cell: Cell; own: string | null }) {
  const value = RPS_VALUES.find((one) => one === (cell.value ?? own));
  if (value !== undefined)
    return (
      <span className={css.value} translate="no">
        <Icon name={value} /> {RPS_TITLES[value]}
        {cell.value === null && (
          <span className={css.sealed}>
            <Icon name="lock" size={14} /> Sealed
          </span>
        )}
      </span>
    );
  if (cell.committed)
    return (
      <span className={css.sealed}>
        <Icon name="lock" size={14} /> Sealed
      </span>
    );
  return <span className="faint">–</span>;
}

function formatRoundResult({ result }: RoundRow, known: Known): string {
  if (result === null) return "";
  if (result === "draw") return "Draw";
  return result === known.me ? "You win" : `${formatName(known, result)} wins`;
}
