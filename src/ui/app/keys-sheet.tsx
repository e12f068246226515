// The listener that acts on keys, the list of them, and what the last command came to.

import { useEffect, useState } from "react";
import { Dialog } from "../components/dialog.tsx";
import { SEARCH_INPUT_ID } from "../search/search-bar.tsx";
import { actionOf, GRAPH_SHORTCUTS, SHORTCUTS, takesText, type Shortcut } from "./shortcuts.ts";
import css from "./keys-sheet.module.css";
import { runCommand } from "../services/commands.ts";
import { useCommands, usePreferences, useStores } from "../services/stores.tsx";

export function Keys() {
  const [open, setOpen] = useState(false);
  const { commands } = useStores();
  const singleKeys = usePreferences((state) => state.shortcuts);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const { offered, setPalette } = commands.getState();
      const { key, ctrlKey, metaKey, altKey } = event;
      const keys = offered.flatMap((command) => command.key ?? []);
      const modal = document.querySelector("dialog[open]") !== null;
      const typing = takesText(event.target);
      const action = actionOf({ key, ctrlKey, metaKey, altKey, typing, modal }, singleKeys, keys);
      if (action === undefined) return;
      event.preventDefault();
      if (action === "sheet") return setOpen(true);
      if (action === "command")
        return void runCommand(
          commands,
          offered.find((c) => c.key === key)!,
        );
      focusSearch();
      setPalette(action === "palette");
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [commands, singleKeys]);
  return (
    <>
      <Said />
      {open && <Sheet singleKeys={singleKeys} onClose={() => setOpen(false)} />}
    </>
  );
}

function focusSearch(): void {
  const input = document.getElementById(SEARCH_INPUT_ID);
  if (!(input instanceof HTMLInputElement)) return;
  input.focus();
  input.select();
}

/** What a command came to, for a few seconds, seen and heard. */
function Said() {
  const { commands } = useStores();
  const said = useCommands((state) => state.announcement);
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => commands.getState().announce(""), 4000);
    return () => clearTimeout(timer);
  }, [commands, said]);
  return (
    <p className={css.said} role="status" data-said={said !== ""}>
      {said}
    </p>
  );
}

function Sheet({ singleKeys, onClose }: { singleKeys: boolean; onClose: () => void }) {
  const offered = useCommands((state) => state.offered);
  const here = offered.flatMap(({ key, title }) => (key === undefined ? [] : [{ keys: [key], does: title }]));
  return (
    <Dialog title="Keys" onClose={onClose}>
      <Shortcuts list={SHORTCUTS} />
      {here.length > 0 && (
        <>
          <h3 className={css.heading}>On this page</h3>
          <Shortcuts list={here} />
          <h3 className={css.heading}>In the graph</h3>
          <Shortcuts list={GRAPH_SHORTCUTS} />
        </>
      )}
      {!singleKeys && <p className="muted">Single keys are turned off in the settings.</p>}
    </Dialog>
  );
}

function Shortcuts({ list }: { list: readonly Shortcut[] }) {
  return (
    <dl className={css.keys}>
      {list.map(({ keys, does }) => (
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
  );
}
