// Offers a system notification for one's moves; the browser asks only after this click.

import { useState } from "react";
import { Button } from "../components/button.tsx";
import { usePreferences } from "../services/stores.tsx";
import { askToNotify, canNotify, mayNotify } from "./page-signals.ts";

export function NotifyButton() {
  const notify = usePreferences((state) => state.notify);
  const set = usePreferences((state) => state.set);
  const [refused, setRefused] = useState(false);
  if ((notify && mayNotify()) || !canNotify()) return null;
  if (refused) return <span className="faint">The browser does not allow it.</span>;
  const ask = async () => {
    if (await askToNotify()) set({ notify: true });
    else setRefused(true);
  };
  return (
    <Button size="s" kind="quiet" icon="info" onClick={() => void ask()}>
      Notify me of my move
    </Button>
  );
}
