// What the peer needs of the world around it, each by the narrowest interface, so that tests step it by hand.
// `src/ui/services/environment.ts` makes the browser's, `src/cli/ports.ts` that of the command line.

import type { Channel } from "../channel/channel.ts";
import type { Hub } from "../hub/hub.ts";
import type { Clock } from "../platform/clock.ts";
import type { Store } from "../platform/key-value-store.ts";
import type { Locks } from "../platform/locks.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import type { CopyBudget } from "./copy-budget.ts";
import type { Verifier } from "../verify/verifier.ts";

export interface PeerEnvironment {
  readonly hub: Hub;
  /** null: everything by polling. */
  readonly channel: Channel | null;
  readonly verifier: Verifier;
  readonly store: Store;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Bounds what is copied of strangers' entries; absent where a person chose to play. */
  readonly copies?: CopyBudget;
}
