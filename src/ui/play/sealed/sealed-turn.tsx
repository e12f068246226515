// Sealing a value and opening it: the same for a secret ballot, a sealed bid and a compared value. The opening comes by
// itself; the button is for when it has not.

import type { ReactNode } from "react";
import type { View } from "../../../core/view.ts";
import type { Peer, PeerSnapshot } from "../../../peer/peer.ts";
import { isPlayable } from "../../../peer/turn.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { InertText } from "../../components/inert-text.tsx";
import css from "../board/boards.module.css";
import type { Known } from "../names.ts";
import { TurnPanel } from "../board/turn-panel.tsx";
import { useAttempt } from "../use-attempt.ts";
import { useOwnSealed } from "./use-own-sealed.ts";
import { seatOf } from "../seat-of.ts";

export interface SealedTurnProps {
  readonly peer: Peer;
  readonly snapshot: PeerSnapshot;
  readonly view: View;
  readonly known: Known;
  /** ballot, bid, value */
  readonly what: string;
  /** What is in the control now. */
  readonly value: string;
  /** The control; drawn while the commit is owed. */
  readonly children: (locked: boolean) => ReactNode;
}

export function SealedTurn({ peer, snapshot, view, known, what, value, children }: SealedTurnProps) {
  const { going, problem, attempt } = useAttempt();
  const { turn } = snapshot;
  const owes = turn.owes[0]?.what;
  const locked = going || turn.busy;
  return (
    <TurnPanel
      peer={peer}
      snapshot={snapshot}
      known={known}
      words={{ commit: `Your ${what}, sealed until all are in`, reveal: "All are in: yours is to be opened" }}
      problem={problem}
    >
      {owes === "commit" && (
        <form
          className={css.move}
          onSubmit={(event) => {
            event.preventDefault();
            if (isPlayable(view, value)) void attempt(() => seatOf(peer).commit(value));
          }}
        >
          {children(locked)}
          <div>
            <Button
              type="submit"
              kind="primary"
              icon="lock"
              busy={locked}
              disabled={!isPlayable(view, value) || turn.left === 0}
            >
              Seal your {what}
            </Button>
          </div>
        </form>
      )}
      {owes === "reveal" && !turn.busy && (
        <div>
          <Button
            kind="primary"
            icon="lock"
            busy={going}
            onClick={() => void attempt(() => seatOf(peer).reveal())}
          >
            Open your {what}
          </Button>
        </div>
      )}
      {owes !== "commit" && <OwnSealed snapshot={snapshot} view={view} what={what} />}
    </TurnPanel>
  );
}

function OwnSealed({ snapshot, view, what }: { snapshot: PeerSnapshot; view: View; what: string }) {
  const sealed = useOwnSealed(snapshot, view);
  if (sealed === null) return null;
  return (
    <p className="muted">
      <Icon name="lock" size={14} /> You sealed{" "}
      <strong>
        <InertText text={sealed.value} />
      </strong>
      . Only this browser knows it until all {what}s are in.
    </p>
  );
}
