// What a person does in a tab, by roles and labels as far as plain script can tell them.

import type { Tab } from "./engine.ts";

const PATIENCE = 30_000;

const FINDERS = `
  const textOf = (node) => (node.getAttribute("aria-label") ?? node.textContent ?? "").trim();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const named = (selector, name) => {
    const usable = all(selector).filter((node) => !node.disabled);
    return usable.find((node) => textOf(node) === name) ?? usable.find((node) => textOf(node).startsWith(name));
  };
  const labelled = (label) => all("input").find((input) =>
    input.getAttribute("aria-label") === label ||
    [...(input.labels ?? [])].some((each) => each.textContent.trim().startsWith(label)));
`;

/** Waits until an expression over the finders is truthy; gives its value. */
export async function waitFor(tab: Tab, expression: string, what: string): Promise<unknown> {
  return tab.run(`${FINDERS}
    const until = performance.now() + ${PATIENCE};
    for (;;) {
      const value = (() => (${expression}))();
      if (value) return typeof value === "object" ? true : value;
      if (performance.now() > until)
        throw new Error(${JSON.stringify(`not seen: ${what}; the page says: `)} + document.body.innerText.slice(0, 1500));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }`);
}

/** Clicks the button of this name, or whose name begins so, once it is there and enabled; `a` for a link. */
export async function click(tab: Tab, name: string, selector: "button" | "a" = "button"): Promise<void> {
  const find = `named(${JSON.stringify(selector)}, ${JSON.stringify(name)})`;
  await waitFor(tab, `(() => { const node = ${find}; node?.click(); return node; })()`, name);
}

/** Types into the field with this label. */
export async function fill(tab: Tab, label: string, text: string): Promise<void> {
  const body = `const input = labelled(${JSON.stringify(label)});
    if (input === undefined) return false;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, ${JSON.stringify(text)});
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return true;`;
  await waitFor(tab, `(() => { ${body} })()`, label);
}

/** Gives a file to the field with this label. */
export async function giveFile(tab: Tab, label: string, text: string): Promise<void> {
  const body = `const input = labelled(${JSON.stringify(label)});
    if (input === undefined) return false;
    const files = new DataTransfer();
    files.items.add(new File([${JSON.stringify(text)}], "backup.json", { type: "application/json" }));
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    return true;`;
  await waitFor(tab, `(() => { ${body} })()`, label);
}
