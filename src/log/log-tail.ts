// Reads the end of somebody's log as it grows, from a given seq on: each call gives what is new, checked.

import { parseCandidate, type Candidate } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import type { Address } from "../core/values.ts";
import type { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { readingFrom, readLog, type LogReading } from "../hub/read-log.ts";

/** Records that one look reads at most. */
const MAX_A_LOOK = 4096;
/** Places with something in them that is no entry, of which so many are asked for again: each costs a request a look. */
const MAX_SPOILT = 16;

export interface TailReading {
  readonly entries: readonly Candidate[];
  readonly failed: HubError | null;
  readonly next: number;
  readonly missing: readonly number[];
}

export class LogTail {
  readonly #hub: Hub;
  readonly #wallet: Address;
  readonly #reading: LogReading;

  constructor(hub: Hub, wallet: Address, fromSeq: number) {
    this.#hub = hub;
    this.#wallet = wallet;
    this.#reading = readingFrom(fromSeq);
  }

  /**
   * Entries of these types that came since, their signatures checked; the failure that ended the reading; and the first
   * seq not reached, with those before it that the Hub did not show, or showed as something else: they are asked for again.
   */
  async read(types: readonly string[]): Promise<TailReading> {
    const entries: Candidate[] = [];
    const [whole, spoilt] = [new Set<number>(), new Set<number>()];
    const reading = this.#reading;
    reading.notes = [];
    const limits = { records: MAX_A_LOOK, pointReads: 64 };
    for await (const { record, seq } of readLog(this.#hub, this.#wallet, {
      fromSeq: reading.next,
      reading,
      limits,
    })) {
      const parsed = parseCandidate(record);
      const candidate = parsed.ok && parsed.value.wallet === this.#wallet ? parsed.value : undefined;
      if (candidate !== undefined && !types.includes(candidate.type)) whole.add(candidate.seq);
      else if (candidate !== undefined && checkPlain(candidate).ok) {
        whole.add(candidate.seq);
        entries.push(candidate);
      } else if (seq !== null) spoilt.add(seq);
    }
    for (const seq of [...spoilt].slice(-MAX_SPOILT))
      if (!whole.has(seq) && !reading.holes.includes(seq)) reading.holes.push(seq);
    const failed = reading.notes.flatMap((note) => (note.kind === "failed" ? [note.error] : []))[0] ?? null;
    return { entries, failed, next: reading.next, missing: [...reading.holes] };
  }
}
