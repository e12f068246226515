// The first page as a test sees it: by roles and words, not by its markup.

import { expect, type Locator, type Page } from "@playwright/test";

export class HomePage {
  readonly page: Page;
  readonly search: Locator;

  constructor(page: Page) {
    this.page = page;
    this.search = page.getByLabel("Search: paste a session, entry, address, link or file");
  }

  async open(): Promise<void> {
    await this.page.goto("./");
    await expect(this.search).toBeVisible();
  }

  /** Types into the search bar and presses Enter. */
  async enter(text: string): Promise<void> {
    await this.search.fill(text);
    await this.search.press("Enter");
  }

  /** What search says that it has recognised, or why it refuses. */
  says(): Locator {
    return this.page.locator("[data-recognised]");
  }

  async playAgainstBot(): Promise<void> {
    await this.page.getByRole("button", { name: "Play now" }).click();
  }

  async playWithFriend(): Promise<void> {
    await this.page.getByRole("link", { name: "Play with a friend" }).click();
  }

  example(title: string): Locator {
    return this.page.getByRole("link", { name: title }).and(this.page.locator('[href^="#/sample/"]'));
  }
}
