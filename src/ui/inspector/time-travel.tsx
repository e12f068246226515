// A slider over the order of the moves, and an observer. The resolver runs again at every cut; the page's verdict is the
// cut's, and says so. At the right end it is live.

import { Button, IconButton } from "../components/button.tsx";
import css from "./inspector.module.css";
import type { Inspected, ShownCut } from "./session-model.ts";
import { useReplay } from "./use-replay.ts";

export function TimeTravel({ inspected, cut }: { inspected: Inspected; cut: ShownCut }) {
  const { view, state, change, nameOf } = inspected;
  const last = view.order.length;
  const at = Math.min(state.cut ?? last, last);
  const go = (next: number) => change({ cut: next >= last ? null : Math.max(0, next) });
  const { isPlaying, toggle } = useReplay(at, last, go);
  return (
    <div className={css.travel}>
      <Button
        size="s"
        icon={isPlaying ? "pause" : "play"}
        disabled={last === 0}
        aria-pressed={isPlaying}
        onClick={toggle}
      >
        Replay
      </Button>
      <IconButton label="One move back" icon="left" size="s" disabled={at === 0} onClick={() => go(at - 1)} />
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label="Moves shown"
        aria-valuetext={at === last ? ofAll(last) : `${at} of ${last} moves`}
        onChange={(event) => go(Number(event.target.value))}
      />
      <IconButton
        label="One move on"
        icon="right"
        size="s"
        disabled={at === last}
        onClick={() => go(at + 1)}
      />
      <span className={`${css.travelWords} num`} data-testid="cut">
        {at === last ? ofAll(last) : `${at} of ${last} moves`}
      </span>
      <label className={css.observer}>
        as seen by
        <select
          value={state.observer ?? ""}
          onChange={({ target: { value } }) =>
            change({ observer: view.participants.find((wallet) => wallet === value) ?? null })
          }
        >
          <option value="">everybody</option>
          {view.participants.map((wallet) => (
            <option key={wallet} value={wallet}>
              {nameOf(wallet)}
            </option>
          ))}
        </select>
      </label>
      <Button
        className={css.backToNow}
        size="s"
        icon="live"
        disabled={cut.live}
        onClick={() => change({ cut: null, observer: null })}
      >
        Back to now
      </Button>
    </div>
  );
}

/** What the slider says at its end. */
function ofAll(moves: number): string {
  return moves === 1 ? "the only move" : `all ${moves} moves`;
}
