// Offers a backup of the key before its first commit: once for this browser, never in the way.

import { useQuery } from "@tanstack/react-query";
import { Button } from "../components/button.tsx";
import { backupOf, keysQuery } from "../queries/keys.ts";
import { saveFile } from "../queries/save-file.ts";
import { useEnvironment } from "../queries/use-environment.ts";
import { usePreferences } from "../stores/stores.tsx";
import css from "./play.module.css";
import type { Player } from "./wallet-picker.tsx";

export function BackupOffer({ player }: { player: Player }) {
  const { vault } = useEnvironment();
  const keys = useQuery(keysQuery(vault));
  const settled = usePreferences((state) => state.backupSettled);
  const set = usePreferences((state) => state.set);
  const key = keys.data?.find(({ address }) => address === player);
  if (settled || key === undefined) return null;
  const download = async () => {
    saveFile(
      `coop-key-${key.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.json`,
      await backupOf(vault, [key]),
    );
    set({ backupSettled: true });
  };
  return (
    <div className={css.offer}>
      <p>
        Your key lives in this browser, which may clear it after days without use. A backup is a small file.
      </p>
      <div className={css.row}>
        <Button size="s" icon="download" onClick={() => void download()}>
          Download a backup
        </Button>
        <Button size="s" kind="quiet" onClick={() => set({ backupSettled: true })}>
          Not now
        </Button>
      </div>
    </div>
  );
}
