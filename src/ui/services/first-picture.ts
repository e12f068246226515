// When the page shows what its reader came for, so that what may be needed later is fetched after it, not beside it.

import { pageClock } from "./browser-ports.ts";

const LONGEST_WAIT_MS = 5_000;

let show: () => void = () => undefined;
const shown = new Promise<void>((resolve) => (show = resolve));

/** The page shows its content. Later calls change nothing. */
export function markShown(): void {
  show();
}

/** Resolves once the page shows its content and the browser is idle; after five seconds in any case. */
export async function whenShown(): Promise<void> {
  await Promise.race([shown, new Promise<void>((resolve) => void pageClock.after(LONGEST_WAIT_MS, resolve))]);
  await new Promise<void>((resolve) => {
    // Safari has no requestIdleCallback.
    if ("requestIdleCallback" in window) window.requestIdleCallback(() => resolve(), { timeout: 1_000 });
    else pageClock.after(200, resolve);
  });
}
