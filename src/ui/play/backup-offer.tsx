// Offers a backup of the key before its first commit: once for this browser, never in the way.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BackupDialog } from "../settings/backup-dialog.tsx";
import { Button } from "../components/button.tsx";
import { keepingQuery } from "../services/storage-persistence.ts";
import { keysQuery } from "../services/vault-keys.ts";
import { useEnvironment } from "../services/use-environment.ts";
import { usePreferences } from "../services/stores.tsx";
import css from "./play.module.css";
import type { Player } from "./invite/wallet-picker.tsx";

export function BackupOffer({ player }: { player: Player }) {
  const { vault } = useEnvironment();
  const keys = useQuery(keysQuery(vault));
  const keeping = useQuery(keepingQuery).data;
  const settled = usePreferences((state) => state.backupSettled);
  const set = usePreferences((state) => state.set);
  const [open, setOpen] = useState(false);
  const key = keys.data?.find(({ address }) => address === player);
  if (settled || key === undefined) return null;
  return (
    <div className={css.offer}>
      <p>
        {keeping === "promised"
          ? "Your key lives in this browser alone, which has promised to keep it until you clear it."
          : "Your key lives in this browser, which may clear it after days without use."}{" "}
        A backup is a small file.
      </p>
      <div className={css.row}>
        <Button size="s" icon="download" onClick={() => setOpen(true)}>
          Download a backup
        </Button>
        <Button size="s" kind="quiet" onClick={() => set({ backupSettled: true })}>
          Not now
        </Button>
      </div>
      {open && (
        <BackupDialog of={key} onDone={() => set({ backupSettled: true })} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}
