// The form of a new game as a test fills it in.

import type { Page } from "@playwright/test";
import { PlayPage } from "./play.ts";

export type GameTitle = "Rock, paper, scissors" | "Vote" | "Auction" | "Compare";

export class StartPage extends PlayPage {
  async open(): Promise<void> {
    await this.page.goto("./#/play");
  }

  async game(title: GameTitle): Promise<void> {
    await this.page.getByRole("group", { name: "Game" }).getByLabel(title, { exact: true }).check();
  }

  async choose(group: string, choice: string | RegExp): Promise<void> {
    await this.page.getByRole("group", { name: group }).getByLabel(choice).check();
  }

  async fill(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  async tick(title: string | RegExp): Promise<void> {
    await this.page.getByLabel(title).check();
  }
}

/** One who opens a link: another browser's page. */
export function guestOn(page: Page): PlayPage {
  return new PlayPage(page);
}
