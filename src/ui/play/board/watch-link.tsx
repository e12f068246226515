// The link for who only looks on: whatever keys its reader has, a page opened by it never signs.

import { Copy } from "../../components/copy.tsx";

export function WatchLink({ link }: { link: string }) {
  return <Copy text={link} label="Copy a watch link" words kind="quiet" size="s" />;
}
