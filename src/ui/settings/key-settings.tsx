// The keys of this browser: named, backed up, brought in, removed with care; and the wallets that keep their own keys.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Address as AddressValue } from "../../core/values.ts";
import type { VaultKey } from "../../wallet/vault.ts";
import { BackupDialog } from "./backup-dialog.tsx";
import { MissingKeys, UnreadableKeys } from "./missing-keys.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { readBlob } from "../../platform/read-input.ts";
import { checkBackup } from "../../wallet/backup.ts";
import { Address } from "../components/address.tsx";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { askToKeep, keepingQuery, pageStorage } from "../services/storage-persistence.ts";
import { addKey, forget, keysQuery } from "../services/vault-keys.ts";
import { useEnvironment } from "../services/use-environment.ts";
import { to } from "../routing/routes.ts";
import { KeepingNotice } from "./keeping-notice.tsx";
import css from "./settings-page.module.css";
import { WalletSettings } from "./wallet-settings.tsx";
import { errorText } from "../../platform/coded-error.ts";

type Open =
  | { readonly dialog: "back-up"; readonly of: VaultKey | AddressValue }
  | { readonly dialog: "import"; readonly text: string }
  | { readonly dialog: "remove"; readonly of: VaultKey };

export function KeySettings() {
  const environment = useEnvironment();
  const { vault } = environment;
  const client = useQueryClient();
  const keys = useQuery(keysQuery(vault));
  const [problem, setProblem] = useState<string | null>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const changed = () => client.invalidateQueries({ queryKey: keysQuery(vault).queryKey });
  const attempt = async (work: () => Promise<unknown>) => {
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(errorText(error));
    }
    await changed();
  };
  const make = async () => {
    await addKey(environment);
    void askToKeep(pageStorage()).then((answer) => client.setQueryData(keepingQuery.queryKey, answer));
  };
  const remove = async ({ address }: VaultKey) => {
    await vault.remove(address);
    forget(environment, address);
  };
  return (
    <div className={css.stack}>
      {environment.keepsNothing && (
        <Notice kind="warn" title="This browser keeps nothing here">
          Keys are held until this page is closed, then they are gone. A private window does that, and some
          settings.
        </Notice>
      )}
      <MissingKeys />
      <UnreadableKeys />
      {keys.data?.length === 0 && (
        <p className="muted">No keys yet. Start a game to make one, or import a backup.</p>
      )}
      {keys.data !== undefined && keys.data.length > 0 && (
        <ul className={css.keys}>
          {keys.data.map((key) => (
            <li key={key.address} className={css.key}>
              <Address value={key.address} name={key.name} href={to.wallet(key.address)} copy />
              <Button size="s" icon="download" onClick={() => setOpen({ dialog: "back-up", of: key })}>
                Back up
              </Button>
              <Button
                size="s"
                kind="quiet"
                icon="bin"
                onClick={() => setOpen({ dialog: "remove", of: key })}
                aria-label={`Remove ${key.name}`}
                title={`Remove ${key.name}`}
              />
            </li>
          ))}
        </ul>
      )}
      {problem !== null && (
        <Notice kind="error" title="The keys were not changed">
          {problem}
        </Notice>
      )}
      <div className={css.row}>
        <Button icon="plus" onClick={() => void attempt(make)}>
          New throw-away key
        </Button>
        <FileButton onText={(text) => setOpen({ dialog: "import", text })} onProblem={setProblem} />
      </div>
      <p className="faint">{environment.keepsNothing ? "" : PROTECTION[vault.protection]}</p>
      {!environment.keepsNothing && <KeepingNotice />}
      <WalletSettings onBackUp={(of) => setOpen({ dialog: "back-up", of })} />
      <Dialogs
        open={open}
        setOpen={setOpen}
        onChanged={() => void changed()}
        onRemove={(key) => void attempt(() => remove(key))}
      />
    </div>
  );
}

interface DialogsProps {
  readonly open: Open | null;
  readonly setOpen: (open: Open | null) => void;
  readonly onChanged: () => void;
  readonly onRemove: (key: VaultKey) => void;
}

function Dialogs({ open, setOpen, onChanged, onRemove }: DialogsProps) {
  const close = () => setOpen(null);
  switch (open?.dialog) {
    case "back-up":
      return <BackupDialog of={open.of} onClose={close} />;
    case "import":
      return <RestoreDialog text={open.text} onRestored={onChanged} onClose={close} />;
    case "remove":
      return (
        <RemoveDialog
          of={open.of}
          onBackUp={() => setOpen({ dialog: "back-up", of: open.of })}
          onRemove={() => {
            onRemove(open.of);
            close();
          }}
          onClose={close}
        />
      );
    case undefined:
      return null;
  }
}

/** No backup has more; a film that was chosen by mistake is not read into memory. */
const MAX_BYTES = 4 * 1024 * 1024;

function FileButton({
  onText,
  onProblem,
}: {
  readonly onText: (text: string) => void;
  readonly onProblem: (problem: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File) => {
    const read = await readBlob(file, { lines: Infinity, bytes: MAX_BYTES });
    if (!read.ok) return onProblem(`This file is no backup. ${read.why}`);
    try {
      checkBackup(read.text);
    } catch (error) {
      return onProblem(`This file is no backup: ${errorText(error)}.`);
    }
    onText(read.text);
  };
  const read = async (files: FileList | null) => {
    const first = files?.[0];
    if (first === undefined) return;
    if (first.size > MAX_BYTES) onProblem("This file is too large to be a backup.");
    else await take(first);
    if (input.current !== null) input.current.value = "";
  };
  return (
    <>
      <Button icon="upload" onClick={() => input.current?.click()}>
        Import backup
      </Button>
      <input
        ref={input}
        type="file"
        className="hidden-visually"
        tabIndex={-1}
        aria-label="Backup file"
        accept=".json,application/json"
        onChange={(event) => void read(event.target.files)}
      />
    </>
  );
}

const PROTECTION = {
  wrapped:
    "Kept in this browser, encrypted by a key that the browser does not give out. Use them for games, not for money.",
  plain:
    "Kept readable in this browser: it offers no encryption on a page like this one. Use them for games, not for money.",
  file: "Kept in a file that only you can read.",
} as const;
