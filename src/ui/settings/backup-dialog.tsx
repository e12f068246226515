// Downloads a backup under a password: of a key with its salts, or of the salts of a wallet of the browser.

import { useState, type FormEvent } from "react";
import { createPortal } from "react-dom";
import type { Address as AddressValue } from "../../core/values.ts";
import type { VaultKey } from "../../wallet/vault.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import { saveFile } from "../services/save-file.ts";
import { useEnvironment } from "../services/use-environment.ts";
import { backupOfKey, backupOfSalts, MIN_PASSWORD } from "./backup.ts";
import css from "./backup.module.css";
import { errorText } from "../../platform/coded-error.ts";

export interface BackupDialogProps {
  /** A key of the vault, or an account whose wallet keeps its own key. */
  readonly of: VaultKey | AddressValue;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

export function BackupDialog({ of, onDone, onClose }: BackupDialogProps) {
  const environment = useEnvironment();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const short = password !== "" && [...password].length < MIN_PASSWORD;
  const differs = again !== "" && again !== password;
  const ready = password !== "" && !short && again === password && share === null;
  const download = async (event: FormEvent) => {
    event.preventDefault();
    // It may stand in a form of the page, in React's order if not in the document's: that one is not sent with it.
    event.stopPropagation();
    if (!ready) return;
    setShare(0);
    setProblem(null);
    try {
      const work = { password, onProgress: setShare };
      const file = await (typeof of === "string"
        ? backupOfSalts(environment, of, work)
        : backupOfKey(environment, of, work));
      saveFile(file.name, file.text);
      onDone?.();
      onClose();
    } catch (error) {
      setProblem(errorText(error));
      setShare(null);
    }
  };
  return createPortal(
    <Dialog title={typeof of === "string" ? "Back up its salts" : "Back up this key"} onClose={onClose}>
      <form className={css.form} onSubmit={(event) => void download(event)}>
        <p className="muted">{typeof of === "string" ? OF_SALTS : OF_KEY}</p>
        <Field
          label="Password"
          help={`At least ${MIN_PASSWORD} characters. Without it nobody can open the file, you neither.`}
          wrong={short ? `At least ${MIN_PASSWORD} characters.` : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Field label="The password again" wrong={differs ? "The two are not the same." : undefined}>
          {(ids) => (
            <input
              {...ids}
              type="password"
              autoComplete="new-password"
              value={again}
              onChange={(event) => setAgain(event.target.value)}
            />
          )}
        </Field>
        {share !== null && (
          <Progress label="Making the password hard to guess" done={Math.round(share * 100)} total={100} />
        )}
        {problem !== null && <Notice kind="error" title={problem} />}
        <div className={css.foot}>
          <Button type="submit" kind="primary" icon="download" disabled={!ready} busy={share !== null}>
            Download
          </Button>
        </div>
      </form>
    </Dialog>,
    document.body,
  );
}

const OF_KEY =
  "One file with the key and what opens its sealed choices, encrypted by a password. Other wallets read it too (Web3 secret storage, version 3).";
const OF_SALTS =
  "The wallet keeps its own key. This file holds what opens the choices that were sealed with it in this browser, encrypted by a password.";
