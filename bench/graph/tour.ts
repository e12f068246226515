// A walk through a session that is loaded: tabs, keys of the graph, the slider, filters, sharing, panning and zooming, by
// real input. For each the longest task and the longest time from an input to the frame that answers it, as the page sees them.

import type { Page } from "@playwright/test";

declare global {
  interface Window {
    benchTasks: { readonly start: number; readonly length: number }[];
    /** Input events: from when it came to the next frame, in steps of 8 ms. */
    benchAnswers: { readonly start: number; readonly length: number; readonly name: string }[];
  }
}

export interface Visit {
  readonly name: string;
  /** Milliseconds; 0 where none lasted 50. */
  readonly task: number;
  readonly answer: number;
}

/** Notes long tasks and slow answers from now on. Before the page's own scripts run. */
export async function noteInputs(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.benchTasks = [];
    window.benchAnswers = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        window.benchTasks.push({ start: startTime, length: duration });
    }).observe({ type: "longtask" });
    new PerformanceObserver((list) => {
      for (const { startTime, duration, name } of list.getEntries())
        window.benchAnswers.push({ start: startTime, length: duration, name });
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
}

const STAGE = '[role="application"]';

/** Does all of it once, each with time to come to rest, and says what each took. */
export async function tour(page: Page, rest = 500): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  const visit = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    await page.evaluate(() => {
      window.benchTasks.length = 0;
      window.benchAnswers.length = 0;
    });
    await act();
    await page.waitForTimeout(rest);
    const [tasks, answers] = await page.evaluate(async () => {
      // The observers are told a moment after a task has ended.
      await new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 50), { timeout: 10_000 }));
      return [window.benchTasks.map(({ length }) => length), window.benchAnswers.map(({ length }) => length)];
    });
    visits.push({ name, task: Math.max(0, ...tasks), answer: Math.max(0, ...answers) });
  };
  const press = (key: string) => visit(key, () => page.keyboard.press(key));
  const tabs = page.getByTestId("inspector").getByRole("tab");
  for (const tab of ["Chains", "Why", "Evidence", "Records", "Graph"])
    await visit(tab, () => tabs.filter({ hasText: tab }).first().click());

  await page.locator(STAGE).focus();
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "c", "p", "x", "Backspace"])
    await press(key);
  for (const key of ["End", "ArrowLeft", "ArrowUp", "ArrowDown", "p", "c", "x", "x", "Backspace"])
    await press(key);
  await press("Home");
  await mouse(page, visit);
  await travel(page, visit);
  await filters(page, visit);
  for (const tab of ["Chains", "Why", "Evidence", "Records", "Graph"])
    await visit(`${tab}, with an entry`, () => tabs.filter({ hasText: tab }).first().click());
  await visit("as table", () => page.getByRole("button", { name: "Show as table" }).click());
  await visit("select a row", () => page.getByRole("row").nth(4).click());
  await visit("as graph", () => page.getByRole("button", { name: "Show as graph" }).click());
  await visit("share", () => page.getByRole("button", { name: "Share", exact: true }).click());
  await visit("close it", () => page.keyboard.press("Escape"));
  return visits;
}

type Visiting = (name: string, act: () => Promise<unknown>) => Promise<void>;

async function mouse(page: Page, visit: Visiting): Promise<void> {
  const { x, y, width, height } = (await page.locator(STAGE).boundingBox())!;
  const at = { x: x + width / 2, y: y + height / 2 };
  await visit("pan", async () => {
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    for (let i = 1; i <= 40; i++) {
      await page.mouse.move(at.x - i * 10, at.y);
      await page.waitForTimeout(16);
    }
    await page.mouse.up();
  });
  const wheel = (by: number) => async () => {
    await page.mouse.move(at.x, at.y);
    await page.keyboard.down("Control");
    for (let i = 0; i < 20; i++) {
      await page.mouse.wheel(0, by);
      await page.waitForTimeout(16);
    }
    await page.keyboard.up("Control");
  };
  await visit("zoom out", wheel(60));
  await visit("zoom in", wheel(-60));
  await visit("show all", () => page.getByRole("button", { name: "Show all" }).click());
  await visit("select by tap", async () => {
    await page.locator(STAGE).focus();
    await page.keyboard.press("End");
    await page.waitForTimeout(300);
    const chosen = await shown(page);
    for (let i = 0; i < 400 && [null, chosen].includes(await shown(page)); i++)
      await page.mouse.click(x + 160 + (i % 20) * 18, y + 16 + Math.floor(i / 20) * 16);
  });
}

/** The entry that is shown, or null: a tap on nothing closes it. */
function shown(page: Page): Promise<string | null> {
  return page.evaluate(
    () => document.querySelector('[data-testid="entry-panel"]')?.getAttribute("data-entry") ?? null,
  );
}

async function travel(page: Page, visit: Visiting): Promise<void> {
  const slider = page.getByLabel("Moves shown");
  await slider.focus();
  await visit("slider, a step", () => page.keyboard.press("ArrowLeft"));
  await page.waitForTimeout(2_000);
  await visit("slider, another", () => page.keyboard.press("ArrowLeft"));
  await page.waitForTimeout(2_000);
  const { x, y, width, height } = (await slider.boundingBox())!;
  await visit("slider, dragged", async () => {
    await page.mouse.move(x + width - 6, y + height / 2);
    await page.mouse.down();
    for (let i = 1; i <= 30; i++) {
      await page.mouse.move(x + width - 6 - (i * width) / 60, y + height / 2);
      await page.waitForTimeout(30);
    }
    await page.mouse.up();
    await page.waitForTimeout(3_000);
  });
  const seenBy = page.getByLabel("seen by");
  const someone = await seenBy.locator("option").nth(1).getAttribute("value");
  await visit("seen by one", async () => {
    await seenBy.selectOption(someone);
    await page.waitForTimeout(3_000);
  });
  await visit("back to now", async () => {
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.waitForTimeout(1_000);
  });
}

async function filters(page: Page, visit: Visiting): Promise<void> {
  for (const [label, index] of [
    ["Type", 1],
    ["Wallet", 2],
    ["State", 1],
    ["Relation to the selected entry", 3],
    ["Relation to the selected entry", 1],
  ] as const) {
    const select = page.getByRole("combobox", { name: label, exact: true });
    if (!(await select.isVisible())) continue;
    await visit(`filter by ${label.split(" ")[0]!.toLowerCase()}`, () => select.selectOption({ index }));
  }
  await visit("filters cleared", () => page.getByRole("button", { name: "Clear", exact: true }).click());
}
