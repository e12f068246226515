// Whose seat this is, where the link names none: a key of this browser, or an account that a wallet of it shows unasked.

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Address as AddressValue } from "../../../core/values.ts";
import type { Peer } from "../../../peer/peer.ts";
import { Address } from "../../components/address.tsx";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { keysQuery } from "../../services/vault-keys.ts";
import { useEnvironment } from "../../services/use-environment.ts";
import { useGrantedAccounts, useWallets } from "../../wallet/use-wallets.ts";
import css from "../play.module.css";
import { seatsHere } from "../invite/seats-here.ts";
import { useSnapshot } from "../use-snapshot.ts";

/** Takes the seat by itself where exactly one of this browser's wallets has one; asks where there are several. */
export function FindSeat({ peer, onFound }: { peer: Peer; onFound: (address: AddressValue) => void }) {
  const { vault } = useEnvironment();
  const keys = useQuery(keysQuery(vault));
  const { accounts } = useWallets();
  const looked = useGrantedAccounts();
  const view = useSnapshot(peer)?.view;
  // Not before all have been asked: which seat is taken must not depend on who answers first.
  const mine = view?.ok === true && looked ? seatsHere(view.participants, keys.data, accounts) : [];
  const only = mine.length === 1 ? mine[0]!.address : undefined;
  useEffect(() => {
    // The seat is in the address from then on, and this component is gone.
    if (only !== undefined) onFound(only);
  }, [only, onFound]);
  if (mine.length < 2) return null;
  return (
    <Notice
      kind="info"
      title="Several of your wallets sit here"
      action={
        <div className={css.row}>
          {mine.map(({ address, name }) => (
            <Button key={address} size="s" onClick={() => onFound(address)}>
              <span>Play as</span>
              <Address
                value={address}
                among={mine.map((seat) => seat.address)}
                {...(name !== null && { name })}
                focusable={false}
              />
            </Button>
          ))}
        </div>
      }
    />
  );
}
