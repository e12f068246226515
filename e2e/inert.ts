// Strangers' texts on a page: nothing of them runs, none turns what is around it, what cannot be seen is marked, and the
// layout holds at 360 pixels.

import { expect, type Page } from "@playwright/test";

/** What may never be on a page, and what of a stranger's text must be. `ownStyle`: the page has one style of its own. */
export async function expectInert(page: Page, where: string, ownStyle = false): Promise<void> {
  const found = await page.evaluate((ownStyle) => {
    // Characters that turn directions or are not seen; those that writing needs are not in these texts.
    const hidden = /[\u0000\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0020}-\u{e007f}]/u;
    const wrong: string[] = [];
    if ("hit" in window) wrong.push("a text ran");
    for (const element of document.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith("on")) wrong.push(`<${element.localName} ${name}>`);
        if (/^(href|src|action|formaction|srcdoc)$/.test(name) && /^\s*(javascript|data:text)/i.test(value))
          wrong.push(`${name}=${value.slice(0, 60)}`);
        if (hidden.test(value) && name !== "value") wrong.push(`unmarked in ${name} of ${element.localName}`);
      }
      if (ownStyle && element.parentElement === document.head && element.localName === "style") continue;
      if (/^(iframe|object|embed|base|style)$/.test(element.localName)) wrong.push(`<${element.localName}>`);
    }
    const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      // A script's own text is not shown; whether it runs is seen by the rest.
      if (node.parentElement?.localName === "script") continue;
      const text = node.nodeValue ?? "";
      if (hidden.test(text)) wrong.push(`unmarked: ${text.slice(0, 60)}`);
      if (
        /window\.hit/.test(text) &&
        node.parentElement?.closest("bdi, option, textarea, output, code, title") === null
      )
        wrong.push(`not isolated: ${text.slice(0, 60)}`);
    }
    for (const mark of document.querySelectorAll("[data-mark]"))
      if (mark.closest("bdi") === null) wrong.push("a mark outside of an isolated text");
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > 360) wrong.push(`${scrollWidth} pixels wide`);
    return wrong;
  }, ownStyle);
  expect(found, where).toEqual([]);
}
