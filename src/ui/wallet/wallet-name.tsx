// What a wallet calls itself: a stranger's text and a stranger's image, shown as nothing but that.

import type { AnnouncedWallet } from "../../wallet/announced-providers.ts";
import { Icon } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import css from "./wallets.module.css";

export function WalletName({ wallet }: { wallet: Pick<AnnouncedWallet, "name" | "icon"> }) {
  return (
    <span className={css.name}>
      {wallet.icon === null ? (
        <Icon name="key" />
      ) : (
        <img className={css.icon} src={wallet.icon} alt="" width={16} height={16} />
      )}
      <InertText text={wallet.name} wrap={false} />
    </span>
  );
}
