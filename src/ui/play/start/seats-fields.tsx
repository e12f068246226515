// Who takes part: the bot, who opens a link, or known addresses; how many; whether the creator plays.

import { Choices, Field } from "../../components/field.tsx";
import { Check } from "./check.tsx";
import type { FieldsProps } from "./rules-fields.tsx";
import { TextField } from "./text-field.tsx";
import type { With } from "./form.ts";

export function WithChoice({ form, change, bot }: FieldsProps & { bot: boolean }) {
  return (
    <Choices<With>
      label="With"
      chosen={form.with}
      onChoose={(value) => change({ with: value, ...(value === "bot" && { plays: true }) })}
      choices={[
        ...(bot ? [{ value: "bot" as const, title: "The bot", hint: "A bot, at once" }] : []),
        { value: "friend", title: form.game === "rps" ? "A friend" : "Friends", hint: "By a link you send" },
        { value: "known", title: "Known wallets", hint: "By their addresses" },
      ]}
    />
  );
}

export function SeatsFields({ form, change, wrongAt }: FieldsProps) {
  const fixed = form.game === "rps";
  return (
    <>
      {form.with === "known" ? (
        <Field
          label={form.plays ? "Addresses of the others" : "Addresses of the participants"}
          help="One a line. The session begins at once; each of them finds its seat by the session’s link."
          wrong={wrongAt("addresses", "participants")}
        >
          {(ids) => (
            <textarea
              {...ids}
              rows={3}
              className="mono"
              spellCheck={false}
              value={form.addresses}
              onChange={(event) => change({ addresses: event.target.value })}
            />
          )}
        </Field>
      ) : (
        !fixed && (
          <TextField
            label="Seats"
            help={
              form.with === "bot"
                ? "You take one, the bot another; beyond two, the rest come by your link."
                : "How many take part, you included if you play."
            }
            wrong={wrongAt("seats", "participants")}
            value={form.seats}
            onChange={(seats) => change({ seats })}
            digits
          />
        )
      )}
      {form.with !== "bot" && (
        <Check
          checked={!form.plays}
          onChange={(only) => change({ plays: !only, ...(only && { awardTo: "" }) })}
          title="I only set it up"
          hint="The others play; you can watch."
        />
      )}
      {form.with === "friend" && (
        <Check
          checked={form.open}
          onChange={(open) => change({ open })}
          title="Open to anybody"
          hint="Listed in the lobby while this page is open. The first to join have the seats."
        />
      )}
      <Check
        checked={form.isPrivate}
        onChange={(isPrivate) => change({ isPrivate })}
        title="Private"
        hint="Only the players, and whoever gets the link with the key, can read the moves. Game, rules, title and players stay public."
      />
      {form.isPrivate && (
        <TextField
          label="Domain"
          help="May be empty. A name such as team:engineering uses one key for several sessions: all who play in one can read all of them."
          wrong={wrongAt("domain")}
          value={form.domain}
          onChange={(domain) => change({ domain })}
        />
      )}
    </>
  );
}
