// The browser's wallets as React state.

import { useEffect, useSyncExternalStore } from "react";
import { useEnvironment } from "../queries/use-environment.ts";
import type { WalletsSnapshot } from "./injected-wallets.ts";

export function useWallets(): WalletsSnapshot {
  const { injected } = useEnvironment();
  return useSyncExternalStore(injected.subscribe, injected.getSnapshot);
}

/** Shows accounts that were granted before: asks the wallets, never the person. */
export function useGrantedAccounts(): void {
  const { injected } = useEnvironment();
  const { announced } = useWallets();
  useEffect(() => {
    void injected.lookAround();
  }, [injected, announced]);
}
