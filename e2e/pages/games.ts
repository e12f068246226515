// The boards of the games other than rock, paper, scissors, as a test plays on them.

import { expect, type Locator, type Page } from "@playwright/test";

export class GamePage {
  readonly page: Page;
  readonly result: Locator;

  constructor(page: Page) {
    this.page = page;
    this.result = page.locator("[data-finality]");
  }

  /** Waits until the session has begun and this seat is on its board. */
  async begun(): Promise<void> {
    await this.page.waitForURL(/\/play\?as=0x/);
    await expect(this.page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  }

  turn(words: string | RegExp): Locator {
    return this.page.getByRole("heading", { level: 2, name: words });
  }

  async vote(option: string): Promise<void> {
    await this.page.getByLabel(option, { exact: true }).check();
    await this.page.getByRole("button", { name: "Vote", exact: true }).click();
  }

  /** Types a value and seals it. */
  async seal(what: "ballot" | "bid" | "value", text: string): Promise<void> {
    if (what === "ballot") await this.page.getByLabel(text, { exact: true }).check();
    else await this.page.getByLabel(`Your ${what}`, { exact: true }).fill(text);
    await this.page.getByRole("button", { name: `Seal your ${what}` }).click();
  }

  async bid(amount: string): Promise<void> {
    await this.page.getByLabel("Your bid", { exact: true }).fill(amount);
    await this.page.getByRole("button", { name: "Bid", exact: true }).click();
  }

  async pass(): Promise<void> {
    await this.page.getByRole("button", { name: "Pass", exact: true }).click();
    await this.page.getByRole("dialog").getByRole("button", { name: "Pass", exact: true }).click();
  }

  /** Rows of the table of what is sealed and opened. */
  seats(state: "none" | "sealed" | "open"): Locator {
    return this.page.locator(`tr[data-state="${state}"]`);
  }

  async decided(finality: "final" | "settled" = "final"): Promise<string> {
    await expect(this.result).toHaveAttribute("data-finality", finality);
    return this.result.getByRole("heading").first().innerText();
  }

  session(): string {
    return /#\/s\/([^/?]+)/.exec(this.page.url())?.[1] ?? "";
  }
}
