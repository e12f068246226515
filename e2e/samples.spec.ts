// The examples on the first page: each opens by one click and shows the verdict that the index promises, verified.

import { readFileSync } from "node:fs";
import type { SampleEntry } from "../src/testing/samples.ts";
import { expect, test } from "./fixtures.ts";
import { HomePage } from "./pages/home.ts";
import { InspectorPage } from "./pages/inspector.ts";

const index = JSON.parse(readFileSync("public/samples/index.json", "utf8")) as readonly SampleEntry[];

for (const { title, session, expect: promised } of index)
  test(`example: ${title}`, async ({ page }) => {
    const home = new HomePage(page);
    await home.open();
    await home.example(title).click();
    const inspector = new InspectorPage(page);
    await inspector.verified();
    expect(page.url()).toContain(session);
    await expect(inspector.verdict.locator(`[data-finality="${promised.finality}"]`)).toBeVisible();
  });
