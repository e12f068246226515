// What this reader prefers: theme, shortcuts, Hub and relay of their own choice. What was kept is read before the store
// is made, so that nothing overtakes it; each preference is kept by itself, so that tabs do not reset one another.

import { createStore, type StoreApi } from "zustand/vanilla";
import { canonicalize, parseJson, type Json } from "../../core/canonical.ts";
import { THEME_CHOICES, type ThemeChoice } from "../theme/theme.ts";
import type { KeptMembers } from "./kept-members.ts";

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

/** Preferences out of kept members. What is missing or malformed has its default: old members stay readable. */
export function readPreferences(members: ReadonlyMap<string, string>): Preferences {
  const kept = (name: keyof Preferences): Json | undefined => parseJson(members.get(name) ?? "");
  const theme = THEME_CHOICES.find((choice) => choice === kept("theme"));
  const flag = (name: "shortcuts" | "backupSettled" | "notify" | "sound") => {
    const value = kept(name);
    return typeof value === "boolean" ? value : DEFAULT_PREFERENCES[name];
  };
  const textOf = (name: "hub" | "relay") => {
    const value = kept(name);
    return typeof value === "string" ? value : "";
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

const NAMES = Object.keys(DEFAULT_PREFERENCES) as readonly (keyof Preferences)[];

/** Keeps what changes here, and takes over what another tab changes. */
export function keepPreferences(store: PreferencesApi, kept: KeptMembers): void {
  store.subscribe((state, before) => {
    for (const name of NAMES) if (state[name] !== before[name]) kept.set(name, canonicalize(state[name]));
  });
  kept.onChange((name, text) => {
    const changed = NAMES.find((each) => each === name);
    if (changed === undefined) return;
    const read = readPreferences(new Map(text === null ? [] : [[changed, text]]));
    store.setState({ [changed]: read[changed] });
  });
}

export function createPreferences(initial: Preferences): PreferencesApi {
  return createStore<PreferencesStore>((set) => ({ ...initial, set: (change) => set(change) }));
}
