// A session among wallets that are known beforehand, without invites: the genesis pins the end of every log that the
// Hub shows, and each participant is told by its inbox.

import { formatRef, type Address, type Ref } from "../core/values.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { genesisBody } from "./invite-entries.ts";
import type { Offer } from "./invite.ts";
import { readHead } from "../log/log-head.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { MoveError } from "../log/move-error.ts";

/**
 * Writes the genesis; resolves with the session's id once it is on the Hub. The creator need not be a participant.
 * @throws MoveError `no-session` where the terms are no session's, HubError where a log cannot be read
 */
export async function openDirectSession(
  { hub, channel }: Pick<PeerEnvironment, "hub" | "channel">,
  log: LogWriter,
  offer: Offer,
  participants: readonly Address[],
): Promise<Ref> {
  const made = genesisBody(offer, participants);
  if (!made.ok) throw new MoveError("no-session", `no session can come of these terms: ${made.error}`);
  const refs: Ref[] = [];
  for (const wallet of participants) {
    if (wallet === log.address) continue; // its anchor is the genesis itself
    const { head } = await readHead(hub, wallet, undefined);
    if (head !== undefined) refs.push(formatRef(wallet, head.seq, head.hash));
  }
  const entry = await log.append(async () => ({ type: "genesis", body: made.value, refs }));
  for (const wallet of participants) if (wallet !== log.address) channel?.publish(wallet, entry.ref);
  return entry.ref;
}
