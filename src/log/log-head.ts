// Where a wallet's log ends, by what this machine knows and what the Hub shows. Only entries that the wallet has
// signed count; a Hub that hides some cannot shorten what is known here.

import { parseCandidate, type Candidate } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import type { Address } from "../core/values.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, claimOf, LOG, readRecord } from "../hub/log-keys.ts";
import { readingFrom, readLog } from "../hub/read-log.ts";
import type { Head } from "./kept-log.ts";
import { MoveError } from "./move-error.ts";

/** The record as an entry that `wallet` has signed at `seq`, or undefined. */
export function ownEntry(record: string, wallet: Address, seq: number): Candidate | undefined {
  const parsed = parseCandidate(record);
  if (!parsed.ok) return undefined;
  const candidate = parsed.value;
  if (candidate.wallet !== wallet || candidate.seq !== seq) return undefined;
  return checkPlain(candidate).ok ? candidate : undefined;
}

/** Entries of one page: the known head and what another device has written since. */
const PAGE = 16;

/** The end of the log as the Hub shows it. */
export interface ShownHead {
  readonly head: Head | undefined;
  /** A seq up to the head that the Hub does not show: it has lost, or hides, entries of this log. */
  readonly missing: number | undefined;
  /** False where the head was found by its key alone: there may be holes before it. */
  readonly isListed: boolean;
}

/**
 * The head of the log: `known`, or a later entry on the Hub. One request where the log has not grown elsewhere.
 * @throws HubError where the Hub could not be read; MoveError `log-forked` where the Hub's entries do not follow
 *   `known`, `no-session` where the log is longer than this client reads
 */
export async function readHead(hub: Hub, wallet: Address, known: Head | undefined): Promise<ShownHead> {
  if (known === undefined) return readWholeLog(hub, wallet);
  const shown = new Map<number, Candidate[]>();
  for (let offset = known.seq; ; offset += PAGE) {
    const page = await hub.page(wallet, LOG, offset, PAGE);
    for (const record of page) {
      const seq = claimOf(record)?.seq ?? -1;
      const entry = seq < known.seq ? undefined : ownEntry(record, wallet, seq);
      if (entry !== undefined) shown.set(seq, [...(shown.get(seq) ?? []), entry]);
    }
    if (page.length < PAGE) break;
  }
  // A page may leave out what its key gives.
  const atHead = shown.get(known.seq) ?? [await entryAt(hub, wallet, known.seq)];
  const missing = atHead.some((entry) => entry?.hash === known.hash) ? undefined : known.seq;
  let head = known;
  for (let next = shown.get(head.seq + 1); next !== undefined; next = shown.get(head.seq + 1))
    head = follow(next, head);
  return { head, missing, isListed: shown.has(known.seq) };
}

async function entryAt(hub: Hub, wallet: Address, seq: number): Promise<Candidate | undefined> {
  const record = await readRecord(hub, wallet, appendKey(seq));
  return record === null ? undefined : ownEntry(record, wallet, seq);
}

/** The head after `head`, of the Hub's entries at the next seq. @throws MoveError `log-forked` */
function follow(entries: readonly Candidate[], head: Head): Head {
  const next = entries.find(({ prev_hash }) => prev_hash === head.hash);
  if (next !== undefined) return { seq: next.seq, hash: next.hash };
  const { wallet, seq } = entries[0]!;
  throw new MoveError(
    "log-forked",
    `the Hub's entry ${seq} of ${wallet} does not follow entry ${head.seq} known here: the log is forked`,
  );
}

/** For a wallet that this machine has not seen before: the last entry of its log that it has signed. */
async function readWholeLog(hub: Hub, wallet: Address): Promise<ShownHead> {
  const reading = readingFrom(0);
  const latest = new Map<number, string[]>();
  for await (const { record, seq } of readLog(hub, wallet, { reading }))
    if (seq !== null) latest.set(seq, [...(latest.get(seq) ?? []), record]);
  for (const note of reading.notes) {
    if (note.kind === "failed") throw note.error;
    if (note.kind === "capped")
      throw new MoveError("no-session", `the log of ${wallet} is longer than this client reads`);
  }
  const missing = reading.holes[0];
  for (const seq of [...latest.keys()].sort((a, b) => b - a))
    for (const record of latest.get(seq)!) {
      const entry = ownEntry(record, wallet, seq);
      if (entry !== undefined) return { head: { seq, hash: entry.hash }, missing, isListed: true };
    }
  return { head: undefined, missing, isListed: true };
}
