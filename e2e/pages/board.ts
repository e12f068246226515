// The board of a session as a test plays on it.

import { expect, type Locator, type Page } from "@playwright/test";

export type Hand = "Rock" | "Paper" | "Scissors";

export class BoardPage {
  readonly page: Page;
  readonly result: Locator;

  constructor(page: Page) {
    this.page = page;
    this.result = page.locator("[data-finality]");
  }

  /** Waits until the session has begun and this seat is on its board. */
  async begun(): Promise<void> {
    await this.page.waitForURL(/\/play\?as=0x/);
    await expect(this.choice("Rock")).toBeVisible();
  }

  choice(hand: Hand): Locator {
    return this.page.getByRole("button", { name: hand, exact: true });
  }

  /** Chooses; waits until the Hub has given the choice back (or the round is over). */
  async choose(hand: Hand): Promise<void> {
    await this.choice(hand).click();
  }

  /** What a seat has done in a round: by columns of the table, round from 1. */
  round(number: number): Locator {
    return this.page.locator(`tr[data-round="${number}"]`);
  }

  async decided(finality: "final" | "settled" = "final"): Promise<string> {
    await expect(this.result).toHaveAttribute("data-finality", finality);
    return this.result.getByRole("heading").innerText();
  }

  /** The session's id, from the address. */
  session(): string {
    return /#\/s\/([^/?]+)/.exec(this.page.url())?.[1] ?? "";
  }

  async audit(): Promise<void> {
    await this.result.getByRole("link", { name: /^Check that/ }).click();
  }
}
