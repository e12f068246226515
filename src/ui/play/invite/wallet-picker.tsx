// Which wallet plays: a key of the vault's, an account of a wallet of this browser, or a new throw-away key, which is
// made only when the game begins. For a wallet of the browser the page says what it will ask for before it does.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Address as AddressValue } from "../../../core/values.ts";
import { MissingKeys, UnreadableKeys } from "../../settings/missing-keys.tsx";
import { Address } from "../../components/address.tsx";
import { Choices, type Choice } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { askToKeep, keepingQuery, pageStorage } from "../../services/storage-persistence.ts";
import { addKey, keysQuery } from "../../services/vault-keys.ts";
import { useEnvironment } from "../../services/use-environment.ts";
import { ConnectWallets } from "../../wallet/connect-wallets.tsx";
import { useGrantedAccounts, useWallets } from "../../wallet/use-wallets.ts";
import { WalletName } from "../../wallet/wallet-name.tsx";
import { WalletRequests } from "../../wallet/wallet-requests.tsx";

/** The choice: an address, or a key that is made when the game starts. */
export type Player = AddressValue | "new";

/** `first`: chosen until the person chooses; it may have gone. */
export function usePlayer(first: AddressValue | null = null): {
  readonly player: Player;
  readonly choose: (player: Player) => void;
  /** The address to play with; makes the key if it is to be a new one. @throws VaultError */
  readonly ready: () => Promise<AddressValue>;
} {
  const environment = useEnvironment();
  const client = useQueryClient();
  const keys = useQuery(keysQuery(environment.vault));
  const [chosen, choose] = useState<Player | null>(first);
  const player = chosen ?? keys.data?.[0]?.address ?? "new";
  const ready = async () => {
    if (player !== "new") return player;
    const { address } = await addKey(environment);
    void askToKeep(pageStorage()).then((answer) => client.setQueryData(keepingQuery.queryKey, answer));
    await client.invalidateQueries({ queryKey: keysQuery(environment.vault).queryKey });
    choose(address);
    return address;
  };
  return { player, choose, ready };
}

export function WalletPicker({ player, onChoose }: { player: Player; onChoose: (player: Player) => void }) {
  const { vault, keepsNothing } = useEnvironment();
  const keys = useQuery(keysQuery(vault));
  const { accounts } = useWallets();
  useGrantedAccounts();
  const known = keys.data ?? [];
  const chosen = accounts.find(({ address }) => address === player);
  const choices: readonly Choice<Player>[] = [
    ...known.map(({ address, name }) => ({
      value: address,
      title: <Address value={address} name={name} focusable={false} />,
    })),
    ...accounts.map(({ address, wallet, usable }) => ({
      value: address,
      title: <Address value={address} focusable={false} />,
      says: (
        <>
          <WalletName wallet={wallet} />
          {!usable && " · stands on another account"}
        </>
      ),
    })),
    { value: "new" as const, title: "A new throw-away key" },
  ];
  return (
    <>
      <MissingKeys />
      {choices.length > 1 && (
        <Choices label="Play with" chosen={player} onChoose={onChoose} choices={choices} />
      )}
      <UnreadableKeys />
      {choices.length === 1 && keys.isSuccess && (
        <p className="muted">A throw-away key is made in this browser when you begin.</p>
      )}
      <ConnectWallets label="Or with a wallet of this browser" onConnected={onChoose} />
      {chosen !== undefined && (
        <p className="muted">
          <WalletName wallet={chosen.wallet} /> will ask you to sign plain text that you can read: a sign-in
          to the Hub, once for ten minutes, and each entry of yours, word for word as it is published. No
          transactions; nothing is paid.
        </p>
      )}
      <WalletRequests />
      {keepsNothing && (
        <Notice kind="warn" title="This browser keeps nothing here">
          Your key is gone when this page is closed, and with it the rest of the game.
        </Notice>
      )}
    </>
  );
}
