// A whole audit by keyboard alone: from the first page to a failed check and the link to it; and the keys that do it.

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { SampleEntry } from "../src/testing/samples.ts";
import { expect, test } from "./fixtures.ts";
import { HomePage } from "./pages/home.ts";
import { InspectorPage } from "./pages/inspector.ts";

const samples = JSON.parse(readFileSync("public/samples/index.json", "utf8")) as readonly SampleEntry[];
const sampleOf = (file: string) => samples.find((sample) => sample.file.startsWith(file))!;

const focused = (page: Page, selector: string) =>
  expect
    .poll(() => page.evaluate((css) => document.activeElement?.closest(css) != null, selector))
    .toBe(true);

test("from the first page to a failed check and its audit link", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const home = new HomePage(page);
  await home.open();
  await expect(home.example(sampleOf("tampered-byte").title)).toBeVisible();
  // To the example, in the order of the page.
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => document.activeElement?.textContent ?? "");
    if (text.startsWith(sampleOf("tampered-byte").title)) break;
  }
  await page.keyboard.press("Enter");
  const inspector = new InspectorPage(page);
  await inspector.verified();

  await page.keyboard.press("1");
  await expect(inspector.graph).toBeFocused();
  await page.keyboard.press("Home");
  const entry = () => inspector.panel.getAttribute("data-entry");
  await expect(inspector.panel).toBeVisible();
  const visited = [await entry()];
  /** Goes one step and gives where it led. */
  const step = async (key: string): Promise<string | null> => {
    const before = await entry();
    await page.keyboard.press(key);
    await expect.poll(entry).not.toBe(before);
    const now = await entry();
    visited.push(now);
    return now;
  };
  const second = await step("ArrowRight"); // along the lane
  const child = await step("c");
  expect(child).not.toBe(second);
  await step("p");
  await page.keyboard.press("ArrowDown"); // to the other lane
  await expect.poll(entry).not.toBe(visited.at(-1));
  const other = await entry();
  await page.keyboard.press("Backspace");
  await expect.poll(entry).toBe(visited.at(-1));
  expect(other).not.toBe(null);

  // Into the entry, and back.
  await page.keyboard.press("Enter");
  await expect(inspector.panel).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(inspector.graph).toBeFocused();

  // The failed check, with expected and found.
  await page.keyboard.press("n");
  await focused(page, '[data-check][data-state="failed"]');
  const failed = inspector.panel.locator('[data-check][data-state="failed"]').first();
  await expect(failed).toContainText("expected");
  await expect(failed).toContainText("found");
  const shown = await entry();

  await page.keyboard.press("y");
  await expect(page.getByText("Audit link copied.")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain(`#/s/${sampleOf("tampered-byte").session}`);
  expect(decodeURIComponent(link)).toContain(`entry=${shown ?? ""}`);

  // The other tabs, and home again through the palette.
  for (const [key, tab] of [
    ["3", "Why"],
    ["4", "Evidence"],
    ["5", "Records"],
    ["2", "Chains"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole("tab", { name: tab })).toBeFocused();
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("home");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Play, and check" })).toBeVisible();
});

test("a concurrent entry is one key away", async ({ page }) => {
  const home = new HomePage(page);
  await home.open();
  await home.example(sampleOf("fork").title).press("Enter");
  const inspector = new InspectorPage(page);
  await inspector.verified();
  await page.keyboard.press("1");
  await expect(inspector.graph).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect(inspector.panel).toBeVisible();
  const before = await inspector.panel.getAttribute("data-entry");
  await page.keyboard.press("x"); // the two branches of the fork had not seen each other
  await expect(inspector.panel).not.toHaveAttribute("data-entry", before ?? "");
});

test("Ctrl-K lists what can be done here: commands, places, recent sessions", async ({ page }) => {
  const home = new HomePage(page);
  await home.open();
  await home.example(sampleOf("vote-open").title).press("Enter");
  const inspector = new InspectorPage(page);
  await inspector.verified();
  await page.keyboard.press("Control+k");
  const list = page.getByRole("listbox", { name: "Commands" });
  await expect(list.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await expect(list).toContainText("Copy audit link");
  await expect(list).toContainText("Settings");
  await expect(list).toContainText(sampleOf("vote-open").title === "" ? "vote" : "recent");
  await page.keyboard.type("evid");
  await expect(list.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Evidence" })).toHaveAttribute("aria-selected", "true");

  // A text that is an id goes before any command; what is neither is refused with the reason.
  await page.keyboard.press("Control+k");
  await page.keyboard.type(sampleOf("fork").session);
  await expect(list).toHaveCount(0);
  await expect(home.says()).toContainText("Entry 0");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(sampleOf("fork").session.slice(0, -1));
  await expect(page.getByText(/1 digit short/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(home.search).not.toBeFocused();
});

test("? lists the page's own keys; single keys can be turned off, Ctrl-K stays", async ({ page }) => {
  const home = new HomePage(page);
  await home.open();
  await home.example(sampleOf("vote-open").title).press("Enter");
  await new InspectorPage(page).verified();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keys" });
  await expect(sheet).toContainText("Copy audit link");
  await expect(sheet).toContainText("To a concurrent entry");
  await page.keyboard.press("4"); // behind a dialog nothing happens
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tab", { name: "Graph" })).toHaveAttribute("aria-selected", "true");

  await page.keyboard.press("Control+k");
  await page.keyboard.type("settings");
  const list = page.getByRole("listbox", { name: "Commands" });
  await expect(list.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await page.getByLabel("Single-key shortcuts").focus();
  await page.keyboard.press("Space");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await page.keyboard.press("/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(home.search).not.toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(home.search).toBeFocused();
});

test("without a clipboard, as on plain http, the link is copied all the same", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.addEventListener("copy", () => {
      const field = document.activeElement;
      if (field instanceof HTMLTextAreaElement) Object.assign(window, { copiedText: field.value });
    });
  });
  const home = new HomePage(page);
  await home.open();
  await home.example(sampleOf("vote-open").title).press("Enter");
  await new InspectorPage(page).verified();
  await page.keyboard.press("y");
  await expect(page.getByText("Audit link copied.")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "copiedText") as string)).toContain("#/s/0x");
  // And where the browser refuses that too, it says so.
  await page.evaluate(() => Object.assign(document, { execCommand: () => false }));
  await page.keyboard.press("y");
  await expect(page.getByText("The browser refused to copy.")).toBeVisible();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy audit link" }).click();
  await expect(page.getByRole("dialog").getByText("Copy was refused").first()).toBeVisible();
});
