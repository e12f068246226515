// The browser's wallets as React state.

import { useEffect, useState, useSyncExternalStore } from "react";
import { useEnvironment } from "../services/use-environment.ts";
import type { WalletsSnapshot } from "./injected-wallets.ts";

export function useWallets(): WalletsSnapshot {
  const { injected } = useEnvironment();
  return useSyncExternalStore(injected.subscribe, injected.getSnapshot);
}

/** Shows accounts that were granted before: asks the wallets, never the person. Whether they have been asked once. */
export function useGrantedAccounts(): boolean {
  const { injected } = useEnvironment();
  const { announced } = useWallets();
  const [looked, setLooked] = useState(false);
  useEffect(() => {
    let left = false;
    void injected.lookAround().then(() => {
      if (!left) setLooked(true);
    });
    return () => {
      left = true;
    };
  }, [injected, announced]);
  return looked;
}
