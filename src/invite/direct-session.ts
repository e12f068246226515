// A session among wallets that are known beforehand, without invites: the genesis pins the end of every log that the
// Hub shows, and each participant is told by its inbox.

import type { JsonObject } from "../core/canonical.ts";
import type { Domain } from "../core/session.ts";
import { formatRef, parseRef, type Address, type Ref } from "../core/values.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { genesisBody } from "./invite-entries.ts";
import type { Offer } from "./invite.ts";
import { makeDomain } from "./private-domain.ts";
import { readHead } from "../log/log-head.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { MoveError } from "../log/move-error.ts";

/**
 * Writes the genesis; resolves with the session's id once it is on the Hub. The creator need not be a participant. A
 * private offer takes the domain of that name which the creator has made before, or makes one.
 * @throws MoveError `no-session` where the terms are no session's, HubError where a log cannot be read
 */
export async function openDirectSession(
  environment: Pick<PeerEnvironment, "hub" | "channel" | "store" | "random">,
  log: LogWriter,
  offer: Offer,
  participants: readonly Address[],
  name?: string,
): Promise<Ref> {
  const { hub, channel } = environment;
  bodyOf(offer, participants); // what can be no session is refused before any log is read
  const heads: Ref[] = [];
  for (const wallet of participants) {
    if (wallet === log.address && offer.private !== true) continue;
    const { head } = await readHead(hub, wallet, undefined);
    if (head !== undefined) heads.push(formatRef(wallet, head.seq, head.hash));
  }
  const domain =
    offer.private === true
      ? await makeDomain(environment, log, { name, participants, entries: heads })
      : undefined;
  const body = bodyOf(offer, participants, domain);
  // The creator's own anchor is the genesis itself.
  const refs = heads.filter((ref) => parseRef(ref)!.wallet !== log.address);
  const entry = await log.append(async () => ({ type: "genesis", body, refs }));
  for (const wallet of participants) if (wallet !== log.address) channel?.publish(wallet, entry.ref);
  return entry.ref;
}

function bodyOf(offer: Offer, participants: readonly Address[], domain?: Domain): JsonObject {
  const made = genesisBody(offer, participants, domain);
  if (!made.ok) throw new MoveError("no-session", `no session can come of these terms: ${made.error}`);
  return made.value;
}
