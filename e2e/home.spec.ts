// The first page: search by keyboard, near misses, examples, a bundle with the network off, both themes at 360 px.

import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./fixtures.ts";
import { HomePage } from "./pages/home.ts";
import { InspectorPage } from "./pages/inspector.ts";

interface Sample {
  readonly file: string;
  readonly title: string;
  readonly session: string;
}

const samples = JSON.parse(readFileSync("public/samples/index.json", "utf8")) as Sample[];
const [sample] = samples as [Sample];

test("search by keyboard: / focuses it, it says what it found, Esc leaves, ? lists the keys", async ({
  page,
}) => {
  const home = new HomePage(page);
  await home.open();
  await page.keyboard.press("/");
  await expect(home.search).toBeFocused();
  await home.search.fill(sample.session);
  await expect(home.says()).toContainText("Entry");
  await page.keyboard.press("Escape");
  await expect(home.search).not.toBeFocused();
  await expect(home.search).toHaveValue("");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(home.search).toBeFocused();
});

test("a near miss is refused with the reason and opens nothing", async ({ page }) => {
  const home = new HomePage(page);
  await home.open();
  const before = page.url();
  for (const text of [
    sample.session.slice(0, -1),
    `${sample.session}.`,
    sample.session.replace(/:0x/, ":0x[…]"),
  ]) {
    await home.enter(text);
    await expect(home.says()).toHaveAttribute("data-recognised", "refused");
    expect(page.url()).toBe(before);
  }
});

test("an example opens in one click and is verified with the network off", async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  const home = new HomePage(page);
  await home.open();
  await home.example(sample.title).click();
  await new InspectorPage(page).verified();
  await context.setOffline(true);
  await page.goto("./#/");
  // The page itself is there: only what is behind the # has changed.
  await page.getByLabel("Bundle file", { exact: true }).setInputFiles(`public/samples/${samples[1]!.file}`);
  await new InspectorPage(page).verified();
  expect(page.url()).toContain(samples[1]!.session);
});

test("a bundle that is pasted keeps its line breaks", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const home = new HomePage(page);
  await home.open();
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    readFileSync(`public/samples/${sample.file}`, "utf8"),
  );
  await home.search.focus();
  await page.keyboard.press("Control+v");
  await new InspectorPage(page).verified();
});

for (const colorScheme of ["light", "dark"] as const)
  test(`pages of the shell in ${colorScheme}: nothing serious for axe, no sideways scrolling at 360 px`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 360, height: 760 });
    for (const [route, heading] of [
      ["#/", "Play, and check"],
      ["#/play", "Rock, paper, scissors"],
      ["#/settings", "Settings"],
    ] as const) {
      await page.goto(`./${route}`);
      await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
      await page.waitForLoadState("networkidle");
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => `${route} ${id}: ${nodes[0]?.html}`)).toEqual([]);
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways).toBe(0);
    }
  });
