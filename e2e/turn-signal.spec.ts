// Being told that it is one's move while one looks elsewhere: the title, a notification that was asked for on a click,
// no sound unless it was switched on; and a page in the background opens what it has sealed by itself.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { BoardPage } from "./pages/board.ts";
import { GamePage } from "./pages/games.ts";
import { PlayPage } from "./pages/play.ts";
import { guestOn, StartPage } from "./pages/start.ts";

interface Told {
  /** How often the browser was asked for permission, and how often without a click. */
  asked: number;
  unasked: number;
  shown: string[];
  tones: number;
}

/** A browser that agrees to notifications and writes down what a page does with them. */
async function watchSignals(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const told = { asked: 0, unasked: 0, shown: [] as string[], tones: 0 };
    const clicked = () => navigator.userActivation.isActive;
    class Stub {
      static permission = "default";
      static async requestPermission() {
        told.asked++;
        if (!clicked()) told.unasked++;
        return (Stub.permission = "granted");
      }
      onclick: (() => void) | null = null;
      constructor(title: string, { body }: { body: string }) {
        told.shown.push(`${title}: ${body}`);
      }
      close() {}
    }
    class Tone {
      constructor() {
        told.tones++;
        throw new Error("no sound in a test");
      }
    }
    Object.assign(window, { Notification: Stub, AudioContext: Tone, told });
  });
}

const told = (page: Page): Promise<Told> => page.evaluate(() => (window as unknown as { told: Told }).told);

/** What a page sees when another tab is in front of it. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((now) => {
    Object.defineProperty(document, "hidden", { value: now, configurable: true });
    Object.defineProperty(document, "visibilityState", {
      value: now ? "hidden" : "visible",
      configurable: true,
    });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

test("one’s move is in the title, and in a requested notification in the background only", async ({
  page,
  context,
  newPage,
}) => {
  await watchSignals(context);
  await page.goto("./#/play");
  const play = new PlayPage(page);
  await play.bestOf(3);
  const link = await play.invite();
  const friend = await newPage();
  await guestOn(friend).join(link);
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  await expect(page).toHaveTitle(/^Your move · /);
  expect(await told(page)).toMatchObject({ asked: 0, shown: [] });

  await page.getByRole("button", { name: "Notify me of my move" }).click();
  await expect(page.getByRole("button", { name: "Notify me of my move" })).toHaveCount(0);
  await mine.choose("Rock");
  await expect(page).not.toHaveTitle(/Your move/);
  await setHidden(page, true);
  await theirs.choose("Paper");
  await expect
    .poll(async () => (await told(page)).shown)
    .toEqual(["Rock, paper, scissors: It is your move."]);
  await expect(page).toHaveTitle(/^Your move · /);

  // In front again: the board says it, and nothing else does.
  await setHidden(page, false);
  await mine.choose("Rock");
  const quiet = { asked: 1, unasked: 0, shown: ["Rock, paper, scissors: It is your move."], tones: 0 };
  expect(await told(page)).toEqual(quiet);

  // It goes on while one looks at another place of the app, with a tone once that was switched on.
  await expect(mine.round(2)).toContainText("Sealed");
  await page.evaluate(() => (location.hash = "#/settings"));
  await page.getByLabel(/^Sound/).check();
  await theirs.choose("Rock");
  await expect.poll(() => told(page)).toEqual({ ...quiet, tones: 1 });
  await page.goBack();
  await expect(page.getByText("Round 3: your choice")).toBeVisible();
  await mine.choose("Rock");
  await theirs.choose("Rock");
  await mine.decided();
  await expect(page).not.toHaveTitle(/Your move/);
  expect(await told(page)).toEqual({ ...quiet, tones: 1 });
});

test("a page in the background opens what it has sealed, and tells nothing of it", async ({
  page,
  context,
  newPage,
}) => {
  await watchSignals(context);
  const form = new StartPage(page);
  await form.open();
  await form.game("Compare");
  const link = await form.invite();
  const friend = await newPage();
  await guestOn(friend).join(link);
  const [mine, theirs] = [new GamePage(page), new GamePage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  await page.getByRole("button", { name: "Notify me of my move" }).click();
  await mine.seal("value", "12");
  await expect(mine.seats("sealed")).toHaveCount(1);
  await setHidden(page, true);
  await theirs.seal("value", "7");
  expect(await theirs.decided()).toMatch(/ahead|highest/);
  await expect(theirs.page.getByRole("cell", { name: "12" })).toBeVisible();
  expect((await told(page)).shown).toEqual([]);
});
