// What a browser does to the page on its own: machine translation that wraps text, and input methods that compose.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { BoardPage } from "./pages/board.ts";
import { HomePage } from "./pages/home.ts";

/** As a translator does it: each text that may be translated goes into two <font> elements, and stays there. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const parent = text.parentElement;
      if (parent === null || text.data.trim() === "" || parent.closest("[translate=no], script, style, font"))
        continue;
      const inner = document.createElement("font");
      const outer = document.createElement("font");
      outer.append(inner);
      text.replaceWith(outer);
      inner.append(text);
    }
  });
}

test("a game goes on and its result is right while the page is machine translated", async ({ page }) => {
  await new HomePage(page).open();
  await translate(page);
  await new HomePage(page).playAgainstBot();
  const board = new BoardPage(page);
  await board.begun();
  await translate(page);
  await board.choose("Rock");
  expect(await board.decided()).toMatch(/^(You win|You lose|Draw)$/);
  await expect(board.round(1)).toContainText("Rock");
  await translate(page);
  await page.getByRole("button", { name: "Play again" }).click();
  await expect(board.choice("Paper")).toBeEnabled();
});

test("Enter and Escape do nothing in search and palette while an input method composes", async ({ page }) => {
  const home = new HomePage(page);
  await home.open();
  const url = page.url();
  await page.keyboard.press("Control+k");
  await home.search.fill("settings");
  await expect(page.getByRole("listbox").getByRole("option").first()).toBeVisible();
  for (const key of ["Enter", "Escape"])
    await home.search.dispatchEvent("keydown", { key, isComposing: true, bubbles: true, cancelable: true });
  expect(page.url()).toBe(url);
  await expect(home.search).toHaveValue("settings");
  await home.search.press("Enter");
  await expect(page).toHaveURL(/settings/);
});
