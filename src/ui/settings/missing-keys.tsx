// Keys that were here and are gone: said, with the way to bring them back. Nothing is made in their place.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { errorText } from "../../platform/coded-error.ts";
import { Address } from "../components/address.tsx";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { forget, keysQuery, missingKeysQuery } from "../services/vault-keys.ts";
import { useEnvironment } from "../services/use-environment.ts";
import css from "./backup.module.css";

export function MissingKeys() {
  const environment = useEnvironment();
  const client = useQueryClient();
  const missing = useQuery(missingKeysQuery(environment)).data ?? [];
  if (missing.length === 0) return null;
  return (
    <Notice kind="warn" title={missing.length === 1 ? "A key is gone" : `${missing.length} keys are gone`}>
      <p>
        This browser no longer has what it kept here: browsers clear storage after days without use, or when
        space is short. Import a backup in the settings to use them again.
      </p>
      <ul className={css.missing}>
        {missing.map(({ address, name }) => (
          <li key={address}>
            <Address value={address} name={name} copy />
            <Button
              size="s"
              kind="quiet"
              onClick={() => {
                forget(environment, address);
                void client.invalidateQueries({ queryKey: ["keys"] });
              }}
            >
              Forget it
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The keys are here and cannot be read now, say while another tab blocks the storage. */
export function UnreadableKeys() {
  const keys = useQuery(keysQuery(useEnvironment().vault));
  if (!keys.isError) return null;
  const again = (
    <Button size="s" icon="refresh" busy={keys.isFetching} onClick={() => void keys.refetch()}>
      Try again
    </Button>
  );
  return (
    <Notice kind="error" title="The keys can’t be read now" action={again}>
      {errorText(keys.error)}
    </Notice>
  );
}
