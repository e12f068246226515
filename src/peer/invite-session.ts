// Which session came of an invite: the first genesis after it in its author's log that names it.

import { parseRef, type Ref } from "../core/values.ts";
import type { Hub } from "../hub/hub.ts";
import { LogTail } from "./log-tail.ts";

/** The session's id, or null while there is none. @throws HubError */
export async function findSession(hub: Hub, invite: Ref): Promise<Ref | null> {
  const { wallet, seq } = parseRef(invite)!;
  const { entries, failed } = await new LogTail(hub, wallet, seq + 1).read(["genesis"]);
  if (failed !== null) throw failed;
  return entries.find(({ refs }) => refs.includes(invite))?.ref ?? null;
}
