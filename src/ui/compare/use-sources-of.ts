// What each of several Hubs serves of one session, each read by itself, so that they can be held against each other.

import { useEffect, useState } from "react";
import type { Ref } from "../../core/values.ts";
import { collectSession, type CollectNote } from "../../hub/collect.ts";
import type { Hub } from "../../hub/hub.ts";
import type { SourceRecords } from "../../verify/compare-sources.ts";

export interface SourcesOf {
  /** Null while they are read. */
  readonly sources: readonly SourceRecords[] | null;
  /** By source: what could not be read, and why. */
  readonly notes: readonly (readonly CollectNote[])[];
}

const READING: SourcesOf = { sources: null, notes: [] };

/** `hubs` must be the same list as long as it is the same. With fewer than two nothing is read. */
export function useSourcesOf(session: Ref, hubs: readonly Hub[]): SourcesOf {
  const [state, setState] = useState(READING);
  useEffect(() => {
    if (hubs.length < 2) return;
    const abort = new AbortController();
    Promise.all(hubs.map((hub) => collectSession([hub], session, { signal: abort.signal }))).then(
      (all) => {
        if (abort.signal.aborted) return;
        setState({
          sources: all.map(({ records }, i) => ({ name: hubs[i]!.name, records })),
          notes: all.map(({ notes }) => notes),
        });
      },
      () => undefined, // collectSession rejects on abort alone
    );
    return () => {
      abort.abort();
      setState(READING);
    };
  }, [session, hubs]);
  return state;
}
