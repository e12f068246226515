// Compare: the question, this seat's value, and, once opened, everybody's.

import { useState } from "react";
import { own } from "../../../core/canonical.ts";
import { isAddress } from "../../../core/values.ts";
import { compare, type CompareRules } from "../../../games/compare.ts";
import { isPlayable } from "../../../peer/turn.ts";
import { Field } from "../../components/field.tsx";
import { InertText } from "../../components/inert-text.tsx";
import type { BoardProps } from "../board/board-props.ts";
import css from "../board/boards.module.css";
import { sealedSeats } from "../sealed/sealed-seats.ts";
import { SealedTable } from "../sealed/sealed-table.tsx";
import { SealedTurn } from "../sealed/sealed-turn.tsx";

const WAYS: Record<CompareRules["by"], string> = {
  highest: "The highest value is ahead",
  lowest: "The lowest value is ahead",
  closest: "The value closest to the target is ahead",
  match: "All values must be the same",
};

export function CompareBoard(props: BoardProps) {
  const { view, snapshot, known } = props;
  const [value, setValue] = useState("");
  const check = compare.readRules(view.terms.rules, view.participants, view.share);
  if (!check.ok) return null; // the verdict says what is wrong with the rules
  const { by, target } = check.value;
  const question = own(view.terms.rules, "question");
  const { verdict } = snapshot;
  const winners = verdict?.ok === true ? verdict.outcome?.["winners"] : undefined;
  const wrong =
    value === "" || isPlayable(view, value) ? undefined : WRONG[by === "match" ? "text" : "number"];
  return (
    <section className={css.game}>
      {typeof question === "string" && question !== "" && (
        <p className={css.question}>
          <InertText text={question} />
        </p>
      )}
      <dl className={css.facts}>
        <div>
          <dt>Way</dt>
          <dd>{WAYS[by]}</dd>
        </div>
        {by === "closest" && (
          <div>
            <dt>Target</dt>
            <dd className="num">{String(target)}</dd>
          </div>
        )}
      </dl>
      <SealedTurn {...props} what="value" value={value}>
        {(locked) => (
          <Field
            label="Your value"
            wrong={wrong}
            help={
              by === "match" ? "It is compared letter by letter." : "A whole number; a minus sign is allowed."
            }
          >
            {(ids) => (
              <input
                {...ids}
                autoComplete="off"
                spellCheck={false}
                value={value}
                disabled={locked}
                onChange={(event) => setValue(event.target.value)}
              />
            )}
          </Field>
        )}
      </SealedTurn>
      <SealedTable
        seats={sealedSeats(view, verdict)}
        known={known}
        what="Value"
        ahead={Array.isArray(winners) ? winners.filter(isAddress) : []}
      />
    </section>
  );
}

const WRONG = {
  text: "A text of 1 to 2,000 characters.",
  number: "A whole number of up to 78 digits, without leading zeros; a minus sign is allowed.",
} as const;
