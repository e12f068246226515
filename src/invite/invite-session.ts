// Which session came of an invite: the first genesis after it in its author's log that names it.

import { parseRef, type Address, type Ref } from "../core/values.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import type { Head } from "../log/kept-log.ts";
import { LogTail } from "../log/log-tail.ts";

/**
 * The session's id, or null while there is none. Whoever would start one otherwise gives the head of that log: a part
 * of it that the Hub does not show may hold the session, and then there is no answer.
 * @throws HubError
 */
export async function findSession(hub: Hub, invite: Ref, head?: Head): Promise<Ref | null> {
  const { wallet, seq } = parseRef(invite)!;
  const tail = new LogTail(hub, wallet, seq + 1);
  for (let from = -1; ;) {
    const { entries, failed, next, missing } = await tail.read(["genesis"]);
    const session = entries.find(({ refs }) => refs.includes(invite));
    if (session !== undefined) return session.ref;
    if (failed !== null) throw failed;
    if (head === undefined) return null;
    if (next > head.seq && missing.length === 0) return null;
    if (next <= from || missing.length > 0) throw notShown(missing[0] ?? next, wallet);
    from = next;
  }
}

function notShown(seq: number, wallet: Address): HubError {
  return new HubError(
    "bad-answer",
    `the Hub does not show entry ${seq} of ${wallet}, which may be a session`,
  );
}
