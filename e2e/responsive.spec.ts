// A long session does not stop the page: it answers while thousands of records are read and checked, and says what came
// out before it draws a picture. What is asserted is an order of events; how long they take is for the benchmark.

import { writeBundle } from "../src/core/bundle.ts";
import { longSession } from "../src/testing/long-session.ts";
import { expect, test } from "./fixtures.ts";
import { InspectorPage } from "./pages/inspector.ts";

const drawing = longSession({ seed: 7, entries: 1_500, refs: 3_800 });
const bundle = writeBundle(drawing.node("g").ref, drawing.records());

/** What happens first, in the page's own order. */
function watch(): void {
  const seen: string[] = [];
  (window as unknown as { seen: string[] }).seen = seen;
  const note = (what: string) => {
    if (!seen.includes(what)) seen.push(what);
  };
  const look = () => {
    if (document.querySelector('[data-testid="inspector"]') !== null) note("opened");
    const verdict = document.querySelector('[data-testid="verdict"] [data-verdict]');
    // Painted: a frame has passed since it was put in place.
    if (verdict !== null)
      requestAnimationFrame(() => {
        note("verdict");
        if (document.querySelector('[data-level="verified"]') !== null) note("verified");
      });
    if (document.querySelector('[role="application"][data-nodes]') !== null) note("picture");
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
  window.addEventListener("keydown", (event) => {
    if (event.key === "F9") note(seen.includes("opened") ? "answered" : "early");
  });
}

test("the page answers while a drop is verified, and the verdict precedes the picture", async ({ page }) => {
  await page.addInitScript({ content: `globalThis.__name = (named) => named; (${watch.toString()})();` });
  await page.goto("/");
  const inspector = new InspectorPage(page);
  await inspector.bring("long.coop.jsonl", bundle);
  let done = false;
  const verified = inspector.verified().finally(() => (done = true));
  // A key that means nothing to the page: it is answered when the page takes notice of it.
  while (!done) {
    await page.keyboard.press("F9");
    await page.waitForFunction(() => true); // a turn of the page's own event loop
  }
  await verified;
  await expect(inspector.graph).toBeVisible();
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  const at = (what: string) => seen.indexOf(what);
  expect(seen).toEqual(expect.arrayContaining(["opened", "answered", "verdict", "picture", "verified"]));
  expect(at("answered")).toBeLessThan(at("verdict"));
  expect(at("verdict")).toBeLessThan(at("picture"));
});

test("reasons by the thousand, chains and records open at once, and the picture is there once", async ({
  page,
}) => {
  await page.goto("/");
  const inspector = new InspectorPage(page);
  await inspector.bring("long.coop.jsonl", bundle);
  await inspector.verified();
  await inspector.tab("Why");
  const reasons = page.getByTestId("why").locator("[data-reason]");
  await expect(reasons).toHaveCount(50);
  await page.getByRole("button", { name: /more in between/ }).click();
  await expect(reasons).toHaveCount(150);
  await inspector.tab("Chains");
  await expect(page.getByRole("table")).toHaveCount(8);
  await inspector.tab("Records");
  await expect(page.getByRole("table", { name: "Records as they came" })).toHaveAttribute(
    "aria-rowcount",
    "1501",
  );
  await inspector.tab("Graph");
  await expect(inspector.graph).toHaveCount(1);
  await expect(inspector.graph).toHaveAttribute("data-nodes", "1500");
});
