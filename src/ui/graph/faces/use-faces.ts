// The faces of a view's entries under a verdict: made at once in a short session, in slices in a long one.

import { startTransition, useEffect, useMemo, useState } from "react";
import type { View } from "../../../core/view.ts";
import type { Verdict } from "../../../games/game.ts";
import { defaultPace, runSteps } from "../../../platform/time-slices.ts";
import { buildFaces, faceSteps, PLAIN_FACES, type Faces } from "./faces.ts";

/** So many entries are a matter of a millisecond. */
const AT_ONCE = 1_000;

export function useFaces(view: View, verdict: Verdict): Faces {
  const short = view.order.length <= AT_ONCE;
  const now = useMemo(() => (short ? buildFaces(view, verdict) : null), [short, view, verdict]);
  const [made, setMade] = useState<Faces>(PLAIN_FACES);
  useEffect(() => {
    if (short) return;
    const ended = new AbortController();
    runSteps(faceSteps(view, verdict), defaultPace, ended.signal).then(
      (faces) => startTransition(() => setMade(faces)),
      (error: unknown) => {
        if (ended.signal.aborted) return;
        setMade(() => {
          throw error; // while drawing, where the page's boundary shows it
        });
      },
    );
    return () => ended.abort();
  }, [short, view, verdict]);
  return now ?? made;
}
