// Sources against each other: two Hubs of which one serves other bytes, the copies that participants keep, and the alarm
// when a Hub serves other entries, or fewer, than this browser has seen, after a reload too.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Page } from "@playwright/test";
import { fromHex, toHex, utf8 } from "../src/core/bytes.ts";
import { signedText } from "../src/core/entry.ts";
import { personalDigest } from "../src/core/signature.ts";
import { systemHubEnvironment } from "../src/hub/hub-environment.ts";
import { HttpHub } from "../src/hub/hub.http.ts";
import { appendKey, mirrorKey } from "../src/hub/log-keys.ts";
import { addressOf, Drawing, walletOf, type Name } from "../src/testing/build.ts";
import { expect, startServer, test } from "./fixtures.ts";
import { InspectorPage } from "./pages/inspector.ts";

test.use({ store: "sources" });

const drawing = new Drawing()
  .genesis("g", "c", "c d", { body: { title: "In dispute" } })
  .commit("cc", "c", "rock")
  .commit("cd", "d", "paper", { sees: "cc" })
  .reveal("rc", "c", "rock", { sees: "cd" })
  .reveal("rd", "d", "paper", { sees: "rc" })
  .reveal("rd2", "d", "paper", { sees: "rc cc", after: "cd" });
const session = drawing.node("g").ref;

const clientOf = (url: string) => new HttpHub(url, systemHubEnvironment());
const authorOf = (node: string): Name => (drawing.node(node).wallet === addressOf("c") ? "c" : "d");

/** Puts entries into their authors' logs; `bytes` instead of an entry's own. */
async function publish(url: string, names: string, bytes: Readonly<Record<string, string>> = {}) {
  for (const name of names.split(" "))
    await clientOf(url).put(
      walletOf(authorOf(name)),
      appendKey(drawing.node(name).seq),
      utf8(bytes[name] ?? drawing.wire(name)),
    );
}

async function copy(url: string, keeper: Name, names: string) {
  for (const { wallet, seq, wire } of names.split(" ").map((name) => drawing.node(name)))
    await clientOf(url).put(walletOf(keeper), mirrorKey(drawing.node("g").hash, wallet, seq), utf8(wire));
}

/** The same entry under another good signature of its author: one hash, other bytes. */
function signedAgain(name: string): string {
  const entry = drawing.node(name);
  const key = fromHex(`0x${{ c: "3", d: "4" }[authorOf(name) as "c" | "d"].repeat(64)}`);
  const options = { prehash: false, lowS: true, extraEntropy: new Uint8Array(32).fill(7) };
  const made = secp256k1.sign(personalDigest(signedText(entry)), key, { ...options, format: "recovered" });
  const sig = `${toHex(made.subarray(1))}${made[0] === 0 ? "1b" : "1c"}`;
  return entry.wire.replace(/"sig":"0x[0-9a-f]{130}"/, `"sig":"${sig}"`);
}

async function secondHub() {
  const data = mkdtempSync(join(tmpdir(), "coop-second-hub-"));
  const { url, stop } = await startServer(["--port", "0", "--data", data, "--no-bot"]);
  return {
    url,
    close: async () => {
      await stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The second server is the test's own. */
const OTHER_SERVER = /request to another host: (http|ws):\/\/127\.0\.0\.1/;

const place = (page: Page, node: string) => {
  const { wallet, seq } = drawing.node(node);
  return page.getByRole("region", { name: "Sources" }).locator(`[data-place="${wallet}:${seq}"]`);
};

test("two Hubs of which one serves other bytes: each place is named, and who has what", async ({
  app,
  page,
  problems,
}) => {
  problems.expect(OTHER_SERVER);
  const second = await secondHub();
  try {
    expect(signedAgain("cc")).not.toBe(drawing.wire("cc"));
    await publish(app.url, "g cc cd rc rd");
    await copy(app.url, "c", "cd rd");
    await copy(app.url, "d", "g cc");
    await publish(second.url, "g cc cd rc rd2", {
      cc: signedAgain("cc"),
      rc: drawing.wire("rc").replace('"value":"rock"', '"value":"ruck"'),
    });
    const [a, b] = [app.url, second.url].map((url) => encodeURIComponent(url));
    await page.goto(`/#/s/${session}?hub=${a}&hub=${b}&tab=evidence`);
    await new InspectorPage(page).verified();
    const sources = page.getByRole("region", { name: "Sources" });
    await expect(sources).toHaveAttribute("data-contested", "3");
    await expect(place(page, "cc")).toContainText("Other bytes");
    await expect(place(page, "rc")).toContainText(`refused at ${second.url}`);
    await expect(place(page, "rc")).toContainText("wrong-signer");
    await expect(place(page, "rd")).toContainText("Two versions");
    await expect(place(page, "cd")).toHaveCount(1); // lacking among d's copies at the second Hub only
    const rows = sources.getByRole("row");
    await expect(
      rows.filter({ has: page.getByRole("rowheader", { name: second.url, exact: true }) }),
    ).toContainText(/4\s*1\s*2\s*1\s*0$/);
    await expect(sources.locator('[data-source="copies"]')).toHaveCount(4);
    // The copy that c keeps holds what d's log at the second Hub no longer shows.
    await expect(place(page, "rd")).toContainText("copies kept by");
    // The proof of the fork stands in the same tab.
    await expect(page.getByRole("button", { name: "Copy the proof" })).toBeVisible();
  } finally {
    await second.close();
  }
});

test("one Hub and the copies there: an author's log that lacks an entry is seen through", async ({
  page,
  problems,
}) => {
  problems.expect(OTHER_SERVER);
  const { app } = { app: await secondHub() };
  try {
    await publish(app.url, "g cc cd rc");
    await copy(app.url, "c", "cd rd");
    await copy(app.url, "d", "g cc");
    await page.goto(`${app.url}/#/s/${session}?tab=evidence`);
    await new InspectorPage(page).verified();
    const sources = page.getByRole("region", { name: "Sources" });
    await expect(sources).toHaveAttribute("data-contested", "1");
    await expect(place(page, "rd")).toContainText("Not everywhere");
    await expect(page.locator("[data-uncopied]")).toHaveAttribute("data-uncopied", "1");
    await expect(page.locator("[data-uncopied] summary")).toContainText(
      "1 entry is not among everybody’s copies",
    );
  } finally {
    await app.close();
  }
});

test("a Hub that rewrites or shortens a log is reported on every reload until it serves it", async ({
  page,
  problems,
}) => {
  problems.expect(OTHER_SERVER);
  const hub = await secondHub();
  try {
    const inspector = new InspectorPage(page);
    const alarm = page.locator("[data-rollback]");
    await publish(hub.url, "g cc cd rc rd");
    await page.goto(`${hub.url}/#/s/${session}`);
    await inspector.verified();
    await expect(inspector.sentence()).toContainText("wins");
    await expect(alarm).toHaveCount(0);

    // Our own Hub never overwrites an entry, so the answers change on their way.
    let instead = drawing.wire("rd2");
    const changed = (text: string) => (text === drawing.wire("rd") ? instead : text);
    await page.route("**/v1/**", async (route) => {
      if (route.request().method() !== "GET") return route.continue();
      const response = await route.fetch();
      const text = await response.text();
      if (!route.request().url().includes("/conversations/") || !response.ok())
        return route.fulfill({ response, body: changed(text) });
      const answer = JSON.parse(text) as { messages: string[] | null };
      return route.fulfill({ response, json: { ...answer, messages: (answer.messages ?? []).map(changed) } });
    });
    for (let visit = 0; visit < 2; visit++) {
      await page.reload();
      await inspector.verified();
      await expect(alarm).toHaveAttribute("data-rollback", "rewritten");
      await expect(page.getByRole("alert")).toContainText("A log was rewritten since this browser saw it");
      await expect(alarm).toContainText(drawing.node("rd").hash.slice(2, 10));
      await expect(alarm).toContainText(drawing.node("rd2").hash.slice(2, 10));
    }

    instead = "not an entry";
    for (let visit = 0; visit < 2; visit++) {
      await page.reload();
      await inspector.verified();
      await expect(alarm).toHaveAttribute("data-rollback", "withheld");
      await expect(page.getByRole("alert")).toContainText("Less is served than this browser has seen before");
    }

    await page.unroute("**/v1/**");
    await page.reload();
    await inspector.verified();
    await expect(inspector.sentence()).toContainText("wins");
    await expect(alarm).toHaveCount(0);
  } finally {
    await hub.close();
  }
});
