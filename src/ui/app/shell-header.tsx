// The header: the way home, search, play, theme, settings.

import css from "./app.module.css";
import { IconButton, LinkButton } from "../components/button.tsx";
import { SearchBar } from "../search/search-bar.tsx";
import { to } from "../routing/routes.ts";
import { usePreferences } from "../services/stores.tsx";
import { THEME_CHOICES } from "../theme/theme.ts";

export function Header({ withSearch }: { withSearch: boolean }) {
  return (
    <header className={css.header}>
      <a className={css.brand} href={to.home()} aria-label="Coop Explorer, start page">
        <Mark />
        <span className={css.brandName}>Coop Explorer</span>
      </a>
      {withSearch && (
        <div className={css.search}>
          <SearchBar />
        </div>
      )}
      <nav className={css.nav} aria-label="Pages">
        <LinkButton kind="quiet" icon="play" href={to.play()} title="Play" aria-label="Play">
          <span className={css.wide}>Play</span>
        </LinkButton>
        <ThemeSwitch />
        <LinkButton
          kind="quiet"
          icon="settings"
          href={to.settings()}
          aria-label="Settings"
          title="Settings"
        />
      </nav>
    </header>
  );
}

/** Three states in turn: as the system, light, dark. */
function ThemeSwitch() {
  const theme = usePreferences((state) => state.theme);
  const set = usePreferences((state) => state.set);
  const next = THEME_CHOICES[(THEME_CHOICES.indexOf(theme) + 1) % THEME_CHOICES.length]!;
  const icon = { system: "monitor", light: "sun", dark: "moon" } as const;
  return (
    <IconButton
      icon={icon[theme]}
      label={`Theme: ${theme}. Change to ${next}`}
      onClick={() => set({ theme: next })}
    />
  );
}

function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden fill="none" stroke="currentColor">
      <path d="M1.5 6h17M1.5 14h17M6.5 6l7 8" strokeWidth="1.6" strokeLinecap="round" />
      <circle cx="6.5" cy="6" r="2.4" fill="currentColor" stroke="none" />
      <circle cx="13.5" cy="14" r="2.4" fill="currentColor" stroke="none" />
    </svg>
  );
}
