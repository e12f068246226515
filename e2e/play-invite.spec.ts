// Two people in two browsers, by an invite link: both reach the same verdict, and see each other's moves.

import { expect, test } from "./fixtures.ts";
import { BoardPage } from "./pages/board.ts";
import { HomePage } from "./pages/home.ts";
import { PlayPage } from "./pages/play.ts";

test("create, send the link, join, play to one verdict", async ({ page, newPage }) => {
  const home = new HomePage(page);
  await home.open();
  await home.playWithFriend();
  const link = await new PlayPage(page).invite();

  const friend = await newPage();
  await new PlayPage(friend).join(link);

  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  expect(mine.session()).toBe(theirs.session());
  await mine.choose("Rock");
  // Sealed, for both: nobody sees what was chosen.
  await expect(mine.round(1)).toContainText("Sealed");
  await expect(theirs.round(1)).toContainText("Sealed");
  await expect(theirs.round(1)).not.toContainText("Rock");
  await theirs.choose("Scissors");
  await Promise.all([mine.decided(), theirs.decided()]);
  await expect(mine.result).toHaveAttribute("data-mood", "won");
  await expect(theirs.result).toHaveAttribute("data-mood", "lost");
});

test("the host may close the page: the game begins when it comes back", async ({ page, newPage }) => {
  await page.goto("./#/play");
  const link = await new PlayPage(page).invite();
  const room = page.url();
  await page.goto("about:blank");

  const friend = await newPage();
  await new PlayPage(friend).join(link);
  await expect(friend.getByText("You have joined.")).toBeVisible();

  await page.goto(room);
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  await theirs.choose("Paper");
  await mine.choose("Paper");
  await Promise.all([mine.decided(), theirs.decided()]);
  await expect(mine.result).toHaveAttribute("data-mood", "even");
});

test("a watcher sees the board and has nothing to press", async ({ page, newPage }) => {
  await page.goto("./#/play?bot=1");
  await new PlayPage(page).start();
  const board = new BoardPage(page);
  await board.begun();
  const watcher = await newPage();
  await watcher.goto(`./#/s/${board.session()}/play?watch=1`);
  await expect(watcher.getByText(/^Waiting for/)).toBeVisible();
  await expect(watcher.getByRole("button", { name: "Rock" })).toHaveCount(0);
  await board.choose("Rock");
  await new BoardPage(watcher).decided();
});
