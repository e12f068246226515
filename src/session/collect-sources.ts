// One session as each source serves it by itself: every Hub's logs, and the copies that each participant keeps of the
// others' entries there, so that they can be held against each other. Nothing is verified here.

import type { Address, Ref } from "../core/values.ts";
import { collectSession, type CollectNote } from "./collect-session.ts";
import type { Hub } from "../hub/hub.ts";

/** What one source serves. Without `keeper` the logs at a Hub, with it the copies in that participant's space. */
export interface SessionSource {
  readonly hub: string;
  readonly keeper?: Address;
  /** Each once. */
  readonly records: readonly string[];
}

export interface SessionSources {
  /** Hub by hub, the logs before the copies. Copies of a participant are listed for every Hub as soon as one has some. */
  readonly sources: readonly SessionSource[];
  readonly notes: readonly CollectNote[];
}

export interface SourcesOptions {
  readonly signal?: AbortSignal;
  /** The session's genesis: without it, a Hub that lacks it could not be asked for the rest. */
  readonly genesis: string;
  /** Whose copies are looked for. */
  readonly participants: readonly Address[];
}

/** Reads a session from each Hub by itself. @throws HubError `aborted` only */
export async function collectSources(
  hubs: readonly Hub[],
  session: Ref,
  { signal, genesis, participants }: SourcesOptions,
): Promise<SessionSources> {
  const read = await Promise.all(
    hubs.map(async (hub) => {
      const logs = new Set<string>();
      const copies = new Map(participants.map((keeper) => [keeper, new Set<string>()]));
      const { notes } = await collectSession([hub], session, {
        known: [genesis],
        ...(signal !== undefined && { signal }),
        onRecord: (record, { what, owner }) => (what === "mirror" ? copies.get(owner) : logs)?.add(record),
      });
      return { hub: hub.name, logs, copies, notes };
    }),
  );
  const keepers = participants.filter((keeper) => read.some(({ copies }) => copies.get(keeper)!.size > 0));
  return {
    sources: read.flatMap(({ hub, logs, copies }): SessionSource[] => [
      { hub, records: [...logs] },
      ...keepers.map((keeper) => ({ hub, keeper, records: [...copies.get(keeper)!] })),
    ]),
    notes: read.flatMap(({ notes }) => notes),
  };
}
