// A labelled field of a form: label above, help or the reason of a refusal below, tied together for screen readers.

import { useId, type ReactNode } from "react";
import css from "./field.module.css";

export interface FieldIds {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

export interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly wrong?: string | undefined;
  /** Draws the control with what ties it to the label. */
  readonly children: (ids: FieldIds) => ReactNode;
}

export function Field({ label, help, wrong, children }: FieldProps) {
  const id = useId();
  const note = wrong ?? help;
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-describedby": note === undefined ? undefined : `${id}-note`,
        "aria-invalid": wrong !== undefined,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} className={wrong === undefined ? css.help : css.wrong}>
          {note}
        </p>
      )}
    </div>
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly title: ReactNode;
  readonly hint?: ReactNode;
}

/** One of a few, as radio buttons side by side. */
export function Choices<T extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset className={css.choices}>
      <legend>{label}</legend>
      <div className={css.row}>
        {choices.map(({ value, title, hint: says }) => (
          <label key={value} className={css.choice}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => onChoose(value)}
            />
            <span>
              {title}
              {says !== undefined && <small>{says}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
