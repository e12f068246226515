// Starting and joining a game as a test does it.

import { expect, type Page } from "@playwright/test";

export class PlayPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async bestOf(rounds: 1 | 3 | 5 | 7): Promise<void> {
    await this.page
      .getByRole("group", { name: "Best of" })
      .getByLabel(String(rounds), { exact: true })
      .check();
  }

  /** Begins against the bot, as chosen in the form. */
  async start(): Promise<void> {
    await this.page.getByRole("button", { name: "Play", exact: true }).click();
  }

  /** Makes an invite; gives its link. */
  async invite(): Promise<string> {
    await this.page.getByRole("button", { name: "Make the invite" }).click();
    const link = this.page.getByLabel("Invite link");
    await expect(link).toHaveValue(/#\/join\//);
    return link.inputValue();
  }

  /** Opens an invite link and joins with a throw-away key. */
  async join(link: string): Promise<void> {
    await this.page.goto(link);
    await this.page.getByRole("button", { name: "Join" }).click();
  }
}
