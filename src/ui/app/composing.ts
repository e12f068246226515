// While an input method composes, Enter confirms a candidate and Escape drops it: neither is meant for the page. One
// listener before all others keeps such keys from every field, list and dialog.

/** The parts of a keyboard event that decide. Safari ends a composition before the key that ended it: 229 tells. */
export interface ComposingKey {
  readonly isComposing: boolean;
  readonly keyCode: number;
}

export function isComposing({ isComposing: composing, keyCode }: ComposingKey): boolean {
  return composing || keyCode === 229;
}

/** Returns the way to stop. */
export function quietWhileComposing(
  page: Pick<Window, "addEventListener" | "removeEventListener">,
): () => void {
  const listen = (event: KeyboardEvent) => {
    if (isComposing(event)) event.stopImmediatePropagation();
  };
  page.addEventListener("keydown", listen, { capture: true });
  return () => page.removeEventListener("keydown", listen, { capture: true });
}
