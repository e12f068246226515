// The list of commands under the search bar. The focus stays in the input: arrows choose, Enter runs. Where
// nothing fits the text, what search recognised is shown.

import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { InertText } from "../components/inert-text.tsx";
import { useFormatRecent } from "../names/use-format-recent.ts";
import { runCommand } from "../services/commands.ts";
import { useCommands, usePreferences, useRecent, useStores } from "../services/stores.tsx";
import { navigate } from "../routing/use-route.ts";
import { filterItems, paletteItems, type PaletteItem } from "./palette-items.ts";
import css from "./palette.module.css";

export interface PaletteProps {
  /** Id of the list; an item's id is this and its index. */
  readonly id: string;
  readonly input: React.RefObject<HTMLInputElement | null>;
  readonly text: string;
  /** Id of the item that Enter takes, for the input's `aria-activedescendant`. */
  readonly onActive: (id: string | undefined) => void;
  readonly onDone: () => void;
  readonly otherwise: ReactNode;
}

export default function Palette({ id, input, text, onActive, onDone, otherwise }: PaletteProps) {
  const { commands } = useStores();
  const offered = useCommands((state) => state.offered);
  const recent = useRecent((state) => state.sessions);
  const format = useFormatRecent();
  const items = useMemo(
    () => filterItems(paletteItems(offered, recent, format), text),
    [offered, recent, format, text],
  );
  const [chosen, setChosen] = useState({ text, at: 0 });
  // Another text is another list: its first item is chosen.
  const at = chosen.text === text ? Math.min(chosen.at, items.length - 1) : 0;
  const active = items[at];
  const take = (item: PaletteItem) => {
    onDone();
    if (item.kind === "command") void runCommand(commands, item.command);
    else navigate(item.route);
  };
  const press = useRef<(event: KeyboardEvent) => void>(null);
  useEffect(() => {
    press.current = (event) => {
      if (items.length === 0) return;
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by !== undefined) setChosen({ text, at: (at + by + items.length) % items.length });
      else if (event.key === "Enter" && active !== undefined) take(active);
      else return;
      event.preventDefault();
    };
    onActive(active === undefined ? undefined : `${id}-${at}`);
  });
  useEffect(() => {
    const field = input.current;
    const listen = (event: KeyboardEvent) => press.current?.(event);
    field?.addEventListener("keydown", listen);
    return () => field?.removeEventListener("keydown", listen);
  }, [input]);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // In braces: newer browsers give a promise back, which is no clean-up.
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (active === undefined) return otherwise;
  return (
    <ul ref={list} id={id} role="listbox" aria-label="Commands" className={css.list}>
      {items.map((item, i) => (
        <Option key={item.key} id={`${id}-${i}`} item={item} chosen={i === at} onTake={() => take(item)} />
      ))}
    </ul>
  );
}

const WORDS = { command: "here", route: "go to", recent: "recent" } as const;

interface OptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly chosen: boolean;
  readonly onTake: () => void;
}

function Option({ id, item, chosen, onTake }: OptionProps) {
  const singleKeys = usePreferences((state) => state.shortcuts);
  const key = item.kind === "command" && singleKeys ? item.command.key : undefined;
  return (
    <li
      id={id}
      role="option"
      aria-selected={chosen}
      className={css.item}
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <span className={css.kind}>{WORDS[item.kind]}</span>
      <span className={css.title}>
        <InertText text={item.title} wrap={false} />
      </span>
      {item.kind === "recent" && (
        <span className={css.says}>
          <InertText text={item.hint} wrap={false} />
        </span>
      )}
      {key !== undefined && <kbd>{key}</kbd>}
    </li>
  );
}
