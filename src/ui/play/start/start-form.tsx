// The form of a new game: which, opponents, rules, and the outcome if a player stops responding.

import { useState, type FormEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Choices } from "../../components/field.tsx";
import { InertText } from "../../components/inert-text.tsx";
import { Notice } from "../../components/notice.tsx";
import { useEnvironment } from "../../services/use-environment.ts";
import { BackupOffer } from "../backup-offer.tsx";
import { formatMatch } from "../format-match.ts";
import { ABOUT, GAME_NAMES, TITLES, type GameName } from "../games.ts";
import { useBotGames } from "../page-bot.ts";
import css from "../play.module.css";
import { begin } from "./begin.ts";
import { checkForm, DEFAULT_FORM, withGame, type Form } from "./form.ts";
import { RulesFields } from "./rules-fields.tsx";
import { SeatsFields, WithChoice } from "./seats-fields.tsx";
import { TermsFields } from "./terms-fields.tsx";
import { useAttempt } from "../use-attempt.ts";
import { usePlayer, WalletPicker } from "../invite/wallet-picker.tsx";

export interface StartFormProps {
  /** The bot is asked for in the link. */
  readonly bot: boolean;
  readonly game: GameName;
}

export function StartForm({ bot, game }: StartFormProps) {
  const environment = useEnvironment();
  const botGames = useBotGames();
  const [kept, setForm] = useState<Form>({
    ...withGame(DEFAULT_FORM, game),
    with: bot ? "bot" : "friend",
  });
  const hosted = botGames.includes(kept.game);
  const form: Form = kept.with === "bot" && !hosted ? { ...kept, with: "friend" } : kept;
  const change = (some: Partial<Form>) => setForm({ ...form, ...some });
  const { player, choose, ready } = usePlayer();
  const { going, problem, attempt } = useAttempt();
  const checked = checkForm(form, player === "new" ? null : player);
  const wrongAt = (...names: readonly string[]) =>
    !checked.ok && names.includes(checked.at) ? `Expected: ${checked.expected}.` : undefined;
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (checked.ok) void attempt(async () => begin(environment, form, await ready()));
  };
  const fields = { form, change, wrongAt };
  const known = form.with === "known" && checked.ok ? checked.participants.slice(form.plays ? 1 : 0) : [];
  return (
    <form className={css.form} onSubmit={start}>
      <div>
        <h1>{TITLES[form.game]}</h1>
        <p className="muted">{checked.ok ? formatMatch(form.game, checked.offer.rules) : ABOUT[form.game]}</p>
      </div>
      <Choices
        label="Game"
        chosen={form.game}
        onChoose={(next) => setForm(withGame(form, next))}
        choices={GAME_NAMES.map((value) => ({ value, title: TITLES[value] }))}
      />
      <WithChoice {...fields} bot={hosted} />
      <RulesFields {...fields} />
      <SeatsFields {...fields} />
      <WalletPicker player={player} onChoose={choose} />
      <details className={css.more} open={!checked.ok && TERMS.includes(checked.at) ? true : undefined}>
        <summary>More: title, entries, outcome if a player stops responding</summary>
        <div className={css.moreInside}>
          <TermsFields
            {...fields}
            checked={checked}
            awardable={[...(form.plays ? ([""] as const) : []), ...known]}
          />
        </div>
      </details>
      <BackupOffer player={player} />
      {!checked.ok && (
        <p className="muted" role="status">
          Not ready yet: <InertText text={NAMES[checked.at] ?? checked.at} />.
        </p>
      )}
      {problem !== null && (
        <Notice kind="error" title="The game could not be started">
          {problem}
        </Notice>
      )}
      <div className={css.row}>
        <Button type="submit" kind="primary" size="l" icon="play" busy={going} disabled={!checked.ok}>
          {BEGIN[form.with]}
        </Button>
      </div>
    </form>
  );
}

const NAMES: { readonly [at: string]: string } = {
  default_outcome: "what holds when moves are owed",
  deadline: "entries in all",
  by: "who is ahead",
};
const TERMS = ["title", "deadline", "default_outcome", "patience"];
const BEGIN = { bot: "Play", friend: "Make the invite", known: "Begin" } as const;
