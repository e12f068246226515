// The list of keys, and the listener that acts on them.

import { useEffect, useState } from "react";
import { Dialog } from "./components/dialog.tsx";
import { BOX_ID } from "./home/box.tsx";
import { actionOf, SHORTCUTS, takesText } from "./keys.ts";
import css from "./keys-sheet.module.css";
import { usePreferences } from "./stores/stores.tsx";

export function Keys() {
  const [open, setOpen] = useState(false);
  const singleKeys = usePreferences((state) => state.shortcuts);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const typing = takesText(event.target);
      const action = actionOf({ key, ctrlKey, metaKey, altKey, typing }, singleKeys);
      if (action === undefined || event.defaultPrevented) return;
      event.preventDefault();
      if (action === "sheet") return setOpen(true);
      const box = document.getElementById(BOX_ID);
      if (box instanceof HTMLInputElement) {
        box.focus();
        box.select();
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [singleKeys]);
  if (!open) return null;
  return (
    <Dialog title="Keys" onClose={() => setOpen(false)}>
      <dl className={css.keys}>
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      {!singleKeys && <p className="muted">Single keys are turned off in the settings.</p>}
    </Dialog>
  );
}
