// A field of one line.

import type { ReactNode } from "react";
import { Field } from "../../components/field.tsx";

export interface TextFieldProps {
  readonly label: string;
  readonly help: ReactNode;
  readonly wrong: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Digits only: a keypad on phones. */
  readonly digits?: boolean;
  readonly placeholder?: string;
}

export function TextField({
  label,
  help,
  wrong,
  value,
  onChange,
  digits = false,
  placeholder,
}: TextFieldProps) {
  return (
    <Field label={label} help={help} wrong={wrong}>
      {(ids) => (
        <input
          {...ids}
          value={value}
          placeholder={placeholder}
          autoComplete="off"
          {...(digits && { inputMode: "numeric" as const, className: "num" })}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
