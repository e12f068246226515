// What a stranger sees of a session: the result, one light, the picture and the story on the first screen; then the proof
// in three steps, and what catches a cheat.

import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./fixtures.ts";
import { InspectorPage } from "./pages/inspector.ts";

async function openSample(inspector: InspectorPage, name: string): Promise<void> {
  await inspector.page.goto("/");
  await inspector.bring(`${name}.coop.jsonl`, readFileSync(`public/samples/${name}.coop.jsonl`, "utf8"));
  await inspector.verified();
  await expect(inspector.page.getByTestId("story").locator("[data-line=result]")).toBeVisible();
}

for (const [width, height, header] of [
  [1280, 800, 150],
  [360, 740, 260],
] as const)
  test(`the graph begins on the first screen, at ${width} by ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const inspector = new InspectorPage(page);
    await openSample(inspector, "early-reveal");
    expect((await inspector.verdict.boundingBox())!.height).toBeLessThanOrEqual(header);
    expect((await inspector.graph.boundingBox())!.y).toBeLessThan(height * 0.7);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

for (const [name, light, words] of [
  ["rps-best-of-three", "green", "Checked: every signature, link and rule, in this browser"],
  ["withheld-entry", "amber", "is withheld; the result could change"],
  ["tampered-byte", "red", "1 record is not what"],
] as const)
  test(`one light says how far ${name} can be trusted: ${light}`, async ({ page }) => {
    const inspector = new InspectorPage(page);
    await openSample(inspector, name);
    await expect(inspector.verdict.locator("[data-light]")).toHaveAttribute("data-light", light);
    await expect(inspector.verdict.locator("[data-level]")).toContainText(words);
  });

test("the story tells what counted; a sentence selects its entry, and the cut shortens it", async ({
  page,
}) => {
  const inspector = new InspectorPage(page);
  await openSample(inspector, "early-reveal");
  const story = page.getByTestId("story");
  const ignored = story.getByRole("button", { name: /Ignored: it was too early/ });
  await ignored.click();
  await expect(inspector.panel).toContainText("reveal");
  await expect(ignored).toHaveAttribute("aria-current", "true");
  await inspector.panel.focus();
  await page.keyboard.press("Escape");
  await expect(inspector.panel).toHaveCount(0);
  await page.getByRole("slider", { name: "Moves shown" }).focus();
  await page.keyboard.press("Home");
  await expect(story.locator("[data-line=move]")).toHaveCount(0);
  await page.getByRole("button", { name: "Replay" }).click();
  await expect(story.locator("[data-line=move]")).toHaveCount(5);
  await expect(inspector.sentence()).toContainText("rock beats scissors");
});

test("three proof steps are computed, and each way to cheat is caught or changes nothing", async ({
  page,
}) => {
  const inspector = new InspectorPage(page);
  await openSample(inspector, "rps-best-of-three");
  await page.getByRole("button", { name: "Check that nobody cheated" }).click();
  await expect(page.locator('[data-step][data-state="passed"]')).toHaveCount(3);
  const cheat = page.getByTestId("cheat");
  await cheat.getByRole("button", { name: "Change a byte" }).click();
  await expect(cheat.locator('[data-check="signer"][data-state="failed"]')).toBeVisible();
  await cheat.getByRole("button", { name: "Drop it" }).click();
  await expect(cheat.locator("[data-caught]")).toContainText("The entry was dropped. Caught by");
  await cheat.getByRole("button", { name: "Swap it" }).click();
  await expect(cheat.locator('[data-check="signer"]')).toHaveCount(2);
  await cheat.getByRole("button", { name: "Reorder all" }).click();
  await expect(cheat.locator('[data-caught="0"]')).toContainText("does not matter");
  const { violations } = await new AxeBuilder({ page }).include("dialog").analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
});
