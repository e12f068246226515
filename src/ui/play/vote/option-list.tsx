// The options of a vote as radio buttons. Options are others' text: inert.

import { useId } from "react";
import { InertText } from "../../components/inert-text.tsx";
import css from "../board/boards.module.css";

export interface OptionListProps {
  readonly options: readonly string[];
  readonly chosen: string | null;
  readonly onChoose: (option: string) => void;
  readonly locked: boolean;
}

export function OptionList({ options, chosen, onChoose, locked }: OptionListProps) {
  const name = useId();
  return (
    <fieldset className={css.options}>
      <legend>Options</legend>
      {options.map((option) => (
        <label key={option} className={css.option}>
          <input
            type="radio"
            name={name}
            checked={option === chosen}
            disabled={locked}
            onChange={() => onChoose(option)}
          />
          <InertText text={option} />
        </label>
      ))}
    </fieldset>
  );
}
