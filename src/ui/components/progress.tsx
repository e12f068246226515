// A bar for whatever takes over half a second: n of N where it is known, moving where it is not. It fades in late, so
// that quick work shows none.

import css from "./progress.module.css";

export interface ProgressProps {
  readonly label: string;
  readonly done?: number;
  /** Without it the bar says only that something goes on. */
  readonly total?: number | undefined;
  /** Shown at once, for a bar that stays on screen. */
  readonly atOnce?: boolean;
}

export function Progress({ label, done = 0, total, atOnce = false }: ProgressProps) {
  const known = total !== undefined && total > 0;
  const part = known ? Math.min(1, done / total) : 0;
  return (
    <div className={atOnce ? css.progress : `${css.progress} ${css.late}`}>
      <div className={css.words}>
        <span>{label}</span>
        {known && (
          <span className="num">
            {done.toLocaleString("en")} of {total.toLocaleString("en")}
          </span>
        )}
      </div>
      <div
        className={css.track}
        role="progressbar"
        aria-label={label}
        {...(known && { "aria-valuemin": 0, "aria-valuemax": total, "aria-valuenow": done })}
      >
        <div
          className={known ? css.bar : `${css.bar} ${css.unknown}`}
          {...(known && { style: { transform: `scaleX(${part})` } })}
        />
      </div>
    </div>
  );
}
