// Search: takes an id, an address, a link, JSON or a bundle, says what it recognised, and opens it on Enter. With
// Ctrl-K it lists the commands of the page below, until a text is recognised.

import {
  lazy,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type FormEvent,
} from "react";
import { Button, IconButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import type { Ref } from "../../core/values.ts";
import { defaultPace, runSteps } from "../../platform/time-slices.ts";
import { to } from "../routing/routes.ts";
import { whenShown } from "../services/first-picture.ts";
import { useCommands, useStores } from "../services/stores.tsx";
import { RefLink } from "../components/ref-link.tsx";
import css from "./search-bar.module.css";
import { recognise, recogniseSteps, type Recognised } from "./recognise.ts";
import { recogniseFile } from "./read-file.ts";
import { useOpen } from "./use-open.ts";

const loadPalette = () => import("./palette.tsx");
const Palette = lazy(loadPalette);

/** Id of the input: what `/` and Ctrl-K focus. */
export const SEARCH_INPUT_ID = "search";

export function SearchBar({ large = false }: { large?: boolean }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [given, setGiven] = useState<Recognised | null>(null);
  const [choices, setChoices] = useState<readonly Ref[]>([]);
  const { recent, commands } = useStores();
  const palette = useCommands((state) => state.palette);
  const [active, setActive] = useState<string | undefined>();
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const file = useRef<HTMLInputElement>(null);
  const open = useOpen();
  const note = useId();
  const seen = (hash: `0x${string}`) => recent.getState().seen.get(hash);
  const recognised = given ?? recognise(text, seen);

  useEffect(() => {
    // Loads ahead of Ctrl-K: Enter pressed while it loads would do nothing.
    void whenShown()
      .then(loadPalette)
      .catch(() => undefined);
  }, []);
  const listing = palette && !canOpen(recognised);
  const closePalette = () => {
    commands.getState().setPalette(false);
    setActive(undefined);
  };
  const leave = () => {
    setText("");
    setGiven(null);
    closePalette();
    input.current?.blur();
  };

  const go = async (what: Recognised, name: string) => {
    setBusy(true);
    const opened = await open(what, name);
    setBusy(false);
    if (opened === "opened") {
      closePalette();
      setText("");
      setGiven(null);
      setChoices([]);
    } else setChoices(opened === "nothing" ? [] : opened.choose);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void go(recognised, "pasted");
  };
  /** A field of one line would lose the line breaks of a bundle. */
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text");
    if (!/^\s*[[{]/.test(pasted)) return;
    event.preventDefault();
    void take(pasted, "pasted");
  };
  const take = (content: string, name: string) =>
    show(runSteps(recogniseSteps(content, seen), defaultPace), name);
  const show = async (recognising: Promise<Recognised>, name: string) => {
    setText("");
    setBusy(true);
    const what = await recognising;
    setGiven(what);
    await go(what, name);
  };
  const choose = async (files: FileList | null) => {
    const first = files?.[0];
    if (first !== undefined) await show(recogniseFile(first, seen), first.name);
    if (file.current !== null) file.current.value = "";
  };

  return (
    <form className={large ? `${css.form} ${css.large}` : css.form} role="search" onSubmit={submit}>
      <div className={css.line}>
        <Icon name="search" />
        <input
          ref={input}
          id={SEARCH_INPUT_ID}
          role="combobox"
          aria-expanded={listing && active !== undefined}
          aria-controls={list}
          aria-activedescendant={listing ? active : undefined}
          className={css.input}
          type="text"
          inputMode="text"
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder={large ? "Paste a session, entry, address, link or file" : "Search"}
          aria-label="Search: paste a session, entry, address, link or file"
          aria-describedby={note}
          aria-invalid={recognised.kind === "refused" && !(listing && active !== undefined)}
          value={text}
          onChange={(event) => {
            setGiven(null);
            setChoices([]);
            setText(event.target.value);
          }}
          onPaste={paste}
          onKeyDown={(event) => {
            if (event.key === "Escape") leave();
          }}
          onBlur={closePalette}
        />
        <input
          ref={file}
          type="file"
          className="hidden-visually"
          tabIndex={-1}
          aria-label="Bundle file"
          accept=".jsonl,.json,.txt,.coop"
          onChange={(event) => void choose(event.target.files)}
        />
        <IconButton label="Open a bundle file" icon="upload" size="s" onClick={() => file.current?.click()} />
        {large && (
          <Button type="submit" kind="plain" size="s" busy={busy} disabled={!canOpen(recognised)}>
            Open
          </Button>
        )}
      </div>
      <div id={note} className={css.note} role="status" data-recognised={recognised.kind}>
        {!listing && <Says recognised={recognised} />}
        {choices.length > 0 && (
          <ul className={css.choices}>
            {choices.map((session) => (
              <li key={session}>
                <RefLink to={session} href={to.session(session)} withHash />
              </li>
            ))}
          </ul>
        )}
      </div>
      {listing && (
        <div className={css.palette}>
          <Suspense fallback={null}>
            <Palette
              id={list}
              input={input}
              text={text}
              onActive={setActive}
              onDone={leave}
              otherwise={<Says recognised={recognised} />}
            />
          </Suspense>
        </div>
      )}
    </form>
  );
}

function canOpen(recognised: Recognised): boolean {
  return recognised.kind !== "nothing" && recognised.kind !== "refused";
}

function Says({ recognised }: { recognised: Recognised }) {
  if (recognised.kind === "nothing") return null;
  if (recognised.kind === "refused")
    return (
      <p className={css.refused}>
        <Icon name="cross" size={14} /> <InertText text={recognised.why} />
      </p>
    );
  return (
    <p className={css.known}>
      <Icon name="check" size={14} /> <InertText text={recognised.says} />
      <span className="faint"> · Enter opens it</span>
    </p>
  );
}
