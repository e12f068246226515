// The shortcuts of the whole app. Single keys can be turned off and never fire while something is being typed.

export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** As the sheet lists them. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ["/"], does: "Go to the box" },
  { keys: ["Ctrl K", "⌘ K"], does: "Go to the box, also while typing" },
  { keys: ["?"], does: "This list" },
  { keys: ["Esc"], does: "Close what is open, leave the box" },
];

export type KeyAction = "box" | "sheet";

/** The parts of a keyboard event that decide. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** The target takes text. */
  readonly typing: boolean;
}

/** What a key does, if anything. */
export function actionOf(pressed: Pressed, singleKeys: boolean): KeyAction | undefined {
  const { key, ctrlKey, metaKey, altKey, typing } = pressed;
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" ? "box" : undefined;
  if (typing || !singleKeys) return undefined;
  if (key === "/") return "box";
  return key === "?" ? "sheet" : undefined;
}

/** Whether an element takes text. */
export function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
