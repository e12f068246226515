// The verdict at a glance: game and title, the sentence, its finality and level, and how many checks stand behind it.

import { Icon, type IconName } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Progress } from "../components/progress.tsx";
import type { Progress as Done } from "../../verify/verifier.ts";
import type { Summary, Tone } from "./summary.ts";
import css from "./verdict-card.module.css";

const ICONS: Record<Tone, IconName> = { pass: "shield", warn: "warn", fail: "cross", wait: "clock" };
const LEVELS = {
  checking: "checking",
  authenticated: "authenticated: not every signature is checked yet",
  verified: "verified: every signature checked here",
};

export interface VerdictCardProps {
  readonly summary: Summary;
  /** Of the level that is being reached; null when all is done. */
  readonly progress: Done | null;
  readonly compact?: boolean;
}

export function VerdictCard({ summary, progress, compact = false }: VerdictCardProps) {
  const { tone, headline, notes, pinnedNote, game, title, level, finality, counts } = summary;
  const shown = [...(compact ? [] : notes), ...(pinnedNote === null ? [] : [pinnedNote])];
  return (
    <section className={`${css.card} ${css[tone]}`} data-tone={tone} data-level={level} aria-label="Verdict">
      <p className={css.what}>
        {game !== "" && (
          <span className={css.game}>
            <InertText text={game} />
          </span>
        )}
        {title !== "" && <InertText text={title} />}
      </p>
      <p className={compact ? css.headlineSmall : css.headline} role="status">
        <Icon name={ICONS[tone]} size={compact ? 18 : 22} />
        <span>
          <InertText text={headline} translatable />
        </span>
      </p>
      <ul className={css.tags}>
        <li>{LEVELS[level]}</li>
        {finality !== null && <li>{finality}</li>}
        <li className="num" data-counts>
          {counts.passed.toLocaleString("en")} checks passed, {counts.failed.toLocaleString("en")} failed
          {counts.unchecked > 0 && `, ${counts.unchecked.toLocaleString("en")} not checked`}
        </li>
      </ul>
      {progress !== null && (
        <Progress label="Checking signatures" done={progress.done} total={progress.total} />
      )}
      {shown.length > 0 && (
        <ul className={css.notes}>
          {shown.map((note) => (
            <li key={note}>
              <InertText text={note} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
