// An english auction: the leading bid as this seat has seen it, the least next one, bid or pass. A pass is for good.

import { useState } from "react";
import type { AuctionRules } from "../../../games/auction.ts";
import { leastBid, standingOf } from "../../../games/english.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InertText } from "../../components/inert-text.tsx";
import type { BoardProps } from "../board/board-props.ts";
import css from "../board/boards.module.css";
import { formatNameInside } from "../names.ts";
import { TurnPanel } from "../board/turn-panel.tsx";
import { useAttempt } from "../use-attempt.ts";
import { AmountField } from "./amount-field.tsx";
import { BidTable } from "./bid-table.tsx";
import { isBid, wrongWithBid } from "./format-bid.ts";
import { seatOf } from "../seat-of.ts";

interface EnglishBidsProps extends BoardProps {
  readonly rules: AuctionRules;
  readonly unit: string;
}

export function EnglishBids({ rules, unit, peer, snapshot, view, known }: EnglishBidsProps) {
  const [amount, setAmount] = useState("");
  const { going, problem, attempt } = useAttempt();
  const { turn } = snapshot;
  const standing = standingOf(view, rules);
  const leading = standing.good.at(-1);
  const least = leastBid(leading, rules);
  const locked = going || turn.busy;
  const owes = turn.owes[0]?.what === "bid";
  const bid = async () => {
    await seatOf(peer).append("bid", { amount });
    setAmount("");
  };
  const leader = leading?.move.entry.wallet;
  return (
    <>
      <div className={css.lead}>
        <span className="muted">{leader === undefined ? "No bid yet" : "Leading"}</span>
        {leading !== undefined && leader !== undefined && (
          <>
            <strong className={css.amount} data-testid="leading">
              {String(leading.amount)} <InertText text={unit} />
            </strong>
            <span className="muted">
              by <InertText text={formatNameInside(known, leader)} wrap={false} />
            </span>
          </>
        )}
      </div>
      <TurnPanel
        peer={peer}
        snapshot={snapshot}
        known={known}
        words={{ bid: "Bid or pass" }}
        problem={problem}
      >
        {leader !== undefined && leader === known.me && !owes && (
          <p className="muted">You lead, as far as this page has seen.</p>
        )}
        {owes && (
          <form
            className={css.move}
            onSubmit={(event) => {
              event.preventDefault();
              if (isBid(amount, least)) void attempt(bid);
            }}
          >
            <AmountField
              label="Your bid"
              value={amount}
              onChange={setAmount}
              unit={unit}
              help={`The least next bid is ${least}.`}
              wrong={wrongWithBid(amount, least)}
              locked={locked}
            />
            <div className={css.row}>
              <Button
                type="submit"
                kind="primary"
                icon="up"
                busy={locked}
                disabled={!isBid(amount, least) || turn.left === 0}
              >
                Bid
              </Button>
              <Button disabled={locked} onClick={() => setAmount(String(least))}>
                Least bid
              </Button>
              <Pass
                locked={locked || turn.left === 0}
                onPass={() => void attempt(() => seatOf(peer).append("pass", {}))}
              />
            </div>
          </form>
        )}
      </TurnPanel>
      <BidTable standing={standing} view={view} known={known} />
    </>
  );
}

function Pass({ locked, onPass }: { locked: boolean; onPass: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" disabled={locked} onClick={() => setAsking(true)}>
        Pass
      </Button>
      {asking && (
        <Dialog
          title="Pass for good?"
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button onClick={() => setAsking(false)}>Stay in</Button>
              <Button
                kind="danger"
                disabled={locked}
                onClick={() => {
                  setAsking(false);
                  onPass();
                }}
              >
                Pass
              </Button>
            </>
          }
        >
          <p>A pass is for good: no later bid of yours counts in this auction.</p>
        </Dialog>
      )}
    </>
  );
}
