// What it came to: the verdict, its finality, the reasons, and the next actions: audit, or play again.

import type { Json } from "../../../core/canonical.ts";
import type { Address } from "../../../core/values.ts";
import type { View } from "../../../core/view.ts";
import { describeFinality, describeReason, describeVerdict } from "../../../games/describe.ts";
import type { Outcome, Verdict } from "../../../games/game.ts";
import { LinkButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { InertText } from "../../components/inert-text.tsx";
import { RefLink } from "../../components/ref-link.tsx";
import { to } from "../../routing/routes.ts";
import { formatName, type Known } from "../names.ts";
import css from "../play.module.css";
import { Rematch } from "../rematch.tsx";

export interface ResultProps {
  readonly view: View;
  readonly verdict: Verdict & { readonly ok: true };
  readonly known: Known;
}

const MARKS = { won: "check", lost: "minus", even: "dash" } as const;

export function Result({ view, verdict, known }: ResultProps) {
  const nameOf = (wallet: `0x${string}`) => formatName(known, wallet);
  const bot = view.participants.some((wallet) => wallet === known.bot);
  const mood = moodOf(verdict.outcome, known.me);
  const sentence = describeVerdict(verdict, nameOf);
  const headline = formatHeadline(verdict.outcome, mood, known.me) ?? sentence;
  return (
    <section className={css.result} data-mood={mood} data-finality={verdict.finality} aria-live="polite">
      <h2>
        <Icon name={MARKS[mood]} size={24} />
        <InertText text={headline} translatable />
      </h2>
      {sentence !== `${headline}.` && (
        <p>
          <InertText text={sentence} translatable />
        </p>
      )}
      <p className="muted">{describeFinality(verdict, nameOf)}</p>
      <div className={css.row}>
        {known.me !== null && view.participants.includes(known.me) && (
          <Rematch view={view} me={known.me} known={known} />
        )}
        <LinkButton icon="shield" href={to.session(view.session)}>
          {bot ? "Check that the bot did not cheat" : "Check that nobody cheated"}
        </LinkButton>
      </div>
      <details className={css.more}>
        <summary>Why</summary>
        <ol className={css.reasons}>
          {verdict.reasons.map((reason, i) => (
            <li key={i}>
              <InertText text={describeReason(reason, nameOf)} translatable />{" "}
              {reason.entries.map((ref) => (
                <RefLink
                  key={ref}
                  to={ref}
                  href={to.session(view.session, new URLSearchParams({ entry: ref }))}
                  among={view.participants}
                  place={view.participants.findIndex((wallet) => ref.startsWith(wallet))}
                />
              ))}
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

/** What a player reads first; undefined where the sentence of the verdict is best. */
export function formatHeadline(
  outcome: Outcome | null,
  mood: keyof typeof MARKS,
  me: Address | null,
): string | undefined {
  if (outcome?.kind === "draw") return "Draw";
  if (outcome?.kind !== "win" || me === null || mood === "even") return undefined;
  return mood === "won" ? "You win" : "You lose";
}

/** How it went for this seat; even where an outcome knows no winners. */
export function moodOf(outcome: Outcome | null, me: Address | null): keyof typeof MARKS {
  const ahead: Json | undefined = outcome?.["winner"] ?? outcome?.["winners"] ?? outcome?.["to"];
  if (me === null || ahead === undefined || ahead === null) return "even";
  return ahead === me || (Array.isArray(ahead) && ahead.includes(me)) ? "won" : "lost";
}
