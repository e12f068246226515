// A seat whose wallet is not connected: says so, and connects it. Another account than the seat's is refused.

import { useState } from "react";
import type { Address as AddressValue } from "../../core/values.ts";
import { Address } from "../components/address.tsx";
import { Notice } from "../components/notice.tsx";
import { to } from "../routing/routes.ts";
import { ConnectWallets } from "./connect-wallets.tsx";

export function ConnectSeat({
  seat,
  why,
  onConnected,
}: {
  readonly seat: AddressValue;
  readonly why: string;
  readonly onConnected: () => void;
}) {
  const [other, setOther] = useState<AddressValue | null>(null);
  const connected = (address: AddressValue) => {
    setOther(address === seat ? null : address);
    if (address === seat) onConnected();
  };
  return (
    <Notice
      large
      kind="error"
      title="This seat cannot be taken here"
      action={<ConnectWallets label="Wallets of this browser" onConnected={connected} />}
    >
      <p>{why}</p>
      <p>
        The seat is that of <Address value={seat} among={other === null ? [seat] : [seat, other]} copy />. Its
        key is not in this browser. <a href={to.settings()}>Bring it in from a backup</a>, or connect the
        wallet that holds it.
      </p>
      {other !== null && (
        <p role="alert">
          That wallet stands on <Address value={other} among={[seat, other]} />, which does not sit here.
          Switch its account and connect again.
        </p>
      )}
    </Notice>
  );
}
