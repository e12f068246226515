// The preferences store as a context, so that tests and two windows of one page may have their own.

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { PreferencesApi, PreferencesStore } from "./preferences.ts";

const Context = createContext<PreferencesApi | null>(null);

export const PreferencesProvider = Context.Provider;

/** Some part of the preferences; draws anew when that part changes. */
export function usePreferences<T>(select: (state: PreferencesStore) => T): T {
  const store = useContext(Context);
  if (store === null) throw new Error("usePreferences needs a PreferencesProvider above it");
  return useStore(store, select);
}
