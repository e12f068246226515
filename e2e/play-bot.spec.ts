// A game against the bot, from landing to a verdict, and one click further: the audit of it.

import { expect, test } from "./fixtures.ts";
import { BoardPage } from "./pages/board.ts";
import { HomePage } from "./pages/home.ts";
import { InspectorPage } from "./pages/inspector.ts";
import { PlayPage } from "./pages/play.ts";

test("from landing to a verdict against the bot with a throw-away key, then the audit", async ({ page }) => {
  const home = new HomePage(page);
  const board = new BoardPage(page);
  await home.open();
  await home.playAgainstBot();
  await board.begun();
  await board.choose("Rock");
  const verdict = await board.decided();
  expect(verdict).toMatch(/^(You win|You lose|Draw)$/);
  const session = board.session();
  await board.audit();
  const inspector = new InspectorPage(page);
  await inspector.verified();
  expect(page.url()).toContain(session);
});

test("best of three is played round by round, and the board survives a reload in between", async ({
  page,
}) => {
  const board = new BoardPage(page);
  await page.goto("./#/play?bot=1");
  const play = new PlayPage(page);
  await play.bestOf(3);
  await play.start();
  await board.begun();
  await board.choose("Paper");
  await expect(board.round(1)).toContainText(/wins?|Draw/);
  await page.reload();
  for (const round of [2, 3]) {
    // A draw counts as played, so three rounds are the most there are.
    await expect(board.result.or(board.page.getByText(`Round ${round}: your choice`))).toBeVisible();
    if (await board.result.isVisible()) break;
    await board.choose("Scissors");
    await expect(board.round(round)).toContainText(/wins?|Draw/);
  }
  await board.decided();
});
