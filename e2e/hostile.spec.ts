// Texts by strangers in every place that shows them: nothing of them runs, none turns what is around it, what cannot
// be seen is marked, and no layout breaks at 360 pixels. A policy violation or a request fails each test by itself.

import { writeBundle } from "../src/core/bundle.ts";
import { utf8 } from "../src/core/bytes.ts";
import { systemHubEnvironment } from "../src/hub/hub-environment.ts";
import { HttpHub } from "../src/hub/hub.http.ts";
import { appendKey } from "../src/hub/log-keys.ts";
import { addressOf, Drawing, NAMES, walletOf } from "../src/testing/build.ts";
import { ATTACKS, hostileOffer, hostileRecords, hostileSession } from "../src/testing/hostile.ts";
import { expect, test } from "./fixtures.ts";
import { expectInert } from "./inert.ts";
import { InspectorPage } from "./pages/inspector.ts";

const SEED = 20_261;
// Players that no other test has logs of on the shared Hub.
const drawing = hostileSession(SEED, "e", "f");
const session = drawing.node("g").ref;
const invites = new Drawing().add("i", "h", "invite", hostileOffer(SEED), { outside: true });

test.beforeAll(async ({ app }) => {
  const hub = new HttpHub(app.url, systemHubEnvironment());
  for (const node of [...drawing.nodes.values(), ...invites.nodes.values()]) {
    const author = NAMES.find((name) => addressOf(name) === node.wallet)!;
    // A log has one place for each number: the other branch of the fork comes by file alone.
    if (node.name !== "a3b") await hub.put(walletOf(author), appendKey(node.seq), utf8(node.wire));
  }
});

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  page.on("dialog", () => {
    throw new Error("a stranger's text opened a dialog");
  });
});

const given = [...drawing.records(), ...hostileRecords(drawing)];

test("the inspector, each of its tabs and each entry", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("/");
  const inspector = new InspectorPage(page);
  await inspector.bring('<img src=x onerror="window.hit=1">\u202e.jsonl', writeBundle(session, given));
  await inspector.verified();
  await expect(inspector.verdict.locator("[data-mark]").first()).toBeVisible();
  for (const tab of ["Graph", "Chains", "Why", "Evidence", "Records"] as const) {
    await inspector.tab(tab);
    await expectInert(page, tab);
  }
  await expect(page.locator("main")).toContainText("onerror");
  await inspector.tab("Evidence");
  for (const more of await page.getByTestId("evidence").locator("summary").all()) await more.click();
  await expectInert(page, "bytes of what was rejected");

  await inspector.tab("Graph");
  for (const name of drawing.nodes.keys()) {
    const { ref } = drawing.node(name);
    await page.goto(`./#/s/${session}?entry=${ref}`);
    await expect(inspector.panel).toHaveAttribute("data-entry", ref);
    await expectInert(page, `entry ${name}`);
  }
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectInert(page, "share");
  await page.keyboard.press("Escape");
  await page.goto("./#/");
  await expect(page.getByRole("link", { name: /onerror/ })).toBeVisible();
  await expectInert(page, "recent sessions");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option", { name: /onerror/ })).toBeVisible();
  await expectInert(page, "palette");
});

test("two wallets that shorten alike are told apart wherever both are shown", async ({ page }) => {
  await page.goto(`/#/s/${session}`);
  const inspector = new InspectorPage(page);
  await inspector.verified();
  const shown = async (selector: string) => {
    const texts = await page.locator(selector).allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== "");
  };
  const names = await shown('[aria-label^="Causal graph"] [class*="names"] > div');
  expect(names.length).toBeGreaterThanOrEqual(3);
  expect(new Set(names).size).toBe(names.length);
  const seats = await page.getByLabel("seen by").locator("option").allInnerTexts();
  expect(new Set(seats).size).toBe(4);
});

test("compare, embed, the wallet's page, the report's name", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("/#/compare");
  for (const [side, records] of [
    ["A", given],
    ["B", drawing.records("b2")],
  ] as const)
    await page.getByLabel(`Or a bundle file for ${side}`).setInputFiles({
      name: `<svg onload=window.hit=1>\u202e${side}.jsonl`,
      mimeType: "application/jsonl",
      buffer: Buffer.from(writeBundle(session, records)),
    });
  await expect(page.getByRole("region", { name: "Differences" })).toContainText("First difference");
  await expectInert(page, "compare");

  await page.goto(`/#/w/${addressOf("e")}`);
  await expect(page.getByRole("heading", { name: "Sessions" })).toBeVisible();
  await expect(page.locator("main [data-mark]").first()).toBeVisible();
  await expectInert(page, "wallet");

  await page.goto(`/embed#/embed/s/${session}`);
  await expect(page.getByRole("region", { name: "Verdict" })).toHaveAttribute("data-level", "verified");
  await expectInert(page, "embed");
});

test("an invite, before anything is signed", async ({ page }) => {
  await page.goto(`/#/join/${invites.node("i").ref}`);
  await expect(page.getByText("Title", { exact: true })).toBeVisible();
  await expect(page.locator("main [data-mark]").first()).toBeVisible();
  await expectInert(page, "join");
});

test("wallets of the browser that announce themselves under hostile names", async ({ page }) => {
  await page.addInitScript(
    (names) => {
      window.addEventListener("eip6963:requestProvider", () => {
        names.forEach((name, i) => {
          const info = {
            uuid: `5d3a8a3c-7a0b-4d5c-9f1e-0000000000${String(i).padStart(2, "0")}`,
            name,
            rdns: `test.hostile.w${i}`,
            icon: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"/>`,
          };
          const detail = { info, provider: { request: () => Promise.reject(new Error(name)), on: () => {} } };
          window.dispatchEvent(
            new CustomEvent("eip6963:announceProvider", { detail: Object.freeze(detail) }),
          );
        });
      });
    },
    ATTACKS.slice(0, 12),
  );
  for (const route of ["#/play", `#/join/${invites.node("i").ref}`]) {
    await page.goto(`./${route}`);
    await expect(page.locator("bdi", { hasText: "onerror" }).first()).toBeVisible();
    await expectInert(page, route);
  }
});

test("a link's parameters, names of Hubs, and what a Hub answers", async ({ page, problems }) => {
  test.setTimeout(150_000);
  for (const attack of ATTACKS) {
    const text = encodeURIComponent(attack);
    for (const route of [
      `#/s/${session}?tab=${text}&entry=${text}&cut=${text}&observer=${text}&types=${text}`,
      `#/compare?a=${text}&b=${text}&a-seen=${text}`,
      `#/${text}`,
      `#/s/${attack}`,
      `#/w/${attack}`,
      `#/join/${attack}`,
    ]) {
      await page.goto(`./${route}`);
      await expect(page.locator("main")).not.toBeEmpty();
      await expectInert(page, route);
    }
  }
  problems.expect(/status of 500/);
  await page.route("**/v1/**", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/json",
      body: JSON.stringify({
        error: `${ATTACKS[0]} \u202e`,
        message: `${ATTACKS[2]} \u202e`,
        code: ATTACKS[0],
      }),
    }),
  );
  await page.goto("about:blank");
  for (const route of [`#/s/${session}`, `#/w/${addressOf("e")}`, `#/join/${invites.node("i").ref}`]) {
    await page.goto(`/${route}`);
    await expect(page.locator("[data-notice]").first()).toBeVisible();
    await expectInert(page, `500 at ${route}`);
  }
});
