// Where a wallet's log ends, by what this machine knows and what the Hub shows. Only entries that the wallet has
// signed count; a Hub that hides some cannot shorten what is known here.

import { parseCandidate, type Candidate } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import type { Address } from "../core/values.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, readRecord } from "../hub/log-keys.ts";
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

/**
 * The head of the log: `known`, or a later entry on the Hub.
 * @throws HubError where the Hub could not be read; MoveError `log-forked` where the Hub's entries do not follow `known`
 */
export async function readHead(
  hub: Hub,
  wallet: Address,
  known: Head | undefined,
): Promise<Head | undefined> {
  if (known === undefined) return readWholeLog(hub, wallet);
  let head = known;
  for (;;) {
    const record = await readRecord(hub, wallet, appendKey(head.seq + 1));
    const next = record === null ? undefined : ownEntry(record, wallet, head.seq + 1);
    if (next === undefined) return head;
    if (next.prev_hash !== head.hash)
      throw new MoveError(
        "log-forked",
        `the Hub's entry ${next.seq} of ${wallet} does not follow entry ${head.seq} known here: the log is forked`,
      );
    head = { seq: next.seq, hash: next.hash };
  }
}

/** For a wallet that this machine has not seen before: the last entry of its log that it has signed. */
async function readWholeLog(hub: Hub, wallet: Address): Promise<Head | undefined> {
  const reading = readingFrom(0);
  const latest = new Map<number, string[]>();
  for await (const { record, seq } of readLog(hub, wallet, { reading }))
    if (seq !== null) latest.set(seq, [...(latest.get(seq) ?? []), record]);
  for (const note of reading.notes) {
    if (note.kind === "failed") throw note.error;
    if (note.kind === "capped")
      throw new MoveError("no-session", `the log of ${wallet} is longer than this client reads`);
  }
  for (const seq of [...latest.keys()].sort((a, b) => b - a))
    for (const record of latest.get(seq)!) {
      const entry = ownEntry(record, wallet, seq);
      if (entry !== undefined) return { seq, hash: entry.hash };
    }
  return undefined;
}
