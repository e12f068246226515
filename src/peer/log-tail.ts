// Reads the end of somebody's log as it grows, from a given seq on: each call gives what is new, checked.

import { parseCandidate, type Candidate } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import type { Address } from "../core/values.ts";
import type { HubError } from "../hub/errors.ts";
import type { Hub } from "../hub/hub.ts";
import { readingFrom, readLog, type LogReading } from "../hub/read-log.ts";

/** Records that one look reads at most. */
const MAX_A_LOOK = 4096;

export class LogTail {
  readonly #hub: Hub;
  readonly #wallet: Address;
  readonly #reading: LogReading;

  constructor(hub: Hub, wallet: Address, fromSeq: number) {
    this.#hub = hub;
    this.#wallet = wallet;
    this.#reading = readingFrom(fromSeq);
  }

  /** Entries of these types that came since, their signatures checked, and the failure that ended the reading. */
  async read(
    types: readonly string[],
  ): Promise<{ readonly entries: Candidate[]; readonly failed: HubError | null }> {
    const entries: Candidate[] = [];
    const reading = this.#reading;
    reading.notes = [];
    const limits = { records: MAX_A_LOOK, pointReads: 64 };
    for await (const { record } of readLog(this.#hub, this.#wallet, {
      fromSeq: reading.next,
      reading,
      limits,
    })) {
      const candidate = parseCandidate(record);
      if ("ok" in candidate || candidate.wallet !== this.#wallet || !types.includes(candidate.type)) continue;
      if (checkPlain(candidate).ok) entries.push(candidate);
    }
    const failed = reading.notes.flatMap((note) => (note.kind === "failed" ? [note.error] : []))[0] ?? null;
    return { entries, failed };
  }
}
