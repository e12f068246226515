// The same seat in two tabs, and tabs that are killed: one log, no fork, nothing lost, nothing signed twice.

import type { BrowserContext, Page } from "@playwright/test";
import { installFakeWallet } from "./fake-wallet.ts";
import { expect, test } from "./fixtures.ts";
import { holdWrites, Traffic } from "./hub-traffic.ts";
import { BoardPage, type Hand } from "./pages/board.ts";
import { PlayPage } from "./pages/play.ts";
import { guestOn } from "./pages/start.ts";

/** A game by a link; the first page's seat may be in several tabs of its context. */
async function begun(page: Page, friend: Page) {
  const traffic = new Traffic();
  traffic.watch(page.context());
  await page.goto("./#/play");
  await guestOn(friend).join(await new PlayPage(page).invite());
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  return { mine, theirs, traffic, seat: page.url() };
}

async function tab(context: BrowserContext, url: string): Promise<BoardPage> {
  const page = await context.newPage();
  await page.goto(url);
  return new BoardPage(page);
}

test("the same seat in two tabs: both choose, one choice is made, and both show the same", async ({
  page,
  context,
  newPage,
}) => {
  const { mine, theirs, traffic, seat } = await begun(page, await newPage());
  const other = await tab(context, seat);
  await other.begun();
  // The first tab's entry is signed, and has not left it, when the second one is asked to choose.
  const held = await holdWrites(page);
  await mine.choose("Rock");
  await expect.poll(() => held.count()).toBe(1);
  await other.choose("Paper");
  held.release();
  for (const board of [mine, other, theirs]) await expect(board.round(1)).toContainText("Sealed");
  await expect(other.page.getByText("The move was not made")).toBeVisible();
  for (const board of [mine, other]) await expect(board.choice("Rock")).toBeDisabled();
  await theirs.choose("Scissors");
  const verdicts = [await mine.decided(), await other.decided()];
  expect(verdicts[0]).toBe(verdicts[1]);
  for (const board of [mine, other]) {
    await expect(board.round(1)).toContainText("Rock");
    await expect(board.page.getByRole("img", { name: /^2 of 6 entries used/ })).toHaveCount(2);
  }
  expect(traffic.entries("commit").filter(({ wallet }) => seat.includes(wallet))).toHaveLength(1);
  expect(traffic.forks()).toEqual([]);
});

test("two tabs press at the same moment, round after round: never a fork", async ({
  page,
  context,
  newPage,
}) => {
  const traffic = new Traffic();
  traffic.watch(context);
  const friend = await newPage();
  await page.goto("./#/play");
  const play = new PlayPage(page);
  await play.bestOf(3);
  await guestOn(friend).join(await play.invite());
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  const other = await tab(context, page.url());
  await other.begun();
  const hands: readonly [Hand, Hand][] = [
    ["Rock", "Paper"],
    ["Paper", "Rock"],
    ["Scissors", "Rock"],
  ];
  for (const [i, [one, two]] of hands.entries()) {
    for (const board of [mine, other]) await expect(board.choice(one)).toBeEnabled();
    // Whichever comes second may find its button closed already.
    const press = (board: BoardPage, hand: Hand) =>
      board.choice(hand).evaluate((button) => (button as HTMLButtonElement).click());
    await Promise.all([press(mine, one), press(other, two)]);
    await theirs.choose("Rock");
    await expect(theirs.round(i + 1)).toContainText(/win|Draw/);
    if (await theirs.result.isVisible()) break;
  }
  const verdicts = [await mine.decided(), await other.decided()];
  expect(verdicts[0]).toBe(verdicts[1]);
  expect(traffic.forks()).toEqual([]);
});

/** How a tab ends: closed at once, its process killed, or closed once the entry is kept and has not left. */
const ends: readonly (readonly [string, (page: Page, choose: () => Promise<void>) => Promise<void>])[] = [
  [
    "closed with the click",
    async (page, choose) => {
      await choose();
      await page.close();
    },
  ],
  [
    "crashed with the click",
    async (page, choose) => {
      const devtools = await page.context().newCDPSession(page);
      const crashed = page.waitForEvent("crash");
      await choose();
      devtools.send("Page.crash").catch(() => undefined);
      await crashed;
    },
  ],
  [
    "closed with the entry kept and not sent",
    async (page, choose) => {
      const held = await holdWrites(page);
      await choose();
      await expect.poll(() => held.count()).toBe(1);
      await page.close();
    },
  ],
];

for (const [how, end] of ends)
  test(`a tab ${how}, and opened again: nothing lost, nothing signed twice`, async ({
    page,
    context,
    newPage,
  }) => {
    const { mine, theirs, traffic, seat } = await begun(page, await newPage());
    await end(page, () => mine.choose("Rock"));
    const again = await tab(context, seat);
    await again.begun();
    const sealed = again.round(1).getByText("Sealed");
    // Killed before anything was signed, the choice is still to be made; otherwise it goes on by itself.
    await expect(async () => {
      if (!how.includes("kept") && (await again.choice("Rock").isEnabled())) await again.choose("Rock");
      await expect(sealed).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await theirs.choose("Scissors");
    await again.decided();
    await expect(again.result).toHaveAttribute("data-mood", "won");
    expect(traffic.entries("commit").filter(({ wallet }) => seat.includes(wallet))).toHaveLength(1);
    expect(traffic.forks()).toEqual([]);
  });

test("with a wallet extension: killed after signing, the wallet is not asked again", async ({
  page,
  context,
  newPage,
}) => {
  const signed: string[] = [];
  await context.exposeBinding("noteSigned", (_, text: string) => void signed.push(text));
  await installFakeWallet(context);
  const traffic = new Traffic();
  traffic.watch(context);
  await page.goto("./#/play");
  await page.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(page.getByText(/will ask you to sign plain text/)).toBeVisible();
  const friend = await newPage();
  await guestOn(friend).join(await new PlayPage(page).invite());
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  const seat = page.url();
  const held = await holdWrites(page);
  await mine.choose("Rock");
  await expect.poll(() => held.count()).toBe(1);
  await page.close();
  const again = await tab(context, seat);
  await expect(again.round(1)).toContainText("Sealed");
  await theirs.choose("Scissors");
  await again.decided();
  const entries = signed.filter((text) => text.startsWith("Cooperation Protocol entry v1\n\n"));
  expect(entries.filter((text) => text.includes('"type":"commit"'))).toHaveLength(1);
  expect(new Set(entries).size).toBe(entries.length);
  expect(traffic.forks()).toEqual([]);
});
