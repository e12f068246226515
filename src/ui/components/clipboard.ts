// Copying text where the modern clipboard is missing (plain http) or refuses: the old command over a hidden field.

export interface ClipboardHost {
  readonly clipboard: { writeText(text: string): Promise<void> } | undefined;
  /** Copies by selecting a hidden field; false where the browser refuses. */
  copyBySelection(text: string): boolean;
}

/** Whether the text is on the clipboard. Never rejects. */
export async function copyText(host: ClipboardHost, text: string): Promise<boolean> {
  if (host.clipboard !== undefined) {
    try {
      await host.clipboard.writeText(text);
      return true;
    } catch {
      // Refused (no permission, no focus): the old way may still work.
    }
  }
  try {
    return host.copyBySelection(text);
  } catch {
    return false;
  }
}

/** The host that is this page. */
export const pageClipboard: ClipboardHost = {
  get clipboard() {
    // The type says it is always there; on plain http it is not.
    return navigator.clipboard as Clipboard | undefined;
  },
  copyBySelection(text) {
    const field = document.createElement("textarea");
    field.value = text;
    field.setAttribute("readonly", "");
    field.className = "hidden-visually";
    const home = document.querySelector("dialog[open]") ?? document.body;
    const focused = document.activeElement;
    home.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return done;
  },
};
