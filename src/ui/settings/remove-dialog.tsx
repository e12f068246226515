// Removes a key, after its name was typed: nobody can ever sign for it again without a backup.

import { useState, type FormEvent } from "react";
import type { VaultKey } from "../../wallet/vault.ts";
import { Address } from "../components/address.tsx";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field } from "../components/field.tsx";
import { InertText } from "../components/inert-text.tsx";
import { isConfirmed } from "../services/vault-keys.ts";
import css from "./backup.module.css";

export interface RemoveDialogProps {
  readonly of: VaultKey;
  readonly onBackUp: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

export function RemoveDialog({ of, onBackUp, onRemove, onClose }: RemoveDialogProps) {
  const [typed, setTyped] = useState("");
  const sure = isConfirmed(typed, of);
  const remove = (event: FormEvent) => {
    event.preventDefault();
    if (sure) onRemove();
  };
  return (
    <Dialog title="Remove this key?" onClose={onClose}>
      <form className={css.form} onSubmit={remove}>
        <Address value={of.address} name={of.name} />
        <p className="muted">
          Without a backup nobody can ever sign for this address again, and games it is in cannot be finished.
        </p>
        <Field
          label="Its name, to be sure"
          help={
            <>
              Type <InertText text={of.name} />
            </>
          }
        >
          {(ids) => (
            <input
              {...ids}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <div className={css.foot}>
          <Button icon="download" onClick={onBackUp}>
            Back up first
          </Button>
          <Button type="submit" kind="danger" disabled={!sure}>
            Remove it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
