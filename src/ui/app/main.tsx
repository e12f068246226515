// Where the app begins in a page: reads what was kept, follows the theme, and mounts.

import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { quietWhileComposing } from "./composing.ts";
import { surviveTranslation } from "./survive-translation.ts";
import { createQueryClient } from "../services/query-client.ts";
import type { AppEnvironment } from "../services/environment.ts";
import { EnvironmentProvider } from "../services/use-environment.ts";
import { createCommands } from "../services/commands.ts";
import { pageClock } from "../services/browser-ports.ts";
import { KeptMembers } from "../services/kept-members.ts";
import { keptTexts } from "../services/page-texts.ts";
import { createAddressBook, keepAddressBook, readAddressBook } from "../names/address-book.ts";
import { createPreferences, keepPreferences, readPreferences } from "../services/preferences.ts";
import { createRecent, keepRecent, readRecent } from "../services/recent.ts";
import { followKeys } from "../services/vault-keys.ts";
import { createSources } from "../services/sources.ts";
import { StoresProvider } from "../services/stores.tsx";
import "../theme/tokens.css";
import "../theme/base.css";
import { followTheme } from "../theme/theme.ts";

const texts = keptTexts(() => window.localStorage);
const keptPreferences = new KeptMembers(texts, window, "coop-preferences");
const preferences = createPreferences(readPreferences(keptPreferences.all()));
keepPreferences(preferences, keptPreferences);
const keptRecent = new KeptMembers(texts, window, "coop-recent");
const recent = createRecent(readRecent(keptRecent.all()));
keepRecent(recent, keptRecent, () => pageClock.now());
const keptNames = new KeptMembers(texts, window, "coop-names");
const addressBook = createAddressBook(readAddressBook(keptNames.all()));
keepAddressBook(addressBook, keptNames);
followTheme(
  { root: document.documentElement, systemDark: window.matchMedia("(prefers-color-scheme: dark)") },
  () => preferences.getState().theme,
  (listener) => preferences.subscribe(listener),
);

quietWhileComposing(window);
surviveTranslation(Node.prototype);

let opening: Promise<AppEnvironment> | undefined;
/** One environment for the page, opened when first asked for: it outlives every mount. */
function environment(): Promise<AppEnvironment> {
  opening ??= import("../services/environment.ts").then(({ openEnvironment }) =>
    openEnvironment(window.location.href.split("#")[0]!, preferences.getState()),
  );
  return opening;
}

const queries = createQueryClient();
followKeys(window, queries);
const stores = { preferences, recent, sources: createSources(), commands: createCommands(), addressBook };

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
