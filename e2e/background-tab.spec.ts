// A tab in the background, its timers really throttled: Playwright switches throttling off, so a plain Chromium is driven
// here. A game that is left for another tab goes on, and is decided without being looked at.

import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { chromium } from "@playwright/test";
import { findBrowser, launchArgs } from "./browser.ts";
import { expect, test } from "./fixtures.ts";

/** Flags by which a driver keeps tabs awake. */
const AWAKE = [
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
];

async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser() ?? chromium.executablePath();
  return puppeteer.launch({ executablePath, headless: true, args: launchArgs(), ignoreDefaultArgs: AWAKE });
}

async function press(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
  await button!.click();
}

/** Longest wait for a timer of 10 ms in so many ms. */
function slowestTimer(page: Page, ms: number): Promise<number> {
  return page.evaluate(async (lasting) => {
    let longest = 0;
    for (const end = performance.now() + lasting; performance.now() < end;) {
      const before = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 10));
      longest = Math.max(longest, performance.now() - before);
    }
    return longest;
  }, ms);
}

test("a game in a background tab with throttled timers is played to its verdict", async ({ app }) => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${app.url}/#/play?bot=1`);
    await press(page, "Play");
    await page.waitForFunction(() => location.hash.includes("/play?as=0x"));
    await press(page, "Rock");
    const front = await browser.newPage();
    await front.goto(`${app.url}/`);
    await front.bringToFront();
    expect(await page.evaluate(() => document.visibilityState)).toBe("hidden");
    expect(await slowestTimer(page, 3_000)).toBeGreaterThan(500);
    await page.waitForFunction(
      () => document.querySelector("[data-finality]")?.getAttribute("data-finality") === "final",
      { timeout: 30_000, polling: 250 },
    );
    expect(await page.evaluate(() => document.visibilityState)).toBe("hidden");
  } finally {
    await browser.close();
  }
});
