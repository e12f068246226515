// The page stands: it loads from our server alone, and its first screen is accessible in both themes.

import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./fixtures.ts";

test("the first page loads, with a heading, from our own host alone", async ({ page }) => {
  const response = await page.goto("/");
  expect(response?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious on the first page, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  });
}

test("a link pasted in a chat has a title and a description that fit any page", async ({ app }) => {
  // A chat's server fetches what stands before the #: the same page for every link.
  for (const path of ["/", "/embed"]) {
    const response = await fetch(`${app.url}${path}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const html = await response.text();
    const head = html.slice(0, html.indexOf("</head>"));
    const all = (name: string) =>
      [...head.matchAll(new RegExp(`<meta\\s+(?:name|property)="${name}"\\s+content="([^"]*)"`, "g"))].map(
        ([, content]) => content ?? "",
      );
    const [title, description] = [all("og:title"), all("og:description")];
    expect(head.match(/<title>([^<]*)<\/title>/)?.[1]).toBe("Coop Explorer");
    expect(title).toEqual(["Coop Explorer: who moved, in what order, and who won"]);
    expect(description).toHaveLength(1);
    // What previews show without cutting it, and true of a session, a log and an invitation alike.
    expect(description[0]!.length).toBeLessThanOrEqual(200);
    for (const kind of ["session", "log", "invitation", "checks every signature"])
      expect(description[0]).toContain(kind);
    expect(all("description")).toHaveLength(1);
    expect([all("og:type"), all("og:site_name"), all("twitter:card")]).toEqual([
      ["website"],
      ["Coop Explorer"],
      ["summary"],
    ]);
    // A preview asks no other host for anything.
    expect(head).not.toMatch(/(href|src|content)="(https?:)?\/\//);
    expect(head).toContain('<meta name="referrer" content="no-referrer" />');
  }
});

test("the first page fits a screen of 360 pixels", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
});
