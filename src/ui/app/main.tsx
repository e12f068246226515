// Where the app begins in a page: reads what was kept, follows the theme, and mounts.

import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { canonicalize } from "../../core/canonical.ts";
import { App } from "./app.tsx";
import { createQueryClient } from "../services/query-client.ts";
import type { AppEnvironment } from "../services/environment.ts";
import { EnvironmentProvider } from "../services/use-environment.ts";
import { createCommands } from "../services/commands.ts";
import { createPreferences, preferencesOf, readPreferences } from "../services/preferences.ts";
import { createRecent, readRecent } from "../services/recent.ts";
import { createSources } from "../services/sources.ts";
import { StoresProvider } from "../services/stores.tsx";
import "../theme/tokens.css";
import "../theme/base.css";
import { followTheme } from "../theme/theme.ts";

/** localStorage throws where the browser forbids it (some private windows): then nothing is kept, and that is all. */
function kept(name: string): string | null {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name: string, text: string): void {
  try {
    window.localStorage.setItem(name, text);
  } catch {
    // Not kept: it holds until the page is closed.
  }
}

const preferences = createPreferences(readPreferences(kept("coop-preferences")));
preferences.subscribe((state) => keep("coop-preferences", canonicalize({ ...preferencesOf(state) })));
const recent = createRecent(readRecent(kept("coop-recent")));
recent.subscribe(({ sessions }, before) => {
  if (sessions !== before.sessions)
    keep("coop-recent", canonicalize(sessions.map((session) => ({ ...session }))));
});
followTheme(
  { root: document.documentElement, systemDark: window.matchMedia("(prefers-color-scheme: dark)") },
  () => preferences.getState().theme,
  (listener) => preferences.subscribe(listener),
);

let opening: Promise<AppEnvironment> | undefined;
/** One environment for the page, opened when first asked for: it outlives every mount. */
function environment(): Promise<AppEnvironment> {
  opening ??= import("../services/environment.ts").then(({ openEnvironment }) =>
    openEnvironment(window.location.href.split("#")[0]!, preferences.getState()),
  );
  return opening;
}

const queries = createQueryClient();
const stores = { preferences, recent, sources: createSources(), commands: createCommands() };

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <StoresProvider value={stores}>
      <EnvironmentProvider value={environment}>
        <QueryClientProvider client={queries}>
          <App />
        </QueryClientProvider>
      </EnvironmentProvider>
    </StoresProvider>
  </StrictMode>,
);
