// An auditor's way: open a session from the Hub, read a verdict that this browser has verified, look at an entry, pass
// the link on; see what a flipped byte does, and a bundle with the network off.

import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import type { Locator } from "@playwright/test";
import { writeBundle } from "../src/core/bundle.ts";
import { utf8 } from "../src/core/bytes.ts";
import { systemHubEnvironment } from "../src/hub/hub-environment.ts";
import { HttpHub } from "../src/hub/hub.http.ts";
import { appendKey } from "../src/hub/log-keys.ts";
import { Drawing, walletOf, type Name } from "../src/testing/build.ts";
import { expect, test } from "./fixtures.ts";
import { InspectorPage } from "./pages/inspector.ts";

/** a opens with rock, b with paper; each after it has seen what came before. */
function game(): Drawing {
  return new Drawing()
    .genesis("g", "a", "a b", { body: { title: "A game to audit" } })
    .commit("ca", "a", "rock")
    .commit("cb", "b", "paper", { sees: "ca" })
    .reveal("ra", "a", "rock", { sees: "cb" })
    .reveal("rb", "b", "paper", { sees: "ra" });
}

const drawing = game();
const session = drawing.node("g").ref;

async function publish(url: string): Promise<void> {
  const hub = new HttpHub(url, systemHubEnvironment());
  for (const node of drawing.nodes.values()) {
    const author: Name = node.wallet === walletOf("a").address ? "a" : "b";
    await hub.put(walletOf(author), appendKey(node.seq), utf8(node.wire));
  }
}

test.beforeAll(async ({ app }) => publish(app.url));

test("a session opened from the Hub: verdict verified, and every check of an entry named", async ({
  page,
}) => {
  await page.goto(`/#/s/${session}`);
  const inspector = new InspectorPage(page);
  await inspector.verified();
  await expect(inspector.sentence()).toContainText("wins");
  await expect(inspector.verdict.locator('[data-finality="final"]')).toBeVisible();
  await expect(inspector.verdict.locator('[data-count="passed"]')).toContainText("5");

  await inspector.graph.focus();
  await page.keyboard.press("End");
  await expect(inspector.panel).toHaveAttribute("data-entry", drawing.node("rb").ref);
  for (const name of [
    "size",
    "JSON",
    "shape",
    "canonical",
    "signature",
    "signer",
    "chain",
    "refs",
    "session",
    "in time",
  ])
    await expect(inspector.check(name)).toHaveAttribute("data-state", "passed");
  await expect(inspector.panel.getByTestId("body")).toContainText("paper");
  expect(page.url()).toContain("entry=");

  await page.keyboard.press("p");
  await expect(inspector.panel).toHaveAttribute("data-entry", drawing.node("ra").ref);
  await page.keyboard.press("Backspace");
  await expect(inspector.panel).toHaveAttribute("data-entry", drawing.node("rb").ref);

  await inspector.tab("Why");
  await expect(page.getByTestId("why")).toContainText("counted");
});

test("the audit link, opened by another person, reaches the same verdict from scratch", async ({
  page,
  newPage,
}) => {
  await page.goto(`/#/s/${session}`);
  const inspector = new InspectorPage(page);
  await inspector.verified();
  await inspector.graph.focus();
  await page.keyboard.press("End");
  const link = await inspector.shareLink();
  expect(link.length).toBeLessThanOrEqual(2000);

  const other = new InspectorPage(await newPage());
  await other.page.goto(link);
  await other.verified();
  await expect(other.audit()).toHaveAttribute("data-audit", "same");
  await expect(other.panel).toHaveAttribute("data-entry", drawing.node("rb").ref);

  // The same link with another digest: not confirmed.
  const claimed = /[?&]v=(0x[0-9a-f]{64})/.exec(link)![1]!;
  const wrong = new InspectorPage(await newPage());
  await wrong.page.goto(`/#/s/${session}?v=0x${"0".repeat(64)}`);
  await wrong.verified();
  await expect(wrong.audit()).toHaveAttribute("data-audit", "different");
  await expect(wrong.audit()).toContainText(claimed);
});

test("a cold link takes at most 16 requests to its verdict; the rest comes after it", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/#/s/${session}`);
  await page.getByTestId("verdict").waitFor();
  // Parts that no first picture needs are fetched once the verdict stands there.
  const later = () => asked.findIndex((path) => /details-.*\.js/.test(path));
  await expect.poll(later).toBeGreaterThan(0);
  const before = asked.slice(0, later());
  expect(before.filter((path) => path.startsWith("/v1/")).length, "the Hub was asked").toBeGreaterThan(4);
  expect(before.length, before.join("\n")).toBeLessThanOrEqual(16);
});

test("one flipped byte in the Hub's answer: the right check fails at the right entry", async ({ page }) => {
  const wire = drawing.wire("rb");
  const flipped = wire.replace('"paper"', '"paqer"');
  await page.route("**/v1/**", async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    const quoted = JSON.stringify(wire).slice(1, -1);
    const changed = text.replaceAll(quoted, JSON.stringify(flipped).slice(1, -1)).replaceAll(wire, flipped);
    await route.fulfill({ response: answer, body: changed });
  });
  await page.goto(`/#/s/${session}`);
  const inspector = new InspectorPage(page);
  await inspector.verified();
  await expect(inspector.sentence()).toContainText("waiting");
  await expect(inspector.verdict.locator('[data-count="failed"]')).toContainText("1");

  await inspector.tab("Evidence");
  const rejected = page.getByTestId("evidence").locator("[data-reject]");
  await expect(rejected).toHaveAttribute("data-reject", "wrong-signer");
  await rejected.getByRole("button", { name: "Show where it stands" }).click();
  await expect(inspector.panel).toContainText("seq 1");
  await expect(inspector.panel.getByTestId("body")).toContainText("paqer");
  for (const name of ["size", "JSON", "shape", "canonical", "signature"])
    await expect(inspector.check(name)).toHaveAttribute("data-state", "passed");
  await expect(inspector.check("signer")).toHaveAttribute("data-state", "failed");
  for (const name of ["chain", "session", "in time"])
    await expect(inspector.check(name)).toHaveAttribute("data-state", "unchecked");
});

test("a bundle dropped with the network off is verified all the same", async ({ page, problems }) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED.*icon\.svg/); // the browser asks for the page's icon again
  await page.goto("/");
  const inspector = new InspectorPage(page);
  await inspector.bring("warm-up.coop.jsonl", writeBundle(session, drawing.records()));
  await inspector.verified(); // whatever the app loads on demand is here now
  await page.getByRole("link", { name: "Coop Explorer" }).click();
  await page.context().setOffline(true);
  const fork = game().commit("cb2", "b", "rock", { after: "", sees: "ca" });
  await inspector.bring("game.coop.jsonl", writeBundle(session, fork.records()));
  await inspector.verified();
  await expect(inspector.sentence()).toContainText("forked");
  await inspector.tab("Evidence");
  await expect(page.locator("[data-fork]")).toContainText("2 different entries");
});

test("time travel: the resolver runs again at every cut, and the right end is live", async ({ page }) => {
  await page.goto(`/#/s/${session}`);
  const inspector = new InspectorPage(page);
  await inspector.verified();
  const live = await inspector.sentence().textContent();
  const slider = page.getByRole("slider", { name: "Moves shown" });
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByTestId("cut")).toHaveText("3 of 4 moves");
  await expect(inspector.sentence()).toContainText("waiting");
  await expect(page.getByTestId("showing")).toHaveText("showing 4 of 5");
  expect(page.url()).toContain("cut=3");
  await page.keyboard.press("ArrowRight");
  await expect(inspector.sentence()).toHaveText(live ?? "");
});

for (const width of [1280, 1100, 360])
  test(`with an entry open, how much is shown stands in the filters' first line, at ${width} pixels`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 860 });
    await page.goto("/");
    const inspector = new InspectorPage(page);
    await inspector.bring("fork.coop.jsonl", readFileSync("public/samples/fork.coop.jsonl", "utf8"));
    await inspector.verified();
    await inspector.graph.focus();
    await page.keyboard.press("End");
    await expect(inspector.panel).toBeVisible();
    const boxOf = async (one: Locator) => (await one.boundingBox())!;
    const first =
      width > 640 ? page.getByLabel("Type", { exact: true }) : page.getByRole("button", { name: /^Filters/ });
    const [filter, showing] = [await boxOf(first), await boxOf(page.getByTestId("showing"))];
    expect(Math.abs(showing.y + showing.height / 2 - (filter.y + filter.height / 2))).toBeLessThan(4);
    expect(showing.height).toBeLessThan(32);
    expect(showing.x).toBeGreaterThan(filter.x + filter.width);
  });

for (const colorScheme of ["light", "dark"] as const)
  test(`axe finds nothing serious in the inspector, ${colorScheme}; it fits 360 pixels`, async ({ page }) => {
    test.setTimeout(120_000); // ten runs of axe
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/");
    const inspector = new InspectorPage(page);
    await inspector.bring("fork.coop.jsonl", readFileSync("public/samples/fork.coop.jsonl", "utf8"));
    await inspector.verified();
    await inspector.graph.focus();
    await page.keyboard.press("End");
    await expect(inspector.panel).toBeVisible();
    for (const tab of ["Graph", "Chains", "Why", "Evidence", "Records"] as const) {
      await inspector.tab(tab);
      const { violations } = await new AxeBuilder({ page }).include("main").analyze();
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => [tab, id, nodes.map((node) => node.html)])).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    }
  });
