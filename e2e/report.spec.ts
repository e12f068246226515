// A report is one file: opened from disk, with no network and no server, it verifies what it carries.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { expectInert } from "./inert.ts";
import { writeBundle } from "../src/core/bundle.ts";
import { Drawing } from "../src/testing/build.ts";
import { hostileRecords, hostileSession } from "../src/testing/hostile.ts";
import { buildReport, REPORT_EXTENSION, TEMPLATE_FILE } from "../src/audit/build-report.ts";

const HOSTILE = '</script><img src=x onerror="window.hit=1"><script>window.hit=1</script> \u202e';
const drawing = new Drawing()
  .genesis("g", "a", "a b", { body: { title: HOSTILE } })
  .commit("ca", "a", "rock")
  .commit("cb", "b", "paper", { sees: "ca" })
  .reveal("ra", "a", "rock", { sees: "cb" })
  .reveal("rb", "b", "paper", { sees: "ra" });
const session = drawing.node("g").ref;

let folder = "";
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coop-report-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a file from disk with the network cut; whatever asks for anything else is noted. */
async function openFromDisk(page: Page, html: string): Promise<string[]> {
  const file = pathToFileURL(join(folder, `report${REPORT_EXTENSION}`)).href;
  writeFileSync(new URL(file), html);
  const wrong: string[] = [];
  await page.context().setOffline(true);
  page.on("request", (request) => {
    if (request.url() !== file) wrong.push(`request: ${request.url()}`);
  });
  page.on("pageerror", (error) => wrong.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(`console: ${message.text()}`);
  });
  await page.goto(file);
  return wrong;
}

function reportOf(records: readonly string[]): string {
  const template = readFileSync(join("dist", "app", TEMPLATE_FILE), "utf8");
  return buildReport(template, { bundle: writeBundle(session, records) }, `Report: ${HOSTILE}`);
}

test("opened from disk, with the network blocked, it verifies itself", async ({ page }) => {
  const wrong = await openFromDisk(page, reportOf(drawing.records()));
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toHaveAttribute("data-tone", "pass");
  await expect(verdict).toHaveAttribute("data-level", "verified");
  await expect(verdict).toContainText("wins");
  await expect(verdict).toContainText("0 failed");
  await expect(page.locator("tr[data-entry]")).toHaveCount(5);
  expect(await page.title()).toContain("</script>");
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
  expect(wrong).toEqual([]);
});

for (const seed of [1, 2, 20_261])
  test(`of a session whose every text is an attack, seed ${seed}: nothing runs, turns or breaks out`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    page.on("dialog", () => {
      throw new Error("a stranger's text opened a dialog");
    });
    const hostile = hostileSession(seed, "a", "b");
    const records = [...hostile.records(), ...hostileRecords(hostile)];
    const template = readFileSync(join("dist", "app", TEMPLATE_FILE), "utf8");
    const title = (JSON.parse(hostile.wire("g")) as { body: { title: string } }).body.title;
    const bundle = writeBundle(hostile.node("g").ref, records);
    const html = buildReport(template, { bundle }, `Report: ${title}`);
    const wrong = await openFromDisk(page, html);
    const verdict = page.getByRole("region", { name: "Verdict" });
    await expect(verdict).toHaveAttribute("data-level", "verified");
    await expect(page.locator("tr[data-entry]")).toHaveCount(hostile.nodes.size);
    await expect(page.locator("[data-rejected]")).toHaveCount(hostileRecords(hostile).length);
    await expectInert(page, "as it opens", true);
    const folded = page.locator("details:not([open]) > summary");
    for (let left = await folded.count(); left > 0; left--) await folded.first().click();
    await expect(page.locator("main [data-mark]").first()).toBeVisible();
    await expectInert(page, "with everything opened", true);
    // One script runs here, the verifier's; all the rest of the file is data.
    expect(await page.locator("script:not([type='application/json'])").count()).toBe(1);
    expect(wrong).toEqual([]);
  });

test("one flipped byte in the file's bundle: the check that fails is named", async ({ page }) => {
  const whole = reportOf(drawing.records());
  const damaged = whole.replace(String.raw`\"value\":\"rock\"`, String.raw`\"value\":\"ruck\"`);
  expect(damaged).not.toBe(whole);
  await openFromDisk(page, damaged);
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toHaveAttribute("data-level", "verified");
  await expect(verdict).not.toHaveAttribute("data-tone", "pass");
  await expect(page.locator("[data-rejected]")).toHaveCount(1);
  await expect(page.locator("[data-rejected]")).toContainText("signer: failed");
});

test("a bundle that was cut in the middle is said to be damaged", async ({ page }) => {
  const whole = reportOf(drawing.records());
  const start = whole.indexOf("coop-report/1");
  await openFromDisk(page, whole.slice(0, start - 40) + whole.slice(start));
  await expect(page.getByRole("alert")).toContainText("cannot be verified");
});

for (const colorScheme of ["light", "dark"] as const)
  test(`it is accessible and fits a small screen, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await openFromDisk(page, reportOf(drawing.records().map((wire) => wire.replace('"rock"', '"ruck"'))));
    await expect(page.getByRole("region", { name: "Verdict" })).toHaveAttribute("data-level", "verified");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  });
