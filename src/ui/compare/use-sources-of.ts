// What each of several sources serves of one session, each read by itself, so that they can be held against each other:
// the logs at every Hub, and the copies that the participants keep there.

import { useEffect, useState } from "react";
import { collectSources } from "../../session/collect-sources.ts";
import type { Hub } from "../../hub/hub.ts";
import { isAddress } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import type { SourceRecords } from "../../audit/compare-sources.ts";

/** Null while they are read. `hubs` must be the same list as long as it is the same; of none nothing is read. */
export function useSourcesOf({ session, genesis, participants }: View, hubs: readonly Hub[]) {
  const [sources, setSources] = useState<readonly SourceRecords[] | null>(null);
  const asked = participants.join(" ");
  useEffect(() => {
    if (hubs.length === 0) return;
    const abort = new AbortController();
    const options = {
      genesis: genesis.wire,
      participants: asked.split(" ").filter(isAddress),
      signal: abort.signal,
    };
    collectSources(hubs, session, options).then(
      ({ sources }) => {
        if (abort.signal.aborted) return;
        setSources(sources.map(({ hub, ...source }) => ({ name: hub, ...source })));
      },
      () => undefined, // it rejects on abort alone
    );
    return () => {
      abort.abort();
      setSources(null);
    };
  }, [session, genesis.wire, asked, hubs]);
  return sources;
}
