// A game with a wallet extension: connected, asked in words that can be read, declined, switched under the board, never
// asked twice for one thing, and found again after a reload.

import { expect, test } from "./fixtures.ts";
import { FakeWallet, installFakeWallet } from "./fake-wallet.ts";
import { BoardPage } from "./pages/board.ts";
import { PlayPage } from "./pages/play.ts";

const isSignIn = (text: string) => text.includes("wants you to sign in");
const isEntry = (text: string) => text.startsWith("Cooperation Protocol entry v1\n\n");

test.beforeEach(async ({ context }) => installFakeWallet(context));

test("a game against the bot: declined once, switched once, finished, one sign-in to the Hub", async ({
  page,
}) => {
  const wallet = new FakeWallet(page);
  const board = new BoardPage(page);
  await page.goto("./#/play?bot=1");

  // Names of strangers are text, their marks visible; icons that are no images are not asked for.
  await expect(page.getByRole("button", { name: /Connect .*<b>Other<\/b>/ })).toBeVisible();
  const connect = page.getByRole("button", { name: /Connect Fake/ });
  await expect(connect.locator("[data-mark]")).toBeVisible();

  await wallet.next("declines");
  await connect.click();
  await expect(page.getByText("You declined to connect.")).toBeVisible();
  await connect.click();
  const [address] = (await wallet.accounts()) as [string];
  await expect(page.getByText(/will ask you to sign plain text/)).toBeVisible();

  await wallet.next("honest", "honest");
  await new PlayPage(page).start();
  await board.begun();
  expect(board.page.url()).toContain(`as=${address}`);
  const before = await wallet.asked();
  expect(before.filter(isSignIn)).toHaveLength(1);
  expect(before.every((text) => isSignIn(text) || isEntry(text))).toBe(true);

  // Declined: calm, nothing on its way, and the choice can be made again.
  await wallet.next("declines");
  await board.choose("Rock");
  await expect(page.getByText("You declined in the wallet. Nothing was signed.").first()).toBeVisible();
  await expect(board.choice("Rock")).toBeEnabled();

  // Already open in the wallet.
  await wallet.next("request-open");
  await board.choose("Rock");
  await expect(page.getByText(/A request is already open in your wallet/).first()).toBeVisible();
  await expect(board.choice("Rock")).toBeEnabled();

  // Another account: nothing is asked of it.
  const asked = (await wallet.asked()).length;
  await wallet.switchTo(1);
  await board.choose("Rock");
  await expect(page.getByText(/The wallet stands on another account/).first()).toBeVisible();
  expect(await wallet.asked()).toHaveLength(asked);
  await wallet.switchTo(0);

  // In mid-flow: what is asked is shown word for word; the switch is said; the right signature counts.
  await wallet.next("hangs");
  await board.choose("Rock");
  await expect(page.getByText("Your wallet asks you to sign this entry")).toBeVisible();
  await page.getByText("What is signed, word for word").click();
  await expect(page.locator("pre")).toContainText("Cooperation Protocol entry v1");
  await expect(page.locator("pre")).toContainText('"type":"commit"');
  await wallet.switchTo(1);
  await expect(page.getByText("The wallet stands on another account", { exact: true })).toBeVisible();
  await wallet.switchTo(0);
  await wallet.answer();

  await board.decided();
  const all = await wallet.asked();
  expect(all.filter(isSignIn)).toHaveLength(1);
});

test("a reload in between: the account is found again, nobody signs in anew", async ({ page }) => {
  const wallet = new FakeWallet(page);
  const board = new BoardPage(page);
  await page.goto("./#/play?bot=1");
  await page.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(page.getByText(/will ask you to sign plain text/)).toBeVisible();
  await new PlayPage(page).start();
  await board.begun();
  await page.reload();
  await board.begun();
  await board.choose("Paper");
  await board.decided();
  expect((await wallet.asked()).filter(isSignIn)).toEqual([]);
});

test("a wallet that never answers is given up, and goes on with the same entry", async ({ page }) => {
  const wallet = new FakeWallet(page);
  const board = new BoardPage(page);
  await page.goto("./#/play?bot=1");
  await wallet.next("hangs");
  await page.getByRole("button", { name: /Connect Fake/ }).click();
  await page.getByRole("button", { name: "Stop waiting" }).click();
  await expect(page.getByText(/The wallet has not answered/)).toBeVisible();
  await page.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(page.getByText(/will ask you to sign plain text/)).toBeVisible();
  await new PlayPage(page).start();
  await board.begun();
  await wallet.next("hangs");
  await board.choose("Scissors");
  await page.getByRole("button", { name: "Stop waiting" }).click();
  await expect(page.getByText(/The wallet has not answered/).first()).toBeVisible();
  await page.getByRole("button", { name: "Try again now" }).click();
  await wallet.answer();
  await board.decided();
  const commits = (await wallet.asked()).filter((text) => text.includes('"type":"commit"'));
  expect(commits).toHaveLength(1);
});

test("a seat of an account that is not connected, and of one that the wallet does not have", async ({
  page,
  newPage,
}) => {
  const board = new BoardPage(page);
  await page.goto("./#/play?bot=1");
  await page.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(page.getByText(/will ask you to sign plain text/)).toBeVisible();
  await new PlayPage(page).start();
  await board.begun();
  const url = page.url();

  const elsewhere = await newPage();
  await installFakeWallet(elsewhere.context());
  await elsewhere.goto(url);
  await expect(elsewhere.getByText("This seat cannot be taken here")).toBeVisible();
  const wallet = new FakeWallet(elsewhere);
  await wallet.switchTo(1);
  await elsewhere.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(elsewhere.getByText(/which does not sit here/)).toBeVisible();
  await wallet.switchTo(0);
  await elsewhere.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(new BoardPage(elsewhere).choice("Rock")).toBeVisible();
});

test("a link to the board without a seat: the connected account’s is taken, unasked", async ({ page }) => {
  const board = new BoardPage(page);
  const wallet = new FakeWallet(page);
  await page.goto("./#/play?bot=1");
  await page.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(page.getByText(/will ask you to sign plain text/)).toBeVisible();
  const [address] = (await wallet.accounts()) as [string];
  await new PlayPage(page).start();
  await board.begun();
  const session = board.session();
  await page.goto("about:blank");
  await page.goto(`./#/s/${session}/play`);
  await board.begun();
  expect(page.url()).toContain(`as=${address}`);
  await board.choose("Rock");
  await board.decided();
});
