// The seat behind a board's controls, which are drawn for a seat alone.

import { MoveError } from "../../log/move-error.ts";
import type { Peer, Seat } from "../../peer/peer.ts";

/** @throws MoveError for a watcher */
export function seatOf(peer: Peer): Seat {
  if (peer.kind === "watcher") throw new MoveError("not-seated", "a watcher makes no moves");
  return peer;
}
