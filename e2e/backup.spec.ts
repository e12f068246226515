// Keys in the settings: made, backed up under a password, removed after their name was typed, brought back; and what is
// said when the browser has cleared them.

import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.ts";

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
  await page.goto("./config.json");
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase("coop-vault");
        request.onsuccess = () => resolve();
        request.onerror = () => reject(new Error("not deleted"));
      }),
  );
  await page.goto("./#/settings");
  await expect(page.getByText("A key is gone")).toBeVisible();
  await page.getByRole("button", { name: "New throw-away key" }).click();
  await expect(page.getByRole("button", { name: "Remove Birch" })).toBeVisible();
  await page.goto("./#/play");
  await expect(page.getByText("A key is gone")).toBeVisible();
  await page.getByRole("button", { name: "Forget it" }).click();
  await expect(page.getByText("A key is gone")).toHaveCount(0);
});
