// The notice that another tab of the app blocks this browser's storage: the page goes on by itself once it is closed.

import { useSyncExternalStore } from "react";
import { blockedDatabases } from "../../platform/browser-database.ts";
import { Notice } from "../components/notice.tsx";

export function BlockedStorage() {
  const names = useSyncExternalStore(blockedDatabases.subscribe, blockedDatabases.getSnapshot);
  if (names.length === 0) return null;
  return (
    <Notice kind="warn" title="Another tab holds this browser’s storage">
      A tab with an older version of this page is open. Close it or load it again; this tab then goes on by
      itself. Until then nothing is signed here.
    </Notice>
  );
}
