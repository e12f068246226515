// Where the app begins in a page: reads what was kept, follows the theme, and mounts.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { canonicalize } from "../core/canonical.ts";
import { App } from "./app.tsx";
import { PreferencesProvider } from "./stores/preferences-context.tsx";
import { createPreferences, preferencesOf, readPreferences } from "./stores/preferences.ts";
import "./theme/tokens.css";
import "./theme/base.css";
import { followTheme } from "./theme/theme.ts";

const KEPT = "coop-preferences";

/** localStorage throws where the browser forbids it (some private windows): then nothing is kept, and that is all. */
function kept(): string | null {
  try {
    return window.localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

const preferences = createPreferences(readPreferences(kept()));
preferences.subscribe((state) => {
  try {
    window.localStorage.setItem(KEPT, canonicalize({ ...preferencesOf(state) }));
  } catch {
    // Not kept: the choice holds until the page is closed.
  }
});
followTheme(
  { root: document.documentElement, systemDark: window.matchMedia("(prefers-color-scheme: dark)") },
  () => preferences.getState().theme,
  (listener) => preferences.subscribe(listener),
);

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <PreferencesProvider value={preferences}>
      <App />
    </PreferencesProvider>
  </StrictMode>,
);
