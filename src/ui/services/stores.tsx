// The app's stores as a context, so that tests and two windows of one page may have their own.

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { AddressBook, AddressBookApi } from "../names/address-book.ts";
import type { Commands, CommandsApi } from "./commands.ts";
import type { PreferencesApi, PreferencesStore } from "./preferences.ts";
import type { Recent, RecentApi } from "./recent.ts";
import type { Sources, SourcesApi } from "./sources.ts";

export interface Stores {
  readonly preferences: PreferencesApi;
  readonly sources: SourcesApi;
  readonly recent: RecentApi;
  readonly commands: CommandsApi;
  readonly addressBook: AddressBookApi;
}

const Context = createContext<Stores | null>(null);

export const StoresProvider = Context.Provider;

export function useStores(): Stores {
  const stores = useContext(Context);
  if (stores === null) throw new Error("useStores needs a StoresProvider above it");
  return stores;
}

/** Some part of the preferences; draws anew when that part changes. */
export function usePreferences<T>(select: (state: PreferencesStore) => T): T {
  return useStore(useStores().preferences, select);
}

/** Some part of the records that this reader brought. */
export function useSources<T>(select: (state: Sources) => T): T {
  return useStore(useStores().sources, select);
}

/** Some part of what was opened lately. */
export function useRecent<T>(select: (state: Recent) => T): T {
  return useStore(useStores().recent, select);
}

/** One part of the commands of this page. */
export function useCommands<T>(select: (state: Commands) => T): T {
  return useStore(useStores().commands, select);
}

/** Some part of the reader's own names for wallets. */
export function useAddressBook<T>(select: (state: AddressBook) => T): T {
  return useStore(useStores().addressBook, select);
}
