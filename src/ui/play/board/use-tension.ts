// A moment between the last opening and what came of it, so that both moves are seen to be revealed together. None with
// reduced motion, and none for what was settled before the board was opened.

import { useEffect, useState } from "react";
import { useEnvironment } from "../../services/use-environment.ts";

const TENSION_MS = 700;

/** How many of the settled rounds may be shown now; `settled` grows as rounds are settled. */
export function useTension(settled: number): number {
  const { clock } = useEnvironment();
  const [shown, setShown] = useState(settled);
  useEffect(() => {
    if (settled === shown) return;
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    return clock.after(isStill || settled < shown ? 0 : TENSION_MS, () => setShown(settled));
  }, [clock, settled, shown]);
  return Math.min(shown, settled);
}
