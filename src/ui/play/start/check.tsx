// A tick box with a line of explanation.

import css from "./start.module.css";

export interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly title: string;
  readonly hint: string;
}

export function Check({ checked, onChange, title, hint: says }: CheckProps) {
  return (
    <label className={css.check}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {title}
        <small>{says}</small>
      </span>
    </label>
  );
}
