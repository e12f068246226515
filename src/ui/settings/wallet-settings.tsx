// Wallets of this browser that keep their own keys: connecting, and backing up what opens their sealed choices.

import type { Address as AddressValue } from "../../core/values.ts";
import { Address } from "../components/address.tsx";
import { Button } from "../components/button.tsx";
import { to } from "../routing/routes.ts";
import { ConnectWallets } from "../wallet/connect-wallets.tsx";
import { useGrantedAccounts, useWallets } from "../wallet/use-wallets.ts";
import { WalletName } from "../wallet/wallet-name.tsx";
import css from "./settings-page.module.css";

export function WalletSettings({ onBackUp }: { onBackUp: (address: AddressValue) => void }) {
  const { accounts } = useWallets();
  useGrantedAccounts();
  return (
    <>
      {accounts.length > 0 && (
        <ul className={css.keys} aria-label="Accounts of wallets">
          {accounts.map(({ address, wallet, usable }) => (
            <li key={address} className={css.key}>
              <Address value={address} href={to.wallet(address)} copy />
              <span className="muted">
                <WalletName wallet={wallet} />
                {!usable && " · on another account"}
              </span>
              <Button size="s" icon="download" onClick={() => onBackUp(address)}>
                Back up salts
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConnectWallets label="Wallets of this browser" onConnected={() => undefined} />
    </>
  );
}
