// The names of the session that is shown, for everything below: tables, lanes, sentences and headings take them from
// here, so that a wallet is called the same in all of them.

import { createContext, useContext } from "react";
import type { SessionNames } from "../../names/session-names.ts";

const Context = createContext<SessionNames | null>(null);

export const NamesProvider = Context.Provider;

/** null outside of a session. */
export function useNames(): SessionNames | null {
  return useContext(Context);
}
