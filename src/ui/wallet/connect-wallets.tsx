// The wallets that this browser's extensions offer, and connecting to one. A wallet that never answers is given up by
// a button; what it says no to is a calm line, and the button works again.

import { useRef, useState } from "react";
import type { Address as AddressValue } from "../../core/values.ts";
import type { AnnouncedWallet } from "../../wallet/announced-providers.ts";
import { WalletError } from "../../wallet/wallet-error.ts";
import { Button } from "../components/button.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import { useWallets } from "./use-wallets.ts";
import { WalletName } from "./wallet-name.tsx";
import css from "./wallets.module.css";
import { errorText } from "../../platform/coded-error.ts";

interface Trying {
  readonly uuid: string;
  readonly abort: AbortController;
}

export interface ConnectWalletsProps {
  readonly label: string;
  readonly onConnected: (address: AddressValue) => void;
}

export function ConnectWallets({ label, onConnected }: ConnectWalletsProps) {
  const { injected } = useEnvironment();
  const { announced } = useWallets();
  const [trying, setTrying] = useState<Trying | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const newest = useRef<AbortController | null>(null);
  const connect = async (wallet: AnnouncedWallet) => {
    const abort = new AbortController();
    newest.current = abort;
    setTrying({ uuid: wallet.uuid, abort });
    setProblem(null);
    try {
      onConnected(await injected.connect(wallet, abort.signal));
    } catch (error) {
      if (newest.current === abort) setProblem(formatWalletError(error));
    } finally {
      if (newest.current === abort) setTrying(null);
    }
  };
  if (announced.length === 0) return null;
  return (
    <div className={css.connect}>
      <p className={css.label}>{label}</p>
      <div className={css.row}>
        {announced.map((wallet) => (
          <Button
            key={wallet.uuid}
            size="s"
            busy={trying?.uuid === wallet.uuid}
            disabled={trying !== null}
            onClick={() => void connect(wallet)}
          >
            <span>Connect</span> <WalletName wallet={wallet} />
          </Button>
        ))}
        {trying !== null && (
          <Button size="s" kind="quiet" onClick={() => trying.abort.abort()}>
            Stop waiting
          </Button>
        )}
      </div>
      <p className={css.note} role="status">
        {problem}
      </p>
    </div>
  );
}

/** Connecting signs nothing, so a refusal has its own words here. */
function formatWalletError(error: unknown): string {
  if (!(error instanceof WalletError)) return errorText(error);
  if (error.code === "refused") return "You declined to connect. Nothing has changed.";
  return error.message;
}
