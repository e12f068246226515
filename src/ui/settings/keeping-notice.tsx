// What the browser has promised about what is kept here, what that means, and asking it for the promise.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { askToKeep, keepingQuery, pageStorage, type Keeping } from "../services/storage-persistence.ts";
import css from "./settings-page.module.css";

const SAYS: Record<Keeping, { readonly icon: IconName; readonly title: string; readonly text: string }> = {
  promised: {
    icon: "check",
    title: "The browser keeps it",
    text: "It has promised not to clear keys and salts by itself. You still can, with the data of this site; a backup is safer.",
  },
  "not-promised": {
    icon: "warn",
    title: "The browser has not promised to keep it",
    text: "It may clear keys and salts after days without use, or when room is short. Only a backup brings them back.",
  },
  unknown: {
    icon: "warn",
    title: "The browser does not say whether it keeps it",
    text: "Count on its clearing keys and salts some day. Only a backup brings them back.",
  },
};

export function KeepingNotice() {
  const client = useQueryClient();
  const keeping = useQuery(keepingQuery).data;
  const [refused, setRefused] = useState(false);
  const ask = async () => {
    const answer = await askToKeep(pageStorage());
    client.setQueryData(keepingQuery.queryKey, answer);
    setRefused(answer !== "promised");
  };
  if (keeping === undefined) return null;
  const { icon, title, text } = SAYS[keeping];
  return (
    <div className={css.keeping} role="status" data-keeping={keeping}>
      <Icon name={icon} size={16} />
      <div>
        <p>
          <strong>{title}.</strong> {text}
        </p>
        {keeping === "not-promised" && (
          <p className={css.row}>
            <Button size="s" onClick={() => void ask()}>
              Ask it to keep it
            </Button>
            {refused && (
              <span className="muted">
                It refused just now. Some browsers decide by themselves: for pages that are used often,
                bookmarked or installed.
              </span>
            )}
          </p>
        )}
      </div>
    </div>
  );
}
