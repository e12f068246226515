// Keys in the settings: made, backed up under a password, removed after their name was typed, brought back; and what is
// said when the browser has cleared them.

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { GamePage } from "./pages/games.ts";
import { guestOn, StartPage } from "./pages/start.ts";

/** The browser clears a database of the app's, while no page of it is open. */
async function clear(page: Page, database: string): Promise<void> {
  await page.goto("./config.json");
  await page.evaluate(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = () => resolve();
        request.onerror = () => reject(new Error("not deleted"));
      }),
    database,
  );
}

const PASSWORD = "correct horse battery";

test("a key is backed up, removed with care, and brought back with its name", async ({ page }) => {
  await page.goto("./#/settings");
  await page.getByRole("button", { name: "New throw-away key" }).click();
  const key = page.getByRole("listitem").filter({ hasText: "Amber" });
  await expect(key).toBeVisible();

  await key.getByRole("button", { name: "Back up" }).click();
  await page.getByLabel("Password", { exact: true }).fill("short");
  await expect(page.getByText("At least 8 characters.", { exact: true })).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("The password again").fill(`${PASSWORD}.`);
  await expect(page.getByText("The two are not the same.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Download" })).toBeDisabled();
  await page.getByLabel("The password again").fill(PASSWORD);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^coop-key-amber-[0-9a-f]{6}\.json$/);
  const text = readFileSync(await download.path(), "utf8");
  expect(JSON.parse(text)).toMatchObject({ version: 3, crypto: { kdf: "scrypt", cipher: "aes-128-ctr" } });

  await key.getByRole("button", { name: "Remove Amber" }).click();
  await expect(page.getByRole("button", { name: "Remove it" })).toBeDisabled();
  await page.getByLabel("Its name, to be sure").fill("Amber");
  await page.getByRole("button", { name: "Remove it" }).click();
  await expect(key).toHaveCount(0);

  await page
    .getByLabel("Backup file")
    .setInputFiles({ name: "backup.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await page.getByLabel("Its password").fill("another one");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.getByText(/the password does not open this file/)).toBeVisible();
  await page.getByLabel("Its password").fill(PASSWORD);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.getByText("The key is here")).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(key).toBeVisible();
});

test("a browser that has cleared its keys: said, and no new key under the old name", async ({
  page,
  problems,
}) => {
  await page.goto("./#/settings");
  await page.getByRole("button", { name: "New throw-away key" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Amber" })).toBeVisible();
  // A page of the same origin without the app: nothing holds the database open.
  problems.expect(/favicon\.ico/);
  await clear(page, "coop-vault");
  await page.goto("./#/settings");
  await expect(page.getByText("A key is gone")).toBeVisible();
  await page.getByRole("button", { name: "New throw-away key" }).click();
  await expect(page.getByRole("button", { name: "Remove Birch" })).toBeVisible();
  await page.goto("./#/play");
  await expect(page.getByText("A key is gone")).toBeVisible();
  await page.getByRole("button", { name: "Forget it" }).click();
  await expect(page.getByText("A key is gone")).toHaveCount(0);
});

test("after the salts are cleared, the value typed again makes the salt again", async ({
  page,
  newPage,
  problems,
}) => {
  problems.expect(/favicon\.ico/);
  const form = new StartPage(page);
  await form.open();
  await form.game("Auction");
  const link = await form.invite();
  const friend = await newPage();
  await guestOn(friend).join(link);
  const [mine, theirs] = [new GamePage(page), new GamePage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  const board = page.url();
  await mine.seal("bid", "9007199254740993");
  await expect(page.getByText("Read back")).toHaveAttribute("aria-current", "step");
  await clear(page, "coop-peer");
  await theirs.seal("bid", "12");

  await page.goto(board);
  await expect(page.getByText("What you sealed can no longer be opened here")).toBeVisible();
  const value = page.getByLabel("What you sealed");
  await value.fill("007");
  await expect(page.getByRole("button", { name: "Find its salt again" })).toBeDisabled();
  await value.fill("9007199254740992");
  await page.getByRole("button", { name: "Find its salt again" }).click();
  await expect(page.getByText("No: that is not what you sealed with this key.")).toBeVisible();
  await value.fill("9007199254740993");
  await page.getByRole("button", { name: "Find its salt again" }).click();
  for (const each of [mine, theirs]) expect(await each.decided()).toContain("for 9007199254740993");
  await expect(page.getByText("What you sealed can no longer be opened here")).toHaveCount(0);
});

test("what the browser promises about keeping is said as it is, also after it was asked", async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    let promised = false;
    const storage = { persisted: async () => promised, persist: async () => promised };
    Object.assign(window, { agree: () => (promised = true) });
    Object.defineProperty(navigator, "storage", { value: storage });
  });
  await page.goto("./#/settings");
  const keeping = page.locator("[data-keeping]");
  await expect(keeping).toHaveAttribute("data-keeping", "not-promised");
  await page.getByRole("button", { name: "Ask it to keep it" }).click();
  await expect(keeping).toContainText("It refused just now.");
  await page.evaluate(() => (window as unknown as { agree: () => void }).agree());
  await page.getByRole("button", { name: "Ask it to keep it" }).click();
  await expect(keeping).toHaveAttribute("data-keeping", "promised");
  await expect(keeping).toContainText("promised not to clear");
});
