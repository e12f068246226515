// Every game by a link between two browsers, to one verdict: vote, auctions, compare; and one that is left and come back to.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { GamePage } from "./pages/games.ts";
import { guestOn, StartPage } from "./pages/start.ts";

/** Sets up a game by `fill`, sends the link, and both are on the board. */
async function seated(page: Page, friend: Page, fill: (form: StartPage) => Promise<void>) {
  const form = new StartPage(page);
  await form.open();
  await fill(form);
  await guestOn(friend).join(await form.invite());
  const [mine, theirs] = [new GamePage(page), new GamePage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  expect(mine.session()).toBe(theirs.session());
  return { mine, theirs };
}

test("an open vote: both see each ballot, and who is elected", async ({ page, newPage }) => {
  const { mine, theirs } = await seated(page, await newPage(), async (form) => {
    await form.game("Vote");
    await form.fill("Options", "<b>Tea</b>\nconstructor\nCoffee");
    await form.fill("Quorum", "2");
  });
  await mine.vote("constructor");
  await expect(theirs.page.getByTestId("tally").nth(1)).toContainText("1");
  await theirs.vote("constructor");
  for (const board of [mine, theirs]) expect(await board.decided()).toContain("“constructor” is elected");
});

test("a secret vote: sealed until both are in", async ({ page, newPage }) => {
  const { mine, theirs } = await seated(page, await newPage(), async (form) => {
    await form.game("Vote");
    await form.choose("Ballot", /^Secret/);
  });
  await mine.seal("ballot", "Yes");
  await expect(theirs.seats("sealed")).toHaveCount(1);
  await expect(theirs.page.getByTestId("tally").first()).toContainText("0");
  await theirs.seal("ballot", "No");
  for (const board of [mine, theirs]) expect(await board.decided()).toContain("A tie between");
});

test("a sealed auction at amounts beyond any number type, left and come back to between moves", async ({
  page,
  newPage,
}) => {
  const { mine, theirs } = await seated(page, await newPage(), async (form) => {
    await form.game("Auction");
    await form.choose("Way of bidding", /^Second price/);
    await form.fill("What is sold", "A lamp");
  });
  const place = page.url();
  await mine.seal("bid", "9007199254740993");
  // The other side sees it, so it is stored: what is left unsent with the page is another test's.
  await expect(theirs.seats("sealed")).toHaveCount(1);
  await page.goto("about:blank");
  await theirs.page.getByLabel("Your bid").fill("007");
  await expect(theirs.page.getByRole("button", { name: "Seal your bid" })).toBeDisabled();
  await theirs.seal("bid", "9007199254740992");
  // Sealed, or opened already, as both are in; the other one stays sealed while its page is away.
  await expect(theirs.page.getByRole("button", { name: "Seal your bid" })).toHaveCount(0);
  await expect(theirs.seats("sealed").first()).toBeVisible();
  await page.goto(place);
  // What was sealed is found again and opened, without a hand.
  for (const board of [mine, theirs]) expect(await board.decided()).toContain("for 9007199254740992");
  await expect(mine.result).toHaveAttribute("data-mood", "won");
});

test("an english auction: bids rise, and a pass is for good", async ({ page, newPage }) => {
  const { mine, theirs } = await seated(page, await newPage(), async (form) => {
    await form.game("Auction");
    await form.choose("Way of bidding", /^English/);
    await form.fill("Reserve", "10");
    await form.fill("Least step", "5");
  });
  await mine.bid("10");
  await expect(theirs.page.getByTestId("leading")).toContainText("10");
  await theirs.page.getByLabel("Your bid").fill("14");
  await expect(theirs.page.getByText("The least next bid is 15.")).toBeVisible();
  await expect(theirs.page.getByRole("button", { name: "Bid", exact: true })).toBeDisabled();
  await theirs.bid("15");
  await expect(mine.page.getByTestId("leading")).toContainText("15");
  await mine.pass();
  for (const board of [mine, theirs]) expect(await board.decided()).toMatch(/^Sold to .* for 15\.$/);
});

test("compare: closest to a target; a double click makes one move; a rematch is offered", async ({
  page,
  newPage,
}) => {
  const { mine, theirs } = await seated(page, await newPage(), async (form) => {
    await form.game("Compare");
    await form.choose("Who is ahead", "Closest to a target");
    await form.fill("Target", "-3");
    await form.fill("Question", "How cold will it be?");
  });
  await expect(theirs.page.getByText("How cold will it be?")).toBeVisible();
  await mine.page.getByLabel("Your value").fill("-5");
  await mine.page.getByRole("button", { name: "Seal your value" }).dblclick();
  await theirs.seal("value", "0");
  for (const board of [mine, theirs]) await board.decided();
  await expect(mine.result).toHaveAttribute("data-mood", "won");
  await expect(mine.page.getByRole("img", { name: /^2 of 6 entries used/ })).toHaveCount(2);
  await mine.page.getByRole("button", { name: "Play again" }).click();
  await expect(theirs.page.getByText(/wants to play again, on the same terms/)).toBeVisible();
  await theirs.page.getByRole("button", { name: "Play again" }).click();
  await Promise.all([mine.begun(), theirs.begun()]);
});

test("a watch link never signs; the lobby lists what is open", async ({ page, newPage }) => {
  const form = new StartPage(page);
  await form.open();
  await form.game("Compare");
  await form.tick(/^Open to anybody/);
  await form.invite();
  const stranger = await newPage();
  await stranger.goto("./#/play");
  await stranger.getByTestId("open-invite").getByRole("link", { name: "Look" }).click();
  const watcher = await newPage();
  await watcher.goto(`${stranger.url()}?watch=1`);
  await stranger.getByRole("button", { name: "Join" }).click();
  const board = new GamePage(page);
  await board.begun();
  await watcher.waitForURL(/\/play\?watch=1/);
  await expect(watcher.getByText(/^Waiting for/)).toBeVisible();
  await expect(watcher.getByLabel("Your value")).toHaveCount(0);
});

test("without a relay: the reply is carried by hand, and known wallets begin at once", async ({
  page,
  newPage,
}) => {
  test.setTimeout(150_000); // polling alone is slower, the more so on a busy machine
  const friend = await newPage();
  for (const one of [page, friend]) await one.routeWebSocket(/\/relay$/, () => undefined);
  const form = new StartPage(page);
  await form.open();
  await form.game("Compare");
  await guestOn(friend).join(await form.invite());
  const reply = await friend.getByLabel("If it does not begin, send them this reply").inputValue();
  await page.goto(reply);
  const [mine, theirs] = [new GamePage(page), new GamePage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  await expect(page.getByText("Polling", { exact: true })).toBeVisible();
  const address = await friend.locator('[data-me="true"] [title^="0x"]').first().getAttribute("title");

  await form.open();
  await form.game("Vote");
  await form.choose("With", /^Known wallets/);
  await form.fill("Addresses of the others", address ?? "");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await page.waitForURL(/\/play\?as=0x/);
  await friend.goto(page.url().replace(/\?.*/, ""));
  await mine.vote("Yes");
  await theirs.vote("Yes");
  for (const board of [mine, theirs]) expect(await board.decided()).toContain("“Yes” is elected");
});

test("three seats: a friend by the link, and the bot", async ({ page, newPage }) => {
  const form = new StartPage(page);
  await page.goto("./#/play?bot=1&game=vote");
  await form.choose("Ballot", /^Secret/);
  await form.fill("Seats", "3");
  await form.start();
  const link = await page.getByLabel("Invite link").inputValue();
  await expect(page.getByText("1 of 2", { exact: true })).toBeVisible();
  const friend = await newPage();
  await guestOn(friend).join(link);
  const boards = [new GamePage(page), new GamePage(friend)];
  for (const board of boards) await board.begun();
  for (const board of boards) await board.seal("ballot", "No");
  for (const board of boards) expect(await board.decided()).toContain("“No” is elected");
});

test("the bot plays every game", async ({ page }) => {
  const form = new StartPage(page);
  await page.goto("./#/play?bot=1&game=auction");
  await form.choose("Way of bidding", /^First price/);
  await form.start();
  const board = new GamePage(page);
  await board.begun();
  await board.seal("bid", "1000");
  expect(await board.decided()).toContain("for 1000");
});
