// Closing a session that a silent peer keeps open, by using up one's own share: a deliberate act, explained first.

import { useState } from "react";
import type { Address } from "../../../core/values.ts";
import type { View } from "../../../core/view.ts";
import { describeOutcome } from "../../../games/describe.ts";
import type { Verdict } from "../../../games/game.ts";
import type { Peer } from "../../../peer/peer.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InertText } from "../../components/inert-text.tsx";
import { Notice } from "../../components/notice.tsx";
import { Progress } from "../../components/progress.tsx";
import { closingOf, type Closing as Plan } from "./closing.ts";
import { formatName, type Known } from "../names.ts";
import { errorText } from "../../../platform/coded-error.ts";
import { seatOf } from "../seat-of.ts";

export interface ClosingProps {
  readonly peer: Peer;
  readonly view: View;
  readonly verdict: Verdict | null;
  readonly me: Address;
  readonly known: Known;
}

export function Closing({ peer, view, verdict, me, known }: ClosingProps) {
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<{ n: number; of: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const plan = closingOf(view, verdict, me);
  if (plan === undefined) return null;
  const close = async () => {
    const ticks = plan.ticks;
    try {
      for (let n = 0; n < ticks; n++) {
        setDone({ n, of: ticks });
        await seatOf(peer).tick();
      }
      setAsking(false);
    } catch (error) {
      setProblem(errorText(error));
    }
    setDone(null);
  };
  return (
    <>
      <Button size="s" kind="quiet" icon="clock" onClick={() => setAsking(true)}>
        Somebody is silent?
      </Button>
      {asking && (
        <Dialog
          title="Close the session"
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button onClick={() => setAsking(false)}>Keep waiting</Button>
              <Button kind="danger" busy={done !== null} onClick={() => void close()}>
                Use up {plan.ticks} {plan.ticks === 1 ? "entry" : "entries"} and close
              </Button>
            </>
          }
        >
          <p>
            There is no clock here. A session closes when somebody has used its share of entries. You have{" "}
            <strong>{plan.ticks}</strong> of {view.share} left; using them up by ticks closes it now.
          </p>
          <p>
            <InertText text={formatPlan(plan, known)} translatable />
          </p>
          <p className="muted">
            The result is called <strong>decided, not final</strong>: a player who was away can still write
            the entries of its own share and change it. You cannot answer then: you have no entries left.
          </p>
          {done !== null && <Progress atOnce label="Writing ticks" done={done.n} total={done.of} />}
          {problem !== null && (
            <Notice kind="error" title="The session was not closed">
              {problem}
            </Notice>
          )}
        </Dialog>
      )}
    </>
  );
}

function formatPlan({ owing, strangers, outcome }: Plan, known: Known): string {
  const nameOf = (wallet: Address) => formatName(known, wallet);
  const who = owing.map(nameOf).join(" and ");
  if (strangers.length > 0 && outcome.kind === "void")
    return `${strangers.map(nameOf).join(" and ")} never entered, so it would be void: nobody loses a session it never entered.`;
  const result = `the outcome would be: ${describeOutcome(outcome, nameOf)}`;
  if (who === "") return `Nobody owes a move; ${result}.`;
  const mine =
    known.me !== null && owing.includes(known.me)
      ? " You owe one of them: making it is the other way out."
      : "";
  return `${who} ${owing.length === 1 ? "owes" : "owe"} a move; if nothing else came, ${result}.${mine}`;
}
