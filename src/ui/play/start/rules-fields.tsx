// The rules of each game as fields: sensible defaults, and what each means.

import { Choices, Field } from "../../components/field.tsx";
import type { Form } from "./form.ts";
import { TextField } from "./text-field.tsx";

export interface FieldsProps {
  readonly form: Form;
  readonly change: (change: Partial<Form>) => void;
  /** What is wrong with a rule or term of that name. */
  readonly wrongAt: (...names: readonly string[]) => string | undefined;
}

export function RulesFields(props: FieldsProps) {
  switch (props.form.game) {
    case "rps":
      return <RpsFields {...props} />;
    case "vote":
      return <VoteFields {...props} />;
    case "auction":
      return <AuctionFields {...props} />;
    case "compare":
      return <CompareFields {...props} />;
  }
}

function RpsFields({ form, change }: FieldsProps) {
  return (
    <Choices
      label="Best of"
      chosen={form.bestOf}
      onChoose={(bestOf) => change({ bestOf })}
      choices={["1", "3", "5", "7"].map((value) => ({ value, title: value }))}
    />
  );
}

function VoteFields({ form, change, wrongAt }: FieldsProps) {
  return (
    <>
      <TextField
        label="Question"
        help="What is voted on. Anybody with the session sees it."
        wrong={wrongAt("title")}
        value={form.title}
        onChange={(title) => change({ title })}
      />
      <Field
        label="Options"
        help="One a line, 2 to 64. Of equal counts, the result is a tie."
        wrong={wrongAt("options")}
      >
        {(ids) => (
          <textarea
            {...ids}
            rows={4}
            value={form.options}
            onChange={(event) => change({ options: event.target.value })}
          />
        )}
      </Field>
      <Choices
        label="Ballot"
        chosen={form.ballot}
        onChoose={(ballot) => change({ ballot })}
        choices={[
          { value: "open", title: "Open", hint: "Everybody sees each vote at once" },
          { value: "secret", title: "Secret", hint: "Sealed; opened when all are in" },
        ]}
      />
      <TextField
        label="Quorum"
        help="With fewer ballots than this there is no vote, and the default below applies."
        wrong={wrongAt("quorum")}
        value={form.quorum}
        onChange={(quorum) => change({ quorum })}
        digits
      />
    </>
  );
}

function AuctionFields({ form, change, wrongAt }: FieldsProps) {
  return (
    <>
      <TextField
        label="What is sold"
        help="Anybody with the session sees it. May be empty."
        wrong={wrongAt("item")}
        value={form.item}
        onChange={(item) => change({ item })}
      />
      <Choices
        label="Way of bidding"
        chosen={form.kind}
        onChoose={(kind) => change({ kind })}
        choices={[
          { value: "first-price", title: "First price", hint: "Sealed; the highest pays its bid" },
          { value: "second-price", title: "Second price", hint: "Sealed; the highest pays the second bid" },
          { value: "english", title: "English", hint: "Open, rising; until all others pass" },
        ]}
      />
      <TextField
        label="Reserve"
        help="Nothing is sold below it. Whole numbers, of any size."
        wrong={wrongAt("reserve")}
        value={form.reserve}
        onChange={(reserve) => change({ reserve })}
        digits
      />
      {form.kind === "english" && (
        <TextField
          label="Least step"
          help="By how much a bid must be above the leading one."
          wrong={wrongAt("increment")}
          value={form.increment}
          onChange={(increment) => change({ increment })}
          digits
        />
      )}
      <TextField
        label="Currency"
        help="A word for the amounts. May be empty."
        wrong={wrongAt("currency")}
        value={form.currency}
        onChange={(currency) => change({ currency })}
      />
    </>
  );
}

function CompareFields({ form, change, wrongAt }: FieldsProps) {
  return (
    <>
      <TextField
        label="Question"
        help="What everybody answers. May be empty."
        wrong={wrongAt("question")}
        value={form.question}
        onChange={(question) => change({ question })}
      />
      <Choices
        label="Who is ahead"
        chosen={form.by}
        onChoose={(by) => change({ by })}
        choices={[
          { value: "highest", title: "Highest" },
          { value: "lowest", title: "Lowest" },
          { value: "closest", title: "Closest to a target" },
          { value: "match", title: "Match", hint: "All say the same, or not" },
        ]}
      />
      {form.by === "closest" && (
        <TextField
          label="Target"
          help="A whole number; a minus sign is allowed."
          wrong={wrongAt("target")}
          value={form.target}
          onChange={(target) => change({ target })}
        />
      )}
    </>
  );
}
