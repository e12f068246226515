// Reads a conversation of a Hub, a log above all, so that nothing is skipped in silence: short pages are not the end,
// repeated and foreign texts are left out and counted, holes are asked for by key, and limits say that they applied.
// Nothing is verified here: a record is placed by what it says of itself.

import type { Address } from "../core/values.ts";
import { PAGE_LENGTH } from "./hub-api.ts";
import { HubError } from "./hub-error.ts";
import type { Hub } from "./hub.ts";
import { appendKey, claimOf, LOG, readRecord } from "./log-keys.ts";

/** What a reading of a log or mirror could not get, in facts. `hub` and `owner` are the reader's to add. */
export type ReadNote =
  /** Later entries are there, these are not: asked for by key, the Hub has nothing. */
  | { readonly kind: "hole"; readonly from: number; readonly to: number }
  /** Under this place's key lies something that does not name the place. */
  | { readonly kind: "unreadable"; readonly seq: number }
  /** So many texts name no place. */
  | { readonly kind: "unplaced"; readonly count: number }
  /** Different texts claim one place. */
  | { readonly kind: "differs"; readonly seq: number }
  /** So many texts came again. */
  | { readonly kind: "repeated"; readonly count: number }
  /** So many texts belong to other wallets or places than were asked for, and were left out. */
  | { readonly kind: "foreign"; readonly count: number }
  /** Reading stopped at a limit. */
  | { readonly kind: "capped"; readonly limit: number; readonly unit: "records" | "bytes" | "requests" }
  /** Reading stopped at an error. */
  | { readonly kind: "failed"; readonly error: HubError };

export interface ReadLimits {
  /** Texts accepted from one conversation. */
  readonly records: number;
  /** UTF-16 units of all these texts. */
  readonly units: number;
  /** Holes filled by reading single keys. */
  readonly pointReads: number;
}

export const READ_LIMITS: ReadLimits = { records: 200_000, units: 256 * 1024 * 1024, pointReads: 1024 };

/** The state of a reading: what it goes on from, and afterwards where the next one goes on and what was missing. */
export interface LogReading {
  /** Rows of the conversation read so far. */
  offset: number;
  /** First seq after all that was found. */
  next: number;
  /** Seqs before `next` that were not there. */
  holes: number[];
  notes: ReadNote[];
}

/** A reading that begins at a seq. As rows are never fewer than entries, an offset of that many skips none of them. */
export function readingFrom(seq: number): LogReading {
  return { offset: seq, next: seq, holes: [], notes: [] };
}

export interface ReadLogOptions {
  /** First seq of interest: records of earlier places are left out. */
  readonly fromSeq?: number;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ReadLimits>;
  readonly pageLength?: number;
  /** State to go on from; it is brought up to date while reading. */
  readonly reading?: LogReading;
  /** Called when a page came that is not full: it is likely the last, so what follows it may be asked for meanwhile. */
  readonly onShortPage?: () => void;
}

export interface LogRecord {
  readonly record: string;
  /** Place in the log: as the record claims, or as its key says. */
  readonly seq: number | null;
}

/**
 * A wallet's log from `fromSeq` on, record by record, in the order of the Hub and then what had to be read by key.
 * The end of a log is an empty page and no entry under the next key. Failures are notes; only `aborted` is thrown.
 */
export async function* readLog(
  hub: Hub,
  wallet: Address,
  options: ReadLogOptions = {},
): AsyncGenerator<LogRecord> {
  const fromSeq = options.fromSeq ?? 0;
  const reading = options.reading ?? readingFrom(fromSeq);
  const seen = new Map<number, string>();
  const differing = new Set<number>();
  const place = (record: string) => {
    const claim = claimOf(record);
    return claim === undefined
      ? null
      : claim.wallet === wallet && claim.seq >= fromSeq
        ? claim.seq
        : undefined;
  };
  let last = reading.next - 1;
  let ahead: Ahead | undefined;
  // The page after the last entry and the entry after it are asked for at the same time: one round less to the end.
  const onShortPage = () => {
    const seq = last + 1;
    ahead = { seq, record: readRecord(hub, wallet, appendKey(seq), options.signal) };
    ahead.record.catch(() => undefined); // a failure counts where the entry is wanted
  };
  for await (const item of readConversation(hub, wallet, LOG, place, { ...options, reading, onShortPage })) {
    if (item.seq !== null) {
      if (seen.has(item.seq)) differing.add(item.seq);
      else seen.set(item.seq, item.record);
      last = Math.max(last, item.seq);
    }
    yield item;
  }
  for (const seq of differing) reading.notes.push({ kind: "differs", seq });
  if (!reading.notes.some((note) => note.kind === "failed"))
    yield* fillHoles(hub, wallet, seen, { ...options, reading }, ahead);
}

/** An entry that is asked for before it is known to be wanted. */
interface Ahead {
  readonly seq: number;
  readonly record: Promise<string | null>;
}

/**
 * All texts of a conversation, each once. `place` gives the seq that a text claims, null where it claims no place
 * (it is passed on), undefined where it belongs elsewhere (it is counted and left out).
 */
export async function* readConversation(
  hub: Hub,
  owner: Address,
  conversation: string,
  place: (record: string) => number | null | undefined,
  options: ReadLogOptions & { readonly reading: LogReading },
): AsyncGenerator<LogRecord> {
  const { reading, signal } = options;
  const limits = { ...READ_LIMITS, ...options.limits };
  const pageLength = options.pageLength ?? PAGE_LENGTH;
  const texts = new Set<string>();
  const count = { repeated: 0, foreign: 0, unplaced: 0 };
  let units = 0;
  let rows = 0;
  let capped: ReadNote | undefined;
  while (capped === undefined) {
    const page = await readPage(hub, owner, conversation, reading, pageLength, signal);
    if (page.length === 0) break;
    for (const record of page) {
      rows++;
      reading.offset++;
      units += record.length;
      if (texts.has(record)) count.repeated++;
      else {
        texts.add(record);
        const seq = place(record);
        if (seq === undefined) count.foreign++;
        else {
          if (seq === null) count.unplaced++;
          yield { record, seq };
        }
      }
      if (rows >= limits.records) capped = { kind: "capped", limit: limits.records, unit: "records" };
      else if (units >= limits.units) capped = { kind: "capped", limit: limits.units, unit: "bytes" };
      if (capped !== undefined) break;
    }
    if (capped === undefined && page.length < pageLength) options.onShortPage?.();
  }
  for (const kind of ["repeated", "foreign", "unplaced"] as const)
    if (count[kind] > 0) reading.notes.push({ kind, count: count[kind] });
  if (capped !== undefined) reading.notes.push(capped);
}

/** One page; none where it failed, with a note. A single row too long to read is stepped over, with a note. */
async function readPage(
  hub: Hub,
  owner: Address,
  conversation: string,
  reading: LogReading,
  length: number,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const step = () =>
    hub.page(owner, conversation, reading.offset, length, signal === undefined ? {} : { signal });
  let skipped = 0;
  for (;;) {
    try {
      const page = await step();
      if (skipped > 0) reading.notes.push({ kind: "unplaced", count: skipped });
      return page;
    } catch (error) {
      const failure = asFailure(error);
      if (failure.code !== "capped" || ++skipped > 16) {
        reading.notes.push({ kind: "failed", error: failure });
        return [];
      }
      reading.offset++;
    }
  }
}

/** Reads by key what the pages lacked: old holes, new ones, and beyond the last entry until nothing is there. */
async function* fillHoles(
  hub: Hub,
  wallet: Address,
  seen: ReadonlyMap<number, string>,
  options: ReadLogOptions & { readonly reading: LogReading },
  ahead: Ahead | undefined,
): AsyncGenerator<LogRecord> {
  const { reading, signal } = options;
  const limit = options.limits?.pointReads ?? READ_LIMITS.pointReads;
  const capped = reading.notes.some((note) => note.kind === "capped");
  let last = reading.next - 1;
  for (const seq of seen.keys()) last = Math.max(last, seq);
  const wanted = missingPlaces(reading, seen, last, limit);
  const holes: number[] = [];
  let reads = 0;
  while (reads < limit) {
    const seq = reads < wanted.length ? wanted[reads]! : capped ? undefined : last + 1;
    if (seq === undefined) break;
    reads++;
    const asked = seq === ahead?.seq ? ahead.record : readRecord(hub, wallet, appendKey(seq), signal);
    const record = await entryOf(asked, wallet, seq, reading);
    if (record === undefined) return; // failed: the state stays, the next reading does this again
    if (record === null) {
      if (seq > last) break;
      holes.push(seq);
      continue;
    }
    last = Math.max(last, seq);
    if (record !== "") yield { record, seq };
  }
  if (reads >= limit) reading.notes.push({ kind: "capped", limit, unit: "requests" });
  reading.notes.push(...asRuns(holes));
  reading.holes = holes;
  reading.next = last + 1;
}

/** Up to `limit` places, in order, that should be there by what is: the holes of before and those up to `last`. */
function missingPlaces(
  reading: LogReading,
  seen: ReadonlyMap<number, string>,
  last: number,
  limit: number,
): number[] {
  const wanted = reading.holes.filter((seq) => !seen.has(seq)).slice(0, limit);
  for (let seq = reading.next; seq <= last && wanted.length < limit; seq++)
    if (!seen.has(seq)) wanted.push(seq);
  return wanted;
}

/** The entry under a key: null where there is none, empty where it is too long to read, undefined where asking failed. */
async function entryOf(
  asked: Promise<string | null>,
  wallet: Address,
  seq: number,
  reading: LogReading,
): Promise<string | null | undefined> {
  try {
    const record = await asked;
    const claim = record === null ? undefined : claimOf(record);
    if (record !== null && (claim?.wallet !== wallet || claim.seq !== seq))
      reading.notes.push({ kind: "unreadable", seq });
    return record;
  } catch (error) {
    const failure = asFailure(error);
    reading.notes.push(
      failure.code === "capped" ? { kind: "unreadable", seq } : { kind: "failed", error: failure },
    );
    return failure.code === "capped" ? "" : undefined;
  }
}

function asRuns(seqs: readonly number[]): ReadNote[] {
  const runs: { kind: "hole"; from: number; to: number }[] = [];
  for (const seq of seqs) {
    const run = runs.at(-1);
    if (run?.to === seq - 1) run.to = seq;
    else runs.push({ kind: "hole", from: seq, to: seq });
  }
  return runs;
}

/** Any error as a HubError. @throws it again where the caller gave up */
export function asFailure(error: unknown): HubError {
  if (!(error instanceof HubError))
    return new HubError("bad-answer", "reading the Hub failed", { cause: error });
  if (error.code === "aborted") throw error;
  return error;
}
