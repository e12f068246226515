// The board of the game that is played.

import { describeVerdict } from "../../../games/describe.ts";
import { InertText } from "../../components/inert-text.tsx";
import { Notice } from "../../components/notice.tsx";
import { AuctionBoard } from "../auction/auction-board.tsx";
import type { BoardProps } from "./board-props.ts";
import { CompareBoard } from "../compare/compare-board.tsx";
import { formatName } from "../names.ts";
import { RpsBoard } from "../rps/rps-board.tsx";
import { VoteBoard } from "../vote/vote-board.tsx";

export function GameBoard(props: BoardProps) {
  const { game } = props.view.terms;
  const { verdict } = props.snapshot;
  // Rules that are not right give no board: the verdict says which one, and why.
  if (verdict?.ok === false)
    return (
      <Notice kind="warn" title="This session has no verdict">
        <InertText text={describeVerdict(verdict, (wallet) => formatName(props.known, wallet))} />
      </Notice>
    );
  switch (game) {
    case "rps":
      return <RpsBoard {...props} />;
    case "vote":
      return <VoteBoard {...props} />;
    case "auction":
      return <AuctionBoard {...props} />;
    case "compare":
      return <CompareBoard {...props} />;
    default:
      return (
        <Notice kind="info" title="This game is not known here">
          {verdict !== null && describeVerdict(verdict, (wallet) => formatName(props.known, wallet))}
        </Notice>
      );
  }
}
