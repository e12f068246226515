// The form of a new game: against whom, how many rounds, what holds if somebody falls silent.

import { useState, type FormEvent } from "react";
import { Button } from "../components/button.tsx";
import { Choices, Field } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { useEnvironment } from "../queries/use-environment.ts";
import { to } from "../routes.ts";
import { navigate } from "../use-route.ts";
import { BackupOffer } from "./backup-offer.tsx";
import { callHouse } from "./house.ts";
import { liveOn } from "./live.ts";
import { DEFAULT_FORM, offerOf, shareNeeded, wrongWith, type RpsForm } from "./offers.ts";
import css from "./play.module.css";
import { usePlayer, WalletPicker } from "./wallet-picker.tsx";

const ROUNDS = ["1", "3", "5", "7"] as const;

export function StartForm({ house }: { house: boolean }) {
  const environment = useEnvironment();
  const [opponent, setOpponent] = useState<"house" | "friend">(house ? "house" : "friend");
  const [form, setForm] = useState<RpsForm>(DEFAULT_FORM);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { player, choose, ready } = usePlayer();
  const wrong = wrongWith(form);
  const start = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const invite = await liveOn(environment).host(await ready(), offerOf(form));
      const params = new URLSearchParams({ invite });
      if (opponent === "house") {
        params.set("house", "1");
        await callHouse(environment, invite);
      }
      navigate(to.play(params), { replace: true });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <form className={css.form} onSubmit={(event) => void start(event)}>
      <div>
        <h1>Rock, paper, scissors</h1>
        <p className="muted">
          Both seal a choice, then both open it. Neither can look first, and anybody can check it afterwards.
        </p>
      </div>
      <Choices
        label="Against"
        chosen={opponent}
        onChoose={setOpponent}
        choices={[
          { value: "house", title: "The house", says: "A bot that answers at once" },
          { value: "friend", title: "A friend", says: "By a link that you send" },
        ]}
      />
      <Choices
        label="Best of"
        chosen={String(form.bestOf)}
        onChoose={(value) => setForm({ ...form, bestOf: Number(value) })}
        choices={ROUNDS.map((value) => ({ value, title: value }))}
      />
      <WalletPicker player={player} onChoose={choose} />
      <details className={css.more}>
        <summary>More: title, what holds if somebody falls silent</summary>
        <div className={css.moreInside}>
          <Field label="Title" help="Anybody with the session sees it. May be empty." wrong={wrong}>
            {(ids) => (
              <input
                {...ids}
                value={form.title}
                onChange={(e) => setForm({ ...form, title: e.target.value })}
              />
            )}
          </Field>
          <Choices
            label="If a move is still owed when the session closes"
            chosen={form.whenSilent}
            onChoose={(whenSilent) => setForm({ ...form, whenSilent })}
            choices={[
              { value: "forfeit", title: "Forfeit", says: "Whoever owes nothing wins" },
              { value: "void", title: "Void", says: "Nobody wins" },
            ]}
          />
          <p className="faint">
            Each side may write {shareNeeded(form)} entries. The session closes when a side has used its
            share: there is no clock.
          </p>
        </div>
      </details>
      <BackupOffer player={player} />
      {problem !== null && (
        <Notice kind="error" title="The game could not be started">
          {problem}
        </Notice>
      )}
      <div className={css.row}>
        <Button type="submit" kind="primary" size="l" icon="play" busy={busy} disabled={wrong !== undefined}>
          {opponent === "house" ? "Play" : "Make the invite"}
        </Button>
      </div>
    </form>
  );
}
