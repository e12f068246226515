// Private sessions in the browser: two play each game, a third reads with the key and not without it, and neither what the
// Hub stores nor what the relay sends shows a move.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { FakeWallet, installFakeWallet } from "./fake-wallet.ts";
import { GamePage } from "./pages/games.ts";
import { guestOn, StartPage } from "./pages/start.ts";

test.use({ store: "private" });

/** Bodies of moves that must not stand anywhere in plain text. */
const PLAIN = /"(commitment|salt|value|choice|amount)":/;

/** What the two contexts send and receive by sockets, and what they upload. */
function listen(page: Page, heard: string[]): void {
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => heard.push(payload.toString()));
    socket.on("framereceived", ({ payload }) => heard.push(payload.toString()));
  });
  page.on("request", (request) => {
    const body = request.postData();
    if (body !== null) heard.push(body);
  });
}

/** All bytes below a folder, as text: stores keep values as they are. */
function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)).toString("latin1"))
    .join("\n");
}

async function seated(page: Page, friend: Page, fill: (form: StartPage) => Promise<void>) {
  const heard: string[] = [];
  for (const one of [page, friend]) listen(one, heard);
  const form = new StartPage(page);
  await form.open();
  await fill(form);
  await form.tick(/^Private/);
  const guest = guestOn(friend);
  await guest.join(await form.invite());
  const [mine, theirs] = [new GamePage(page), new GamePage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  for (const { page: board } of [mine, theirs]) await expect(board.getByTestId("private")).toBeVisible();
  return { mine, theirs, heard };
}

/** The two links of the share dialog: without the key, and with it. */
async function links(page: Page, session: string): Promise<{ without: string; withKey: string }> {
  await page.goto(`./#/s/${session}`);
  await expect(page.locator('[data-verdict="decided"]')).toBeVisible();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = page.getByTestId("audit-link");
  const without = await link.innerText();
  await page.getByLabel(/^With the key/).check();
  const withKey = await link.innerText();
  expect(without).not.toContain("&k=");
  expect(withKey).toContain("&k=");
  return { without, withKey };
}

/** A third person reads by both links. */
async function third(context: BrowserContext, { without, withKey }: { without: string; withKey: string }) {
  const page = await context.newPage();
  await page.goto(without);
  await expect(page.locator('[data-verdict="sealed"]')).toContainText("Private: only players and holders");
  await expect(page.locator('[data-verdict="decided"]')).toHaveCount(0);
  const reader = await context.newPage();
  await reader.goto(withKey);
  await expect(reader.locator('[data-verdict="decided"]')).toBeVisible();
}

const games: readonly [
  string,
  (form: StartPage) => Promise<void>,
  (a: GamePage, b: GamePage) => Promise<void>,
][] = [
  [
    "rock, paper, scissors",
    async () => undefined,
    async (a, b) => {
      await a.page.getByRole("button", { name: "Rock" }).click();
      await b.page.getByRole("button", { name: "Paper" }).click();
    },
  ],
  [
    "a vote",
    (form) => form.game("Vote"),
    async (a, b) => {
      await a.vote("Yes");
      await b.vote("Yes");
    },
  ],
  [
    "a sealed auction",
    async (form) => {
      await form.game("Auction");
      await form.choose("Way of bidding", /^Second price/);
    },
    async (a, b) => {
      await a.seal("bid", "80");
      await b.seal("bid", "90");
    },
  ],
  [
    "compare",
    (form) => form.game("Compare"),
    async (a, b) => {
      await a.seal("value", "7");
      await b.seal("value", "8");
    },
  ],
];

for (const [name, fill, play] of games)
  test(`${name} in private: one verdict for players and key holders, no move in plain text`, async ({
    page,
    app,
    newPage,
    newContext,
  }) => {
    const { mine, theirs, heard } = await seated(page, await newPage(), fill);
    await play(mine, theirs);
    await Promise.all([mine.decided(), theirs.decided()]);
    await third(await newContext(), await links(page, mine.session()));
    expect(heard.length).toBeGreaterThan(10);
    expect(heard.filter((text) => PLAIN.test(text))).toEqual([]);
    const stored = bytesIn(app.data);
    expect(stored).toContain('"sealed":"');
    expect(stored).not.toMatch(PLAIN);
  });

test("a private game is gone on with after a reload", async ({ page, newPage }) => {
  const { mine, theirs } = await seated(page, await newPage(), (form) => form.game("Compare"));
  await mine.seal("value", "7");
  await expect(theirs.seats("sealed")).toHaveCount(1);
  await page.reload();
  await expect(page.getByTestId("private")).toBeVisible();
  await theirs.seal("value", "8");
  await Promise.all([mine.decided(), theirs.decided()]);
});

test("a board to watch: closed by its link alone, open with the key, a wrong key refused", async ({
  page,
  newPage,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const friend = await newPage();
  const { mine, theirs } = await seated(page, friend, (form) => form.game("Compare"));
  await page.getByRole("button", { name: "Copy a watch link with the key" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const key = /[?&]k=([\w-]{43})/.exec(link)?.[1] ?? "";
  await mine.seal("value", "7");
  await theirs.seal("value", "8");
  await Promise.all([mine.decided(), theirs.decided()]);
  const reader = await newPage();
  await reader.goto(link);
  await expect(reader.locator("[data-finality]")).toBeVisible();
  const board = `./#/s/${mine.session()}/play?watch=1`;
  await reader.goto("about:blank");
  await reader.goto(board);
  await expect(reader.getByText("The moves cannot be read here")).toBeVisible();
  await expect(reader.getByText("Private: only players and holders of the link")).toBeVisible();
  await expect(reader.locator("[data-finality]")).toHaveCount(0);
  const wrong = `${key.slice(0, 20)}${key[20] === "A" ? "B" : "A"}${key.slice(21)}`;
  await reader.goto("about:blank");
  await reader.goto(`./#/s/${mine.session()}?k=${wrong}`);
  await expect(reader.getByText("The key does not fit")).toBeVisible();
  await expect(reader.locator("[data-verdict]")).toHaveCount(0);
});

test("an extension reads by a key of its own, which its backup takes to another device", async ({
  page,
  newPage,
}) => {
  const friend = await newPage();
  await installFakeWallet(friend.context());
  const form = new StartPage(page);
  await form.open();
  await form.game("Compare");
  await form.tick(/^Private/);
  await friend.goto(await form.invite());
  await friend.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(friend.getByText("Private", { exact: true })).toBeVisible();
  await friend.getByRole("button", { name: "Join" }).click();
  const [mine, theirs] = [new GamePage(page), new GamePage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  const asked = await new FakeWallet(friend).asked();
  expect(asked.filter((text) => /"reading_key":"0x0[23]/.test(text))).toHaveLength(1);
  const place = friend.url();
  await friend.goto("./#/settings");
  await friend.getByRole("button", { name: "Back up salts" }).first().click();
  await friend.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await friend.getByLabel("The password again").fill("correct horse battery");
  const downloading = friend.waitForEvent("download");
  await friend.getByRole("button", { name: "Download" }).click();
  const backup = readFileSync(await (await downloading).path(), "utf8");

  const other = await newPage();
  await installFakeWallet(other.context());
  await other.goto("./#/settings");
  await other.getByRole("button", { name: /Connect Fake/ }).click();
  await expect(other.getByRole("button", { name: "Back up salts" }).first()).toBeVisible();
  await other.goto(place);
  await expect(other.getByText(/does not open with the keys of this wallet here/).first()).toBeVisible();
  await other.goto("./#/settings");
  await other
    .getByLabel("Backup file")
    .setInputFiles({ name: "backup.json", mimeType: "application/json", buffer: Buffer.from(backup) });
  await other.getByLabel("Its password").fill("correct horse battery");
  await other.getByRole("button", { name: "Open", exact: true }).click();
  await expect(other.getByText(/keys? of private sessions/)).toBeVisible();
  await other.goto("about:blank");
  await other.goto(place);
  const again = new GamePage(other);
  await again.begun();
  await again.seal("value", "8");
  await mine.seal("value", "7");
  await Promise.all([mine.decided(), again.decided()]);
});
