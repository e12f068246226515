// The part of a board where one moves: whose move it is, the game's own controls, entries left, what went wrong.

import type { ReactNode } from "react";
import type { Peer, PeerSnapshot } from "../../../peer/peer.ts";
import { Notice } from "../../components/notice.tsx";
import css from "./boards.module.css";
import { LostSalts } from "./lost-salts.tsx";
import type { Known } from "../names.ts";
import { formatTurn } from "../format-turn.ts";

export interface TurnPanelProps {
  readonly peer: Peer;
  readonly snapshot: PeerSnapshot;
  readonly known: Known;
  readonly words: { readonly [what: string]: string };
  readonly problem: string | null;
  /** The controls; drawn for a seat only. */
  readonly children?: ReactNode;
}

export function TurnPanel({ peer, snapshot, known, words, problem, children }: TurnPanelProps) {
  const { turn, verdict } = snapshot;
  const open = verdict?.ok === true && verdict.status === "pending";
  return (
    <>
      {open && (
        <div className={css.turn}>
          <h2 aria-live="polite">{formatTurn(snapshot, known, words)}</h2>
          {known.me !== null && children}
          {known.me !== null && (
            <p className="faint">
              {turn.left} {turn.left === 1 ? "entry" : "entries"} of your share left.
            </p>
          )}
        </div>
      )}
      <LostSalts peer={peer} snapshot={snapshot} known={known} />
      {problem !== null && (
        <Notice kind="error" title="The move was not made">
          {problem}
        </Notice>
      )}
    </>
  );
}
