// What is shown of the session: all of it, or as it stood at the cut. A cut is made in slices, and until it is there the
// page goes on showing what it showed; of many that are asked for meanwhile (a slider dragged) only the last is made next.

import { startTransition, useEffect, useMemo, useState } from "react";
import { defaultPace, runSteps } from "../../platform/time-slices.ts";
import type { SessionGraph } from "../graph/model/session-graph.ts";
import { cutSteps, isLive, type CutOf } from "./cut.ts";
import { newestOnly } from "../evidence/newest.ts";
import type { Inspected, ShownCut } from "./session-model.ts";

/** Null until the graph is there, or the first cut that the address asks for. */
export function useCut(inspected: Inspected, graph: SessionGraph | null): ShownCut | null {
  const { view, verdict, state, domain } = inspected;
  const { cut: position, observer } = state;
  const asked = useMemo(
    (): CutOf | null => (graph === null ? null : { graph, view, verdict, position, observer, domain }),
    [graph, view, verdict, position, observer, domain],
  );
  const live = asked !== null && isLive(asked);
  const now = useMemo(
    (): ShownCut | null => (graph === null || !live ? null : { graph, there: null, view, verdict, live }),
    [graph, view, verdict, live],
  );
  const [last, setLast] = useState<ShownCut | null>(null);
  if (now !== null && now !== last) setLast(now);
  const ask = useMemo(
    () =>
      newestOnly<CutOf, ShownCut>({
        make: (cut, signal) => runSteps(cutSteps(cut), defaultPace, signal),
        show: (made) => startTransition(() => setLast(made)),
        fail: (error) =>
          setLast(() => {
            throw error; // while drawing, where the page's boundary shows it
          }),
      }),
    [],
  );
  useEffect(() => ask(asked === null || live ? null : asked), [ask, asked, live]);
  useEffect(() => () => ask(null), [ask]);
  return now ?? last;
}
