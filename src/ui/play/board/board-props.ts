// What every game's board is drawn from.

import type { View } from "../../../core/view.ts";
import type { Peer, PeerSnapshot } from "../../../peer/peer.ts";
import type { Known } from "../names.ts";

export interface BoardProps {
  readonly peer: Peer;
  readonly snapshot: PeerSnapshot;
  readonly view: View;
  readonly known: Known;
  /** How many settled rounds are revealed by now. */
  readonly settled: number;
}
