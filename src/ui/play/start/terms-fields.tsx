// Title, entries, and the outcome if a player stops responding; each explained in a sentence.

import { checksumAddress, type Address } from "../../../core/values.ts";
import { Choices, Field } from "../../components/field.tsx";
import { isSealed, shareNeeded, type Checked } from "./form.ts";
import type { FieldsProps } from "./rules-fields.tsx";
import { TextField } from "./text-field.tsx";

interface TermsFieldsProps extends FieldsProps {
  readonly checked: Checked;
  /** Who may be awarded: the creator, if it plays, as "", and known addresses. */
  readonly awardable: readonly (Address | "")[];
}

export function TermsFields({ form, change, wrongAt, checked, awardable }: TermsFieldsProps) {
  return (
    <>
      {form.game !== "vote" && (
        <TextField
          label="Title"
          help="Anybody with the session sees it. May be empty."
          wrong={wrongAt("title")}
          value={form.title}
          onChange={(title) => change({ title })}
        />
      )}
      <Choices
        label="If moves are still owed when the session closes"
        chosen={form.whenSilent}
        onChoose={(whenSilent) => change({ whenSilent })}
        choices={[
          {
            value: "forfeit",
            title: "Forfeit",
            hint: "The player who owes nothing wins, if there is exactly one",
          },
          { value: "void", title: "Void", hint: "Nobody wins" },
          ...(awardable.length > 0
            ? [{ value: "award" as const, title: "Award", hint: "To a wallet you name" }]
            : []),
        ]}
      />
      {form.whenSilent === "award" && (
        <Field
          label="Awarded to"
          help="Nobody loses a session that it never entered: then it is void all the same."
          wrong={wrongAt("default_outcome")}
        >
          {(ids) => (
            <select
              {...ids}
              value={form.awardTo}
              onChange={(event) => change({ awardTo: event.target.value })}
            >
              {awardable.map((to) => (
                <option key={to} value={to}>
                  {to === "" ? "You" : checksumAddress(to)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <TextField
        label="Entries in all"
        help={formatDeadline(checked, form.deadline.trim() === "", shareNeeded(form))}
        wrong={wrongAt("deadline")}
        value={form.deadline}
        placeholder={checked.ok ? String(checked.offer.deadline) : ""}
        onChange={(deadline) => change({ deadline })}
        digits
      />
      {isSealed(form) && checked.ok && checked.seats >= 4 && (
        <Patience {...{ form, change, wrongAt }} share={checked.share} />
      )}
      {isSealed(form) && !checked.ok && checked.at === "patience" && (
        <Patience {...{ form, change, wrongAt }} share={0} />
      )}
    </>
  );
}

function formatDeadline(checked: Checked, computed: boolean, needed: number): string {
  const clock =
    "There is no clock: the session closes when somebody has used its share, and then the choice above applies to moves still owed.";
  if (!checked.ok) return clock;
  const { share } = checked;
  const few = share < needed ? ` Fewer than the ${needed} that this game is comfortable with.` : "";
  return `${computed ? "Computed; " : ""}${share} for each of ${checked.seats}, one for the beginning.${few} ${clock}`;
}

function Patience({ form, change, wrongAt, share }: FieldsProps & { share: number }) {
  const usual = Math.max(1, Math.floor(share / 2));
  return (
    <TextField
      label="Patience"
      help="With four or more seats nobody can hold up the rest: from its entry after this many on, a wallet may open although somebody has not sealed yet."
      wrong={wrongAt("patience")}
      value={form.patience}
      placeholder={share > 0 ? String(usual) : ""}
      onChange={(patience) => change({ patience })}
      digits
    />
  );
}
