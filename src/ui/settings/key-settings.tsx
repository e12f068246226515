// The throw-away keys of this browser: named, backed up, brought in, removed with care.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { VaultKey } from "../../wallet/vault.ts";
import { Address } from "../components/address.tsx";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Notice } from "../components/notice.tsx";
import { addKey, backupOf, keysQuery, readBackup } from "../queries/keys.ts";
import { saveFile } from "../queries/save-file.ts";
import { useEnvironment } from "../queries/use-environment.ts";
import { to } from "../routes.ts";
import css from "./settings-page.module.css";

export function KeySettings() {
  const environment = useEnvironment();
  const { vault } = environment;
  const client = useQueryClient();
  const keys = useQuery(keysQuery(vault));
  const [problem, setProblem] = useState<string | null>(null);
  const [removing, setRemoving] = useState<VaultKey | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const attempt = async (work: () => Promise<unknown>) => {
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    await client.invalidateQueries({ queryKey: keysQuery(vault).queryKey });
  };
  const bringIn = async (files: FileList | null) => {
    const first = files?.[0];
    if (first !== undefined)
      await attempt(async () => {
        for (const { name, secret } of readBackup(await first.text())) await vault.add(name, secret);
      });
    if (file.current !== null) file.current.value = "";
  };
  const backUp = async (which: readonly VaultKey[]) =>
    attempt(async () => saveFile("coop-keys.json", await backupOf(vault, which)));
  return (
    <div className={css.stack}>
      {environment.keepsNothing && (
        <Notice kind="warn" title="This browser keeps nothing here">
          Keys are held until this page is closed, then they are gone. A private window does that, and some
          settings.
        </Notice>
      )}
      {keys.data?.length === 0 && (
        <p className="muted">No keys yet. Playing makes one, or bring one in from a backup.</p>
      )}
      {keys.data !== undefined && keys.data.length > 0 && (
        <ul className={css.keys}>
          {keys.data.map((key) => (
            <li key={key.address} className={css.key}>
              <Address value={key.address} name={key.name} href={to.wallet(key.address)} copy />
              <Button size="s" icon="download" onClick={() => void backUp([key])}>
                Back up
              </Button>
              <Button size="s" kind="quiet" icon="bin" onClick={() => setRemoving(key)} aria-label="Remove" />
            </li>
          ))}
        </ul>
      )}
      {problem !== null && (
        <Notice kind="error" title="That did not work">
          {problem}
        </Notice>
      )}
      <div className={css.row}>
        <Button icon="plus" onClick={() => void attempt(() => addKey(environment))}>
          New throw-away key
        </Button>
        <Button icon="upload" onClick={() => file.current?.click()}>
          Bring in a backup
        </Button>
        <input
          ref={file}
          type="file"
          className="hidden-visually"
          tabIndex={-1}
          aria-label="Backup file"
          accept=".json"
          onChange={(event) => void bringIn(event.target.files)}
        />
      </div>
      <p className="faint">{PROTECTION[vault.protection]}</p>
      {removing !== null && (
        <Dialog
          title="Remove this key?"
          onClose={() => setRemoving(null)}
          foot={
            <>
              <Button icon="download" onClick={() => void backUp([removing])}>
                Back up first
              </Button>
              <Button
                kind="danger"
                onClick={() => {
                  void attempt(() => vault.remove(removing.address));
                  setRemoving(null);
                }}
              >
                Remove it
              </Button>
            </>
          }
        >
          <Address value={removing.address} name={removing.name} />
          <p className="muted">
            Without a backup nobody can ever sign for this address again, and games it is in cannot be
            finished.
          </p>
        </Dialog>
      )}
    </div>
  );
}

const PROTECTION = {
  wrapped:
    "Kept in this browser, encrypted by a key that the browser does not give out. Use them for games, not for money.",
  plain:
    "Kept readable in this browser: it offers no encryption on a page like this one. Use them for games, not for money.",
  file: "Kept in a file that only you can read.",
} as const;
