// A sealed auction: one amount, sealed until all are in.

import { useState } from "react";
import { isAddress } from "../../../core/values.ts";
import type { AuctionRules } from "../../../games/auction.ts";
import { isAmount } from "../../../games/amounts.ts";
import type { BoardProps } from "../board/board-props.ts";
import { sealedSeats } from "../sealed/sealed-seats.ts";
import { SealedTable } from "../sealed/sealed-table.tsx";
import { SealedTurn } from "../sealed/sealed-turn.tsx";
import { AmountField } from "./amount-field.tsx";
import { wrongWithAmount } from "./format-bid.ts";

interface SealedBidsProps extends BoardProps {
  readonly rules: AuctionRules;
  readonly unit: string;
}

export function SealedBids({ rules, unit, ...props }: SealedBidsProps) {
  const [amount, setAmount] = useState("");
  const { verdict } = props.snapshot;
  const winner = verdict?.ok === true ? verdict.outcome?.["winner"] : undefined;
  const low = isAmount(amount) && BigInt(amount) < rules.reserve;
  return (
    <>
      <SealedTurn {...props} what="bid" value={amount}>
        {(locked) => (
          <AmountField
            label="Your bid"
            value={amount}
            onChange={setAmount}
            unit={unit}
            help={
              low ? "Below the reserve: it may be made, but cannot win." : "Nobody sees it before all are in."
            }
            wrong={wrongWithAmount(amount)}
            locked={locked}
          />
        )}
      </SealedTurn>
      <SealedTable
        seats={sealedSeats(props.view, verdict)}
        known={props.known}
        what="Bid"
        ahead={isAddress(winner) ? [winner] : []}
      />
    </>
  );
}
