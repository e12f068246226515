// This browser's storage and several tabs: settings, keys and recent sessions agree, and a tab that blocks the storage
// is reported, while the others stay usable and go on by themselves.

import { readFileSync } from "node:fs";
import type { SampleEntry } from "../src/testing/samples.ts";
import { expect, test } from "./fixtures.ts";
import { HomePage } from "./pages/home.ts";
import { BoardPage } from "./pages/board.ts";
import { InspectorPage } from "./pages/inspector.ts";
import { PlayPage } from "./pages/play.ts";

const SAMPLE = (JSON.parse(readFileSync("public/samples/index.json", "utf8")) as readonly SampleEntry[])[0]!;

/** A picture opened as a page has no icon of its own, which Chromium asks for. */
const NO_ICON = /404.*favicon\.ico/;

test("two tabs agree on settings, keys and recent sessions", async ({ page, context }) => {
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto("./#/settings");
  await page.getByRole("radio", { name: "Dark" }).click({ force: true });
  await expect(other.locator("html")).toHaveAttribute("data-theme", "dark");
  await other.getByRole("checkbox", { name: /Single-key shortcuts/ }).uncheck();
  await page.getByRole("button", { name: "New throw-away key" }).click();
  for (const tab of [page, other]) await expect(tab.getByRole("button", { name: /^Remove / })).toHaveCount(1);
  await other.getByRole("button", { name: "New throw-away key" }).click();
  for (const tab of [page, other]) await expect(tab.getByRole("button", { name: /^Remove / })).toHaveCount(2);
  const third = await context.newPage();
  await third.goto("./#/settings");
  await expect(third.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(third.getByRole("checkbox", { name: /Single-key shortcuts/ })).not.toBeChecked();
});

test("storage held up by another tab is reported; this tab goes on by itself", async ({
  page,
  context,
  problems,
}) => {
  problems.expect(NO_ICON);
  await page.goto("./#/settings");
  await page.getByRole("button", { name: "New throw-away key" }).click();
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(1);
  // A tab of an older version: it holds a connection and does not close it for others.
  const older = await context.newPage();
  await older.goto("./icon.svg");
  await older.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open("coop-vault");
        request.onsuccess = () => resolve();
      }),
  );
  const clearing = await context.newPage();
  await clearing.goto("./icon.svg");
  await clearing.evaluate(
    () =>
      new Promise<void>((resolve) => {
        indexedDB.deleteDatabase("coop-vault").onblocked = () => resolve();
      }),
  );
  await page.reload();
  await expect(page.getByText("The keys can’t be read now")).toBeVisible();
  await expect(page.getByText(/storage does not answer/)).toBeVisible();
  await page.getByRole("radio", { name: "Dark" }).click({ force: true });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await older.close();
  await expect(page.getByText("The keys can’t be read now")).toBeHidden();
  await page.getByRole("button", { name: "New throw-away key" }).click();
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(1);
});

test("an upgrade in another tab is not held up, and this tab says to load it again", async ({
  page,
  context,
  problems,
}) => {
  problems.expect(NO_ICON);
  await page.goto("./#/settings");
  await page.getByRole("button", { name: "New throw-away key" }).click();
  await expect(page.getByRole("button", { name: /^Remove / })).toHaveCount(1);
  const newer = await context.newPage();
  await newer.goto("./icon.svg");
  const opened = await newer.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const request = indexedDB.open("coop-vault", 2);
        request.onblocked = () => resolve("blocked");
        request.onsuccess = () => resolve("open");
      }),
  );
  expect(opened).toBe("open");
  await page.getByRole("button", { name: "New throw-away key" }).click();
  await expect(page.getByText(/newer version of this page: load this one again/).first()).toBeVisible();
});

test("a session opened in one tab is among the recent sessions of the other", async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto("./");
  const home = new HomePage(page);
  await home.open();
  await home.example(SAMPLE.title).click();
  await new InspectorPage(page).verified();
  await expect(other.getByRole("heading", { name: "Recent" })).toBeVisible();
});

test("the salt of a sealed move lies encrypted, as keys do, and still opens the move", async ({ page }) => {
  await page.goto("./#/play?bot=1");
  await new PlayPage(page).start();
  const board = new BoardPage(page);
  await board.begun();
  await board.choose("Rock");
  await board.decided();
  const texts = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const request = indexedDB.open("coop-peer");
        request.onsuccess = () => {
          const all = request.result
            .transaction("texts")
            .objectStore("texts")
            .getAll(IDBKeyRange.bound("salt/", "salt/\uffff")) as IDBRequest<string[]>;
          all.onsuccess = () => resolve(all.result);
        };
      }),
  );
  expect(texts).toHaveLength(1);
  expect(texts[0]).toMatch(/^sealed:[\w-]+$/);
});
