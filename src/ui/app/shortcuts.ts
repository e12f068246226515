// The shortcuts of the whole app. Single keys can be turned off and never fire while something is being typed.

export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** As the sheet lists them. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ["/"], does: "Search" },
  { keys: ["Ctrl K", "⌘ K"], does: "Commands, also while typing" },
  { keys: ["?"], does: "This list" },
  { keys: ["Esc"], does: "Close what is open, leave search" },
];

/** Keys of the causal graph: they act while it has the focus, so that they are never turned off. */
export const GRAPH_SHORTCUTS: readonly Shortcut[] = [
  { keys: ["←", "→"], does: "Along the lane" },
  { keys: ["↑", "↓"], does: "To another lane" },
  { keys: ["p", "c"], does: "To a parent, to a child" },
  { keys: ["x"], does: "To a concurrent entry" },
  { keys: ["Home", "End"], does: "First and last entry" },
  { keys: ["Backspace"], does: "Back" },
  { keys: ["Enter"], does: "Into the entry; Esc leads back" },
  { keys: ["+", "-", "0"], does: "Nearer, farther, show all" },
];

export type KeyAction = "search" | "palette" | "sheet" | "command";

/** The parts of a keyboard event that decide. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** The target takes text. */
  readonly typing: boolean;
  /** A dialog is open: what is behind it is out of reach. */
  readonly modal: boolean;
}

/** What a key does, if anything; `commands`: the keys of what the page offers. */
export function actionOf(
  pressed: Pressed,
  singleKeys: boolean,
  commands: readonly string[] = [],
): KeyAction | undefined {
  const { key, ctrlKey, metaKey, altKey, typing, modal } = pressed;
  if (altKey || modal) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" ? "palette" : undefined;
  if (typing || !singleKeys) return undefined;
  if (key === "/") return "search";
  if (key === "?") return "sheet";
  return commands.includes(key) ? "command" : undefined;
}

/** Whether an element takes text. */
export function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
