// One attempt to bring a signed entry to the Hub: look, write, read back. It looks first, so that an entry which
// another device has put in that place is not overwritten, and so that it can be repeated at any time.

import type { Candidate } from "../core/entry.ts";
import { HubError, isRefusal } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, readRecord, writeEntry } from "../hub/log-keys.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { KeptLog, OutboxItem } from "./kept-log.ts";
import { ownEntry } from "./log-head.ts";
import { errorText } from "../platform/coded-error.ts";

export type Delivery =
  /** The Hub gave the entry back; it has left the outbox. */
  | { readonly state: "there" }
  /** Not yet; `manual`: only after the person has asked for it. */
  | { readonly state: "waits"; readonly problem: string; readonly manual: boolean }
  /** The Hub will not take it. It stays in the outbox, and is tried again when somebody asks for it. */
  | { readonly state: "refused"; readonly problem: string }
  /** Another entry of this wallet stands in its place; ours has left the outbox. */
  | { readonly state: "lost"; readonly code: "log-moved" | "log-forked"; readonly problem: string };

/** Never rejects because of the Hub; a store that fails rejects. */
export async function deliver(hub: Hub, wallet: Wallet, kept: KeptLog, item: OutboxItem): Promise<Delivery> {
  const { entry } = item;
  const before = await look(hub, entry);
  if ("error" in before) return uploadProblem(before.error);
  if (before.found !== undefined) return settle(kept, entry, before.found, item.sent);
  if (!item.sent) await kept.markSent(entry);
  let taken = true;
  try {
    await writeEntry(hub, wallet, entry);
  } catch (error) {
    // A Hub that never overwrites has other bytes there: which, the next reading shows.
    if (!(error instanceof HubError) || error.code !== "conflict") return uploadProblem(error);
    taken = false;
  }
  const after = await look(hub, entry);
  if ("error" in after) return uploadProblem(after.error);
  if (after.found === undefined && !taken)
    return { state: "refused", problem: `other bytes lie under the key of entry ${entry.seq}` };
  if (after.found === undefined)
    return { state: "waits", problem: "the Hub has not given the entry back", manual: false };
  return settle(kept, entry, after.found, true);
}

/** What the wallet has signed at the entry's place, as the Hub shows it. */
async function look(
  hub: Hub,
  entry: Candidate,
): Promise<{ readonly found: Candidate | undefined } | { readonly error: unknown }> {
  const { wallet, seq } = entry;
  try {
    const record = await readRecord(hub, wallet, appendKey(seq));
    // The very bytes that were checked when they were signed.
    if (record === entry.wire) return { found: entry };
    return { found: record === null ? undefined : ownEntry(record, wallet, seq) };
  } catch (error) {
    return { error };
  }
}

async function settle(kept: KeptLog, entry: Candidate, found: Candidate, sent: boolean): Promise<Delivery> {
  // The same hash with another signature is the same entry.
  if (found.hash === entry.hash) {
    await kept.settle(entry);
    return { state: "there" };
  }
  await kept.drop(entry);
  const at = `entry ${entry.seq} of ${entry.wallet}`;
  return sent
    ? {
        state: "lost",
        code: "log-forked",
        problem: `${at} is another one on the Hub, and ours was sent: the log is forked`,
      }
    : {
        state: "lost",
        code: "log-moved",
        problem: `${at} was written elsewhere meanwhile; ours was not sent`,
      };
}

/** What to tell a person of a failed upload, and whether a retry can help. */
function uploadProblem(error: unknown): Delivery {
  const problem = errorText(error);
  if (isRefusal(error)) return { state: "refused", problem };
  // Signing in opens the wallet's window: never by itself a second time.
  return { state: "waits", problem, manual: error instanceof HubError && error.code === "not-signed" };
}
