// Which key plays: one of the vault's, or a new throw-away one. Makes no key until asked.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Address as AddressValue } from "../../core/values.ts";
import { Address } from "../components/address.tsx";
import { Choices } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { askToKeep } from "../queries/browser-ports.ts";
import { addKey, keysQuery } from "../queries/keys.ts";
import { useEnvironment } from "../queries/use-environment.ts";

/** The choice: an address, or a key that is made when the game starts. */
export type Player = AddressValue | "new";

export function usePlayer(): {
  readonly player: Player;
  readonly choose: (player: Player) => void;
  /** The address to play with; makes the key if it is to be a new one. @throws VaultError */
  readonly ready: () => Promise<AddressValue>;
} {
  const environment = useEnvironment();
  const client = useQueryClient();
  const keys = useQuery(keysQuery(environment.vault));
  const [chosen, choose] = useState<Player | null>(null);
  const player = chosen ?? keys.data?.[0]?.address ?? "new";
  const ready = async () => {
    if (player !== "new") return player;
    const { address } = await addKey(environment);
    void askToKeep();
    await client.invalidateQueries({ queryKey: keysQuery(environment.vault).queryKey });
    choose(address);
    return address;
  };
  return { player, choose, ready };
}

export function WalletPicker({ player, onChoose }: { player: Player; onChoose: (player: Player) => void }) {
  const { vault, keepsNothing } = useEnvironment();
  const keys = useQuery(keysQuery(vault));
  const known = keys.data ?? [];
  return (
    <>
      {known.length > 0 && (
        <Choices
          label="Play with"
          chosen={player}
          onChoose={onChoose}
          choices={[
            ...known.map(({ address, name }) => ({
              value: address,
              title: <Address value={address} name={name} focusable={false} />,
            })),
            { value: "new" as const, title: "A new throw-away key" },
          ]}
        />
      )}
      {known.length === 0 && !keys.isPending && (
        <p className="muted">A throw-away key is made in this browser when you begin.</p>
      )}
      {keepsNothing && (
        <Notice kind="warn" title="This browser keeps nothing here">
          Your key is gone when this page is closed, and with it the rest of the game.
        </Notice>
      )}
    </>
  );
}
