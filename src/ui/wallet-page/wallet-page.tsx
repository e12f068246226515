// One wallet's whole log and its sessions.

import type { Address } from "../../core/values.ts";
import { Notice } from "../components/notice.tsx";

export default function WalletPage({ address }: { address: Address }) {
  return <Notice kind="empty" title={address} />;
}
