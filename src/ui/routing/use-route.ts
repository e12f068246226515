// The route in force, from the address bar, and the way to change it.

import { useMemo, useSyncExternalStore } from "react";
import { AddressWriter } from "./address-writer.ts";
import { parseRoute, type BadRoute, type Route } from "./routes.ts";

const CHANGED = "coop-route";

const address = new AddressWriter({
  read: () => window.location.hash,
  replace: (hash) => window.history.replaceState(null, "", hash),
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
});

function subscribe(listener: () => void): () => void {
  const onBrowser = () => {
    address.forget();
    listener();
  };
  window.addEventListener("hashchange", onBrowser);
  window.addEventListener("popstate", onBrowser);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("hashchange", onBrowser);
    window.removeEventListener("popstate", onBrowser);
    window.removeEventListener(CHANGED, listener);
  };
}

/** The route in force. The same object until it changes. */
export function useRoute(): Route | BadRoute {
  const hash = useSyncExternalStore(subscribe, () => address.read());
  return useMemo(() => parseRoute(hash), [hash]);
}

/** Goes to a route (`#/…`). With `replace` the back button skips where we were. */
export function navigate(hash: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) {
    address.replace(hash);
    window.dispatchEvent(new Event(CHANGED)); // replaceState tells nobody
    return;
  }
  address.forget();
  window.location.hash = hash;
}

/** The app's own address up to and without `#`: what links for others begin with. */
export function appUrl(): string {
  return window.location.href.split("#")[0]!;
}
