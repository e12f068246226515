// Tabs that the browser has frozen, or whose timers it throttles in the background: the other tabs of the same wallet
// are not stopped without a word, and a game goes on.

import type { Page } from "@playwright/test";
import { FakeWallet, installFakeWallet } from "./fake-wallet.ts";
import { expect, test } from "./fixtures.ts";
import { holdWrites, Traffic } from "./hub-traffic.ts";
import { BoardPage } from "./pages/board.ts";
import { PlayPage } from "./pages/play.ts";
import { guestOn } from "./pages/start.ts";

const HELD = "Another tab is writing with this wallet";

/** Freezes a page's timers and tasks, as Chromium does with tabs that are not looked at; answers the way back. */
async function freeze(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  return async () => void (await devtools.send("Page.setWebLifecycleState", { state: "active" }));
}

async function begun(page: Page, friend: Page) {
  const traffic = new Traffic();
  traffic.watch(page.context());
  await guestOn(friend).join(await new PlayPage(page).invite());
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  return { mine, theirs, traffic };
}

async function secondTab(page: Page): Promise<BoardPage> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  const board = new BoardPage(other);
  await board.begun();
  return board;
}

test("a tab frozen while it writes: the other says so within 3 s, and goes on by itself", async ({
  page,
  newPage,
}) => {
  await page.goto("./#/play");
  const { mine, theirs, traffic } = await begun(page, await newPage());
  const held = await holdWrites(page);
  await mine.choose("Rock");
  await expect.poll(() => held.count()).toBe(1);
  const thaw = await freeze(page);
  const other = await secondTab(page);
  await other.choose("Paper");
  await expect(other.page.getByText(HELD)).toBeVisible({ timeout: 3_000 });
  await expect(other.page.getByText(/may have frozen that tab/)).toBeVisible();
  // It stays usable: another page of it opens at once.
  await other.page.getByRole("link", { name: "Settings" }).click();
  await expect(other.page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await other.page.goBack();
  await thaw();
  held.release();
  await expect(other.page.getByText(HELD)).toBeHidden();
  await expect(other.round(1)).toContainText("Sealed");
  await theirs.choose("Scissors");
  await other.decided();
  await expect(other.result).toHaveAttribute("data-mood", "won");
  expect(traffic.forks()).toEqual([]);
});

test("a frozen tab that is closed lets the other one go on, and nothing is signed twice", async ({
  page,
  newPage,
}) => {
  await page.goto("./#/play");
  const { mine, theirs, traffic } = await begun(page, await newPage());
  const held = await holdWrites(page);
  await mine.choose("Rock");
  await expect.poll(() => held.count()).toBe(1);
  await freeze(page);
  const other = await secondTab(page);
  await expect(other.page.getByText(HELD)).toBeVisible();
  await page.close();
  await expect(other.page.getByText(HELD)).toBeHidden();
  await expect(other.round(1)).toContainText("Sealed");
  await theirs.choose("Scissors");
  await other.decided();
  await expect(other.result).toHaveAttribute("data-mood", "won");
  expect(traffic.forks()).toEqual([]);
});

test("a wallet’s window left open in one tab: the other says that the wallet is asked", async ({
  page,
  context,
  newPage,
}) => {
  await installFakeWallet(context);
  await page.goto("./#/play");
  await page.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(page.getByText(/will ask you to sign plain text/)).toBeVisible();
  const { mine, theirs, traffic } = await begun(page, await newPage());
  const wallet = new FakeWallet(page);
  await wallet.next("hangs");
  await mine.choose("Rock");
  await expect.poll(async () => (await wallet.asked()).at(-1)).toContain('"type":"commit"');
  const other = await secondTab(page);
  await other.choose("Paper");
  await expect(other.page.getByText(HELD)).toBeVisible({ timeout: 3_000 });
  await expect(other.page.getByText(/Its wallet waits for your answer/)).toBeVisible();
  await wallet.answer();
  await expect(other.page.getByText(HELD)).toBeHidden();
  await theirs.choose("Scissors");
  await other.decided();
  expect(traffic.forks()).toEqual([]);
});
