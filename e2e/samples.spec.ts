// The examples on the first page: each opens by one click and shows the verdict that the index promises, verified, after
// a reload too, and says what it is an example of.

import { readFileSync } from "node:fs";
import type { SampleEntry } from "../src/testing/samples.ts";
import { expect, test } from "./fixtures.ts";
import { HomePage } from "./pages/home.ts";
import { InspectorPage } from "./pages/inspector.ts";

const index = JSON.parse(readFileSync("public/samples/index.json", "utf8")) as readonly SampleEntry[];

for (const { title, file, says, expect: promised } of index)
  test(`example: ${title}`, async ({ page }) => {
    const home = new HomePage(page);
    await home.open();
    await home.example(title).click();
    const inspector = new InspectorPage(page);
    const isShown = async () => {
      await inspector.verified();
      await expect(inspector.verdict.locator(`[data-finality="${promised.finality}"]`)).toBeVisible();
      await expect(page.getByText(says)).toBeVisible();
    };
    await isShown();
    expect(page.url()).toContain(`#/sample/${file.replace(".coop.jsonl", "")}`);
    await page.reload();
    await isShown();
    await page.goBack();
    await expect(home.example(title)).toBeVisible();
  });

test("a link to an example that there is not says so", async ({ page }) => {
  await page.goto("./#/sample/no-such-example");
  await expect(page.getByText("There is no example of that name.")).toBeVisible();
});
