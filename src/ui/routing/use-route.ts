// The route in force, from the address bar, and the way to change it.

import { useMemo, useSyncExternalStore } from "react";
import { parseRoute, type BadRoute, type Route } from "./routes.ts";

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  window.addEventListener("popstate", listener);
  return () => {
    window.removeEventListener("hashchange", listener);
    window.removeEventListener("popstate", listener);
  };
}

/** The route that the address bar names. The same object until it changes. */
export function useRoute(): Route | BadRoute {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/** Goes to a route (`#/…`). With `replace` the back button skips where we were. */
export function navigate(hash: string, { replace = false }: { replace?: boolean } = {}): void {
  if (!replace) {
    window.location.hash = hash;
    return;
  }
  window.history.replaceState(null, "", hash);
  // replaceState tells nobody; our own listeners go by this.
  window.dispatchEvent(new PopStateEvent("popstate"));
}

/** The app's own address up to and without `#`: what links for others begin with. */
export function appUrl(): string {
  return window.location.href.split("#")[0]!;
}
