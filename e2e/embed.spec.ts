// A verdict in a frame on somebody else's page: read from the Hub and verified in the reader's own browser.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { utf8 } from "../src/core/bytes.ts";
import { systemHubEnvironment } from "../src/hub/hub-environment.ts";
import { HttpHub } from "../src/hub/hub.http.ts";
import { appendKey } from "../src/hub/log-keys.ts";
import { Drawing, walletOf, type Name } from "../src/testing/build.ts";
import { expect, test } from "./fixtures.ts";

const drawing = new Drawing()
  .genesis("g", "a", "a b", { body: { title: "<b>framed</b> \u202e" } })
  .add("va", "a", "commit", {})
  .commit("ca", "a", "rock")
  .commit("cb", "b", "paper", { sees: "ca" })
  .reveal("ra", "a", "rock", { sees: "cb" })
  .reveal("rb", "b", "paper", { sees: "ra" });
const session = drawing.node("g").ref;

// The same wallets write other logs in inspect.spec.ts.
test.use({ store: "embed" });

let site: Server;
let siteUrl = "";
let html = "";

test.beforeAll(async ({ app }) => {
  const hub = new HttpHub(app.url, systemHubEnvironment());
  for (const node of drawing.nodes.values()) {
    const author: Name = node.wallet === walletOf("a").address ? "a" : "b";
    await hub.put(walletOf(author), appendKey(node.seq), utf8(node.wire));
  }
  site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><title>A page of somebody else</title><h1>News</h1>${html}`);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
});
test.afterAll(() => new Promise((resolve) => site.close(resolve)));

test("the code that the page gives shows the verified verdict in a frame", async ({
  page,
  newPage,
  problems,
}) => {
  await page.goto(`/embed#/embed/s/${session}`);
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toHaveAttribute("data-level", "verified");
  await expect(verdict).toContainText("wins");
  await expect(verdict.locator("b")).toHaveCount(0);
  const code = page.getByLabel("HTML of the frame");
  await expect(code).toContainText("&amp;v=0x");
  html = (await code.textContent()) ?? "";

  const other = await newPage();
  problems.expect(/request to another host/); // the other site is the test's own
  await other.goto(siteUrl);
  const framed = other.frameLocator("iframe").getByRole("region", { name: "Verdict" });
  await expect(framed).toHaveAttribute("data-level", "verified");
  await expect(framed).toContainText("The same verdict as when this was made.");
  await expect(other.frameLocator("iframe").getByLabel("HTML of the frame")).toHaveCount(0);
  const link = other.frameLocator("iframe").getByRole("link", { name: "Open in the explorer" });
  await expect(link).toHaveAttribute("href", new RegExp(`/#/s/${session}`));
});

test("a verdict that is not the claimed one fails openly", async ({ page }) => {
  await page.goto(`/embed#/embed/s/${session}?v=0x${"0".repeat(64)}`);
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toHaveAttribute("data-level", "verified");
  await expect(verdict).toHaveAttribute("data-tone", "fail");
  await expect(verdict).toContainText("Not the verdict that this was made with");
});
