// The bids that stand, the leading one first, and who has passed.

import type { View } from "../../../core/view.ts";
import type { Standing } from "../../../games/english.ts";
import { InertText } from "../../components/inert-text.tsx";
import css from "../board/boards.module.css";
import { formatName, type Known } from "../names.ts";

const SHOWN = 20;

export function BidTable({ standing, view, known }: { standing: Standing; view: View; known: Known }) {
  const bids = [...standing.good].reverse();
  const call = (i: number) => {
    const wallet = view.participants[i]!;
    return formatName(known, wallet);
  };
  return (
    <>
      {bids.length > 0 && (
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Wallet</th>
              <th scope="col">Bid</th>
            </tr>
          </thead>
          <tbody>
            {bids.slice(0, SHOWN).map(({ move, amount }, i) => (
              <tr key={move.ref} data-testid="bid">
                <th scope="row">
                  <InertText text={call(move.author)} wrap={false} />
                </th>
                <td className="num" data-ahead={i === 0}>
                  {String(amount)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {bids.length > SHOWN && (
        <p className="faint">
          Showing {SHOWN} of {bids.length} bids; the rest is in the inspector.
        </p>
      )}
      {standing.passed.size > 0 && (
        <p className="muted">
          Passed for good:{" "}
          {[...standing.passed].map((i, n) => (
            <span key={i}>
              {n > 0 && ", "}
              <InertText text={call(i)} wrap={false} />
            </span>
          ))}
          .
        </p>
      )}
    </>
  );
}
