// Records that this reader brought: bundles dropped or pasted, samples opened. They stay in memory, and a session that
// is opened from them is read with the network off. No I/O here.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { Ref } from "../../core/values.ts";

export interface Source {
  readonly session: Ref;
  /** File name, "pasted", or a sample's title: for people. */
  readonly name: string;
  /** What an example shows, in a sentence. */
  readonly about?: string;
  readonly records: readonly string[];
}

export interface Sources {
  readonly bySession: ReadonlyMap<Ref, Source>;
  /** Adds records; a second source of one session joins the first, so that nothing that was given is lost. */
  readonly add: (source: Source) => void;
  readonly forget: (session: Ref) => void;
}

export type SourcesApi = StoreApi<Sources>;

/** The sources with one more. */
export function withSource(bySession: ReadonlyMap<Ref, Source>, source: Source): ReadonlyMap<Ref, Source> {
  const before = bySession.get(source.session);
  const records = [...new Set([...(before?.records ?? []), ...source.records])];
  const names = new Set([...(before === undefined ? [] : before.name.split(", ")), source.name]);
  const about = source.about ?? before?.about;
  const joined = {
    session: source.session,
    name: [...names].join(", "),
    records,
    ...(about !== undefined && { about }),
  };
  return new Map(bySession).set(source.session, joined);
}

/** The sources with one less. */
export function withoutSource(bySession: ReadonlyMap<Ref, Source>, session: Ref): ReadonlyMap<Ref, Source> {
  const rest = new Map(bySession);
  rest.delete(session);
  return rest;
}

export function createSources(): SourcesApi {
  return createStore<Sources>((set) => ({
    bySession: new Map(),
    add: (source) => set(({ bySession }) => ({ bySession: withSource(bySession, source) })),
    forget: (session) => set(({ bySession }) => ({ bySession: withoutSource(bySession, session) })),
  }));
}
