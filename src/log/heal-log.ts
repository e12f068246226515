// Uploads again what the Hub has lost of a wallet's own log, from the copies kept on this machine.

import type { Candidate } from "../core/entry.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, readRecord, writeEntry } from "../hub/log-keys.ts";
import { readingFrom, readLog } from "../hub/read-log.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { KeptLog } from "./kept-log.ts";
import { ownEntry } from "./log-head.ts";
import { MoveError } from "./move-error.ts";

/**
 * Compares the kept entries with the Hub's and uploads those that it lacks. Answers their seqs, ascending.
 * @throws HubError where the Hub cannot be read or refuses; MoveError `log-forked` where it has another entry of the wallet
 */
export async function healLog(hub: Hub, wallet: Wallet, kept: KeptLog): Promise<readonly number[]> {
  const own = await kept.own();
  if (own.length === 0) return [];
  const shown = await readShown(hub, wallet, own[0]!.seq);
  const uploaded: number[] = [];
  for (const entry of own) {
    if (shown.get(entry.seq)?.includes(entry.wire) === true) continue;
    if (await isThere(hub, entry)) continue;
    await writeEntry(hub, wallet, entry);
    uploaded.push(entry.seq);
  }
  return uploaded;
}

/** Texts of the log by seq, from a seq on. @throws HubError */
async function readShown(hub: Hub, { address }: Wallet, fromSeq: number): Promise<Map<number, string[]>> {
  const reading = readingFrom(fromSeq);
  const shown = new Map<number, string[]>();
  for await (const { record, seq } of readLog(hub, address, { fromSeq, reading }))
    if (seq !== null) shown.set(seq, [...(shown.get(seq) ?? []), record]);
  for (const note of reading.notes) if (note.kind === "failed") throw note.error;
  return shown;
}

/** Whether the entry lies under its key, possibly with another signature. @throws MoveError `log-forked` */
async function isThere(hub: Hub, entry: Candidate): Promise<boolean> {
  const { wallet, seq } = entry;
  const record = await readRecord(hub, wallet, appendKey(seq));
  const found = record === null ? undefined : ownEntry(record, wallet, seq);
  if (found === undefined) return false;
  if (found.hash === entry.hash) return true;
  throw new MoveError(
    "log-forked",
    `entry ${seq} of ${wallet} is another one on the Hub than the one kept here: the log is forked`,
  );
}
