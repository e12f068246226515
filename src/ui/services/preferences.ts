// What this reader prefers: theme, shortcuts, Hub and relay of their own choice. The store does no I/O:
// `main.tsx` reads what was kept before the store is made (so that nothing overtakes it) and keeps what changes.

import { createStore, type StoreApi } from "zustand/vanilla";
import { isObject, own, parseJson } from "../../core/canonical.ts";
import { THEME_CHOICES, type ThemeChoice } from "../theme/theme.ts";

export interface Preferences {
  readonly theme: ThemeChoice;
  /** Single-key shortcuts (`/`, `?`). Those with a modifier always work. */
  readonly shortcuts: boolean;
  /** URL of the Hub to use instead of the serving host's; "" for that one. */
  readonly hub: string;
  /** URL of the relay to use instead; "" for the serving host's. */
  readonly relay: string;
  /** A backup of the keys was downloaded, or declined, so it is not offered before each first commit again. */
  readonly backupSettled: boolean;
  /** A system notification when it is one's move; the browser was asked. */
  readonly notify: boolean;
  /** A short sound then. */
  readonly sound: boolean;
}

export const DEFAULT_PREFERENCES: Preferences = {
  theme: "system",
  shortcuts: true,
  hub: "",
  relay: "",
  backupSettled: false,
  notify: false,
  sound: false,
};

export interface PreferencesStore extends Preferences {
  /** Sets some of them. */
  readonly set: (change: Partial<Preferences>) => void;
}

export type PreferencesApi = StoreApi<PreferencesStore>;

/** Preferences out of a kept text. What is missing or malformed has its default: old texts stay readable. */
export function readPreferences(text: string | null): Preferences {
  const value = text === null ? undefined : parseJson(text);
  if (!isObject(value)) return DEFAULT_PREFERENCES;
  const theme = THEME_CHOICES.find((choice) => choice === own(value, "theme"));
  const flag = (name: "shortcuts" | "backupSettled" | "notify" | "sound") => {
    const kept = own(value, name);
    return typeof kept === "boolean" ? kept : DEFAULT_PREFERENCES[name];
  };
  const textOf = (name: "hub" | "relay") => {
    const kept = own(value, name);
    return typeof kept === "string" ? kept : "";
  };
  return {
    theme: theme ?? DEFAULT_PREFERENCES.theme,
    shortcuts: flag("shortcuts"),
    backupSettled: flag("backupSettled"),
    notify: flag("notify"),
    sound: flag("sound"),
    hub: textOf("hub"),
    relay: textOf("relay"),
  };
}

/** The preferences alone, without the actions, as they are kept. */
export function preferencesOf(state: Preferences): Preferences {
  const { theme, shortcuts, hub, relay, backupSettled, notify, sound } = state;
  return { theme, shortcuts, hub, relay, backupSettled, notify, sound };
}

export function createPreferences(initial: Preferences): PreferencesApi {
  return createStore<PreferencesStore>((set) => ({ ...initial, set: (change) => set(change) }));
}
