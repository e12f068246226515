// Brings a backup in: asks for its password, and says what came of it.

import { useState, type FormEvent } from "react";
import { Address } from "../components/address.tsx";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import { restoreBackup, type Restored } from "./backup.ts";
import css from "./backup.module.css";
import { errorText } from "../../platform/coded-error.ts";

export interface RestoreDialogProps {
  /** The file's content. */
  readonly text: string;
  readonly onRestored: () => void;
  readonly onClose: () => void;
}

export function RestoreDialog({ text, onRestored, onClose }: RestoreDialogProps) {
  const environment = useEnvironment();
  const [password, setPassword] = useState("");
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [restored, setRestored] = useState<Restored | null>(null);
  const open = async (event: FormEvent) => {
    event.preventDefault();
    setShare(0);
    setProblem(null);
    try {
      setRestored(await restoreBackup(environment, text, { password, onProgress: setShare }));
      onRestored();
    } catch (error) {
      setProblem(errorText(error));
    }
    setShare(null);
  };
  return (
    <Dialog title="Import backup" onClose={onClose}>
      {restored === null ? (
        <form className={css.form} onSubmit={(event) => void open(event)}>
          <p className="muted">
            A backup made here, or a key file of another wallet (Web3 secret storage, version 3).
          </p>
          <Field label="Its password" wrong={problem ?? undefined}>
            {(ids) => (
              <input
                {...ids}
                type="password"
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
          {share !== null && <Progress label="Opening" done={Math.round(share * 100)} total={100} />}
          <div className={css.foot}>
            <Button type="submit" kind="primary" busy={share !== null} disabled={password === ""}>
              Open
            </Button>
          </div>
        </form>
      ) : (
        <div className={css.form}>
          <Notice kind="pass" title={titleOf(restored)}>
            <Address
              value={restored.address}
              {...(restored.key !== null && { name: restored.key.name })}
              copy
            />
          </Notice>
          {restored.salts > 0 && (
            <p className="muted">
              {restored.salts === 1 ? "One sealed choice" : `${restored.salts} sealed choices`} can be opened
              here again.
            </p>
          )}
          {restored.domainKeys > 0 && (
            <p className="muted">
              {restored.domainKeys === 1
                ? "One key of private sessions is here again."
                : `${restored.domainKeys} keys of private sessions are here again.`}
            </p>
          )}
          <div className={css.foot}>
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function titleOf({ key, known }: Restored): string {
  if (key === null) return "The salts are here";
  return known ? "This key was here already, and is as it was" : "The key is here";
}
