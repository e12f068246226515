// How much of its share of the budget a wallet has used: one cell per entry while they can be counted by eye, a bar
// beyond. Numbers of entries, never of seconds.

import { walletColour } from "../theme/theme.ts";
import css from "./share-meter.module.css";

/** Shares up to this size are drawn cell by cell. */
export const MAX_CELLS = 24;

export interface Meter {
  readonly used: number;
  readonly left: number;
  readonly spent: boolean;
  /** Entries beyond the share: late, and not seen by the game. */
  readonly late: number;
  readonly words: string;
}

/** What a meter says of `used` entries of a share. */
export function meterOf(used: number, share: number): Meter {
  const within = Math.min(used, share);
  const late = used - within;
  const spent = used >= share;
  const words = `${within} of ${share} ${share === 1 ? "entry" : "entries"} used${spent ? ", spent" : ""}`;
  return {
    used: within,
    left: share - within,
    spent,
    late,
    words: late > 0 ? `${words}, ${late} late` : words,
  };
}

export function ShareMeter({ used, share, place = 0 }: { used: number; share: number; place?: number }) {
  const meter = meterOf(used, share);
  const colour = { color: walletColour(place) };
  return (
    <span className={css.meter} role="img" aria-label={meter.words} title={meter.words} data-used={used}>
      {share <= MAX_CELLS ? (
        <span className={css.cells} style={colour}>
          {Array.from({ length: share }, (_, i) => (
            <span key={i} className={i < meter.used ? css.full : css.cell} />
          ))}
        </span>
      ) : (
        <span className={css.track} style={colour}>
          <span className={css.bar} style={{ width: `${(100 * meter.used) / share}%` }} />
        </span>
      )}
      <span className={`${css.words} num`} aria-hidden>
        {meter.used}/{share}
        {meter.late > 0 && ` +${meter.late} late`}
      </span>
    </span>
  );
}
