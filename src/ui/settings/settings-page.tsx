// Settings: keys and backups, Hub and relay, theme, shortcuts.

import { Choices } from "../components/field.tsx";
import { usePreferences } from "../services/stores.tsx";
import { THEME_CHOICES, type ThemeChoice } from "../theme/theme.ts";
import { HubSettings } from "./hub-settings.tsx";
import { KeySettings } from "./key-settings.tsx";
import css from "./settings-page.module.css";
import { TurnSettings } from "./turn-settings.tsx";

const THEME_TITLES: Record<ThemeChoice, string> = { system: "As the system", light: "Light", dark: "Dark" };

export default function SettingsPage() {
  const theme = usePreferences((state) => state.theme);
  const shortcuts = usePreferences((state) => state.shortcuts);
  const set = usePreferences((state) => state.set);
  return (
    <div className={css.page}>
      <h1>Settings</h1>
      <section>
        <h2>Keys</h2>
        <KeySettings />
      </section>
      <section>
        <h2>Hub and relay</h2>
        <HubSettings />
      </section>
      <section>
        <h2>When it is your move</h2>
        <TurnSettings />
      </section>
      <section>
        <h2>Look</h2>
        <Choices
          label="Theme"
          choices={THEME_CHOICES.map((value) => ({ value, title: THEME_TITLES[value] }))}
          chosen={theme}
          onChoose={(choice) => set({ theme: choice })}
        />
      </section>
      <section>
        <h2>Keyboard</h2>
        <label className={css.check}>
          <input
            type="checkbox"
            checked={shortcuts}
            onChange={(event) => set({ shortcuts: event.target.checked })}
          />
          <span>
            Single-key shortcuts
            <small>
              <kbd>/</kbd> for search, <kbd>?</kbd> for the list of keys, and those that it lists for a page.
              Those with Ctrl or ⌘ always work.
            </small>
          </span>
        </label>
      </section>
    </div>
  );
}
