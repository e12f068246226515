// The world as a Hub client finds it in a browser or in Node.

import type { HubEnvironment } from "./retry.ts";

export function systemHubEnvironment(): HubEnvironment {
  return {
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    timer: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
    chance: () => Math.random(),
    // getRandomValues is there on plain http too, unlike crypto.subtle.
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
}
