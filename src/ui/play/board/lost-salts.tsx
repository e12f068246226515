// What was sealed and can no longer be opened here: what that means, and the ways to it that are left. A throw-away key
// makes its salts again from the value, so where values are too many to be tried, the person says which it was.

import { useState, type FormEvent } from "react";
import type { View } from "../../../core/view.ts";
import type { Peer, PeerSnapshot } from "../../../peer/peer.ts";
import { isPlayable, listedValues } from "../../../peer/turn.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { to } from "../../routing/routes.ts";
import type { Known } from "../names.ts";
import css from "../play.module.css";
import { useAttempt } from "../use-attempt.ts";
import { seatOf } from "../seat-of.ts";

interface LostSaltsProps {
  readonly peer: Peer;
  readonly snapshot: PeerSnapshot;
  readonly known: Known;
}

export function LostSalts({ peer, snapshot, known }: LostSaltsProps) {
  const { view, turn } = snapshot;
  if (turn.lostSalts.length === 0 || view?.ok !== true || known.me === null) return null;
  const ownKey = known.keys.some(({ address }) => address === known.me);
  const says = ownKey && listedValues(view).length === 0;
  return (
    <Notice kind="error" title="What you sealed can no longer be opened here">
      <p>
        What opens it, its salt, is not in this browser: its storage was cleared, or you sealed it in another
        one. Unless it is opened it counts for nothing, and you owe the move.
      </p>
      <p>
        {says
          ? "Your key makes the salt again if you say exactly what you sealed. "
          : "Open the game in the browser where you sealed it. "}
        Or <a href={to.settings()}>import a backup</a> that was made since.
      </p>
      {says && <Recall peer={peer} view={view} />}
    </Notice>
  );
}

const NOT_IT = "No: that is not what you sealed with this key.";

function Recall({ peer, view }: { peer: Peer; view: View }) {
  const [value, setValue] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const { going, problem, attempt } = useAttempt();
  const recall = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => setWrong((await seatOf(peer).recall(value)) ? null : NOT_IT));
  };
  return (
    <form className={css.moreInside} onSubmit={recall}>
      <Field
        label="What you sealed"
        help="To the letter. It stays in this browser; you may try as often as you like."
        wrong={problem ?? wrong ?? undefined}
      >
        {(ids) => (
          <input
            {...ids}
            autoComplete="off"
            spellCheck={false}
            value={value}
            disabled={going}
            onChange={(event) => {
              setValue(event.target.value);
              setWrong(null);
            }}
          />
        )}
      </Field>
      <div>
        <Button type="submit" icon="lock" busy={going} disabled={!isPlayable(view, value)}>
          Find its salt again
        </Button>
      </div>
    </form>
  );
}
