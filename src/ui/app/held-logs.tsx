// The notice that another tab holds a wallet's log: which wallet, what that tab does, and that this one goes on by itself.

import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { isAddress } from "../../core/values.ts";
import { walletOfLock } from "../../log/log-writer.ts";
import type { LockWait } from "../../platform/locks.ts";
import { Address } from "../components/address.tsx";
import { Notice } from "../components/notice.tsx";
import { tabLocks } from "../services/browser-ports.ts";
import { useEnvironment } from "../services/use-environment.ts";
import { keysQuery } from "../services/vault-keys.ts";

export function HeldLogs() {
  const waits = useSyncExternalStore(tabLocks.waits.subscribe, tabLocks.waits.getSnapshot);
  return waits.length === 0 ? null : waits.map((wait) => <HeldLog key={wait.name} wait={wait} />);
}

function HeldLog({ wait: { name, holder } }: { readonly wait: LockWait }) {
  const keys = useQuery(keysQuery(useEnvironment().vault));
  const wallet = walletOfLock(name);
  if (!isAddress(wallet)) return null;
  return (
    <Notice kind="warn" title="Another tab is writing with this wallet">
      <p>
        <Address value={wallet} name={keys.data?.find(({ address }) => address === wallet)?.name} />
      </p>
      <p>
        {holder === "asking"
          ? "Its wallet waits for your answer to a request that the other tab has made. Answer it, or close that tab."
          : "It has not finished: the browser may have frozen that tab, or the Hub does not answer it. Go to that tab, or close it."}{" "}
        Moves made here wait, and go on by themselves.
      </p>
    </Notice>
  );
}
