// The environment for components: opened on first use, so that the first screen does not wait for it.

import { createContext, use, useContext } from "react";
import type { AppEnvironment } from "./environment.ts";

/** Opens the environment, or gives the one that was opened. */
export type GetEnvironment = () => Promise<AppEnvironment>;

const Context = createContext<GetEnvironment | null>(null);

export const EnvironmentProvider = Context.Provider;

/** The way to the environment, for event handlers. */
export function useGetEnvironment(): GetEnvironment {
  const get = useContext(Context);
  if (get === null) throw new Error("useEnvironment needs an EnvironmentProvider above it");
  return get;
}

/** The environment; suspends until it is open. */
export function useEnvironment(): AppEnvironment {
  return use(useGetEnvironment()());
}
