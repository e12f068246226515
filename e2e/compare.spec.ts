// Two files of one session side by side, with the network off: the first difference is named, and its entry linked.

import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { writeBundle } from "../src/core/bundle.ts";
import { Drawing } from "../src/testing/build.ts";
import { expect, test } from "./fixtures.ts";

const drawing = new Drawing()
  .genesis("g", "a", "a b", { body: { title: "A game in two versions" } })
  .commit("ca", "a", "rock")
  .commit("cb", "b", "paper", { sees: "ca" })
  .reveal("ra", "a", "rock", { sees: "cb" })
  .reveal("rb", "b", "paper", { sees: "ra" })
  .reveal("rb2", "b", "paper", { sees: "ra ca", after: "cb" });
const session = drawing.node("g").ref;
const whole = drawing.records("rb2");

async function choose(page: Page, side: "A" | "B", records: readonly string[]): Promise<void> {
  await page.getByLabel(`Or a bundle file for ${side}`).setInputFiles({
    name: `${side}.coop.jsonl`,
    mimeType: "application/jsonl",
    buffer: Buffer.from(writeBundle(session, records)),
  });
}

test("two files that hold the same differ in nothing", async ({ page }) => {
  await page.goto("/#/compare");
  await expect(page.getByText("Nothing to compare yet")).toBeVisible();
  await choose(page, "A", whole);
  await choose(page, "B", [...whole].reverse());
  await expect(page.getByText("No difference")).toBeVisible();
});

test("a rewritten entry is the first difference, and links to it", async ({ page }) => {
  await page.goto("/#/compare");
  await choose(page, "A", whole);
  await choose(page, "B", drawing.records("rb"));
  const differences = page.getByRole("region", { name: "Differences" });
  await expect(differences).toContainText("First difference: Other hash");
  const first = differences.locator('[data-difference="other-entry"]').first();
  await expect(first.locator(`a[data-ref="${drawing.node("rb").ref}"]`)).toBeVisible();
  await expect(first.locator(`a[data-ref="${drawing.node("rb2").ref}"]`)).toBeVisible();
  await expect(differences.locator('[data-kind="other-verdict"]')).toBeVisible();
});

test("a participant's own sight of the session lacks what came after it", async ({ page }) => {
  await page.goto("/#/compare");
  await choose(page, "A", whole);
  await choose(page, "B", whole);
  await expect(page.getByText("No difference")).toBeVisible();
  await page.getByRole("region", { name: "Side A" }).getByLabel("As seen by").selectOption({ index: 1 });
  await expect(page.getByRole("region", { name: "Differences" })).toContainText("Missing in A");
});

test("a side that cannot be read says why", async ({ page }) => {
  await page.goto("/#/compare");
  await page.getByLabel("Session of A").fill(session.slice(0, -1));
  await expect(page.getByText(/1 digit short/)).toBeVisible();
  await page.getByLabel("Session of A").fill(session);
  await page.getByRole("button", { name: "Read A", exact: true }).click();
  await expect(page).toHaveURL(/compare\?a=/);
  await expect(page.getByRole("region", { name: "Side A" })).toContainText("genesis");
});

for (const colorScheme of ["light", "dark"] as const)
  test(`it is accessible and fits a small screen, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/#/compare");
    await choose(page, "A", whole);
    await choose(page, "B", drawing.records("rb2 cb"));
    await expect(page.getByRole("region", { name: "Differences" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  });
