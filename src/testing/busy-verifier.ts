// The verifier of tests whose clock stands still: its work takes real time, of which no manual clock knows, so that who
// lets things settle has to wait for it.

import { createInlineVerifier } from "../verify/verifier.inline.ts";
import type { Verifier } from "../verify/verifier.ts";

export interface BusyVerifier extends Verifier {
  /** Checks under way. */
  readonly busy: number;
}

export function busyVerifier(): BusyVerifier {
  const verifier = createInlineVerifier();
  let busy = 0;
  return {
    get busy() {
      return busy;
    },
    verify(records, options) {
      busy++;
      return verifier.verify(records, options).finally(() => busy--);
    },
    close: () => verifier.close(),
  };
}
