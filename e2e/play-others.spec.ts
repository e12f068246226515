// A game that somebody sets up for others: who made it looks on, signs no move, and is waited for by nobody.

import { expect, test } from "./fixtures.ts";
import { Traffic } from "./hub-traffic.ts";
import { GamePage } from "./pages/games.ts";
import { guestOn, StartPage } from "./pages/start.ts";

test("set up by a link for two others: they play, the creator watches and has nothing to press", async ({
  page,
  context,
  newPage,
}) => {
  const traffic = new Traffic();
  traffic.watch(context);
  const form = new StartPage(page);
  await form.open();
  await form.game("Vote");
  await form.tick(/^I only set it up/);
  const link = await form.invite();
  const [one, two] = [await newPage(), await newPage()];
  await guestOn(one).join(link);
  await expect(page.getByText("1 of 2", { exact: true })).toBeVisible();
  await guestOn(two).join(link);
  const boards = [new GamePage(one), new GamePage(two)];
  for (const board of boards) await board.begun();
  await page.waitForURL(/\/play\?watch=1/);
  await expect(page.getByText(/^Waiting for (Player 1|0x\S+) and (Player 2|0x\S+)$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Vote", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Somebody is silent?" })).toHaveCount(0);
  for (const board of boards) await board.vote("No");
  for (const board of boards) expect(await board.decided()).toContain("“No” is elected");
  const watched = new GamePage(page);
  expect(await watched.decided()).toContain("“No” is elected");
  await expect(page.getByRole("button", { name: "Play again" })).toHaveCount(0);
  expect(traffic.entries().map(({ type }) => type)).toEqual(["invite", "genesis"]);
});
