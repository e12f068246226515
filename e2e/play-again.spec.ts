// A rematch: offered by one, asked for by both at once, and by one who does not see the other's offer. One session each time.

import { expect, test } from "./fixtures.ts";
import { holdWrites, Traffic } from "./hub-traffic.ts";
import { BoardPage } from "./pages/board.ts";
import { PlayPage } from "./pages/play.ts";

test("both ask to play again at once: one session comes of it, and it is played", async ({
  page,
  newPage,
}) => {
  const friend = await newPage();
  const traffic = new Traffic();
  for (const one of [page, friend]) traffic.watch(one.context());
  await page.goto("./#/play");
  await new PlayPage(friend).join(await new PlayPage(page).invite());
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  const before = mine.session();
  await mine.choose("Rock");
  await theirs.choose("Paper");
  await Promise.all([mine.decided(), theirs.decided()]);

  // Both invites are signed before either can be seen.
  const held = await Promise.all([page, friend].map(holdWrites));
  for (const one of [page, friend]) await one.getByRole("button", { name: "Play again" }).click();
  await expect.poll(() => held.map((each) => each.count())).toEqual([1, 1]);
  for (const each of held) each.release();

  await Promise.all([mine.begun(), theirs.begun()]);
  await expect.poll(() => mine.session()).not.toBe(before);
  await expect.poll(() => theirs.session()).toBe(mine.session());
  await mine.choose("Scissors");
  await theirs.choose("Rock");
  await Promise.all([mine.decided(), theirs.decided()]);
  await expect(theirs.result).toHaveAttribute("data-mood", "won");
  expect(traffic.entries("invite")).toHaveLength(3);
  expect(traffic.entries("genesis")).toHaveLength(2);
  expect(traffic.forks()).toEqual([]);
});

test("the other’s offer that stands is joined, without a relay and with a key chosen by the seat", async ({
  page,
  newPage,
}) => {
  test.setTimeout(150_000); // by polling alone
  const friend = await newPage();
  const traffic = new Traffic();
  for (const one of [page, friend]) {
    traffic.watch(one.context());
    await one.routeWebSocket(/\/relay$/, () => undefined);
  }
  // The friend has an older key, which does not sit here.
  await friend.goto("./#/settings");
  await friend.getByRole("button", { name: "New throw-away key" }).click();
  await page.goto("./#/play");
  await friend.goto(await new PlayPage(page).invite());
  await friend.getByLabel("A new throw-away key").check();
  await friend.getByRole("button", { name: "Join", exact: true }).click();
  const reply = await friend.getByLabel("If it does not begin, send them this reply").inputValue();
  await page.goto(reply);
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  const before = mine.session();
  await mine.choose("Rock");
  await theirs.choose("Rock");
  await Promise.all([mine.decided(), theirs.decided()]);

  await page.getByRole("button", { name: "Play again" }).click();
  await expect(page.getByRole("heading", { name: "You ask to play again" })).toBeVisible();
  await friend.getByRole("button", { name: "Play again" }).click();
  await Promise.all([mine.begun(), theirs.begun()]);
  await expect.poll(() => mine.session()).not.toBe(before);
  await expect.poll(() => theirs.session()).toBe(mine.session());
  expect(traffic.entries("invite")).toHaveLength(2);
});
