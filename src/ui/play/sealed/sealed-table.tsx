// What is sealed and what is opened, by whom.

import type { ReactNode } from "react";
import type { Address as AddressValue } from "../../../core/values.ts";
import { Icon } from "../../components/icon.tsx";
import { InertText } from "../../components/inert-text.tsx";
import css from "../board/boards.module.css";
import { formatName, type Known } from "../names.ts";
import type { SealedSeat } from "./sealed-seats.ts";

export interface SealedTableProps {
  readonly seats: readonly SealedSeat[];
  readonly known: Known;
  /** What is sealed here: ballot, bid, value. */
  readonly what: string;
  /** Who is ahead, once it is decided. */
  readonly ahead: readonly AddressValue[];
}

export function SealedTable({ seats, known, what, ahead }: SealedTableProps) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">Wallet</th>
          <th scope="col">{what}</th>
        </tr>
      </thead>
      <tbody>
        {seats.map((seat) => (
          <tr key={seat.wallet} data-seat={seat.wallet} data-state={seat.state}>
            <th scope="row">
              <InertText text={formatName(known, seat.wallet)} wrap={false} />
            </th>
            <td data-ahead={ahead.includes(seat.wallet)}>{formatSealedState(seat)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function formatSealedState({ state, value }: SealedSeat): ReactNode {
  switch (state) {
    case "open":
      return <InertText text={value ?? ""} />;
    case "sealed":
      return (
        <span className={css.sealed}>
          <Icon name="lock" size={14} /> Sealed
        </span>
      );
    case "out":
      return <span className="faint">Out: most had opened without having seen it</span>;
    case "forked":
      return <span className="faint">Out: forked its log</span>;
    case "none":
      return <span className="faint">Not yet</span>;
  }
}
