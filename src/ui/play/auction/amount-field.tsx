// An amount, exact at any size: digits as text, never a number type.

import { Field } from "../../components/field.tsx";
import { InertText } from "../../components/inert-text.tsx";

export interface AmountFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly unit: string;
  readonly help: string;
  readonly wrong: string | undefined;
  readonly locked: boolean;
}

export function AmountField({ label, value, onChange, unit, help, wrong, locked }: AmountFieldProps) {
  return (
    <Field
      label={label}
      wrong={wrong}
      help={
        <>
          {help}
          {unit !== "" && (
            <>
              {" In "}
              <InertText text={unit} />.
            </>
          )}
        </>
      }
    >
      {(ids) => (
        <input
          {...ids}
          className="num"
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          value={value}
          disabled={locked}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      )}
    </Field>
  );
}
