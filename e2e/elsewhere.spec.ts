// What leaves the page and comes back: the checks of an entry, copied and run as a person would, and links that were
// damaged on their way, which open nothing and say why.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "./fixtures.ts";
import { InspectorPage } from "./pages/inspector.ts";

const bundle = readFileSync("public/samples/early-reveal.coop.jsonl", "utf8");

test("checks copied from an entry's panel reproduce what the panel says", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/");
  const inspector = new InspectorPage(page);
  await inspector.bring("game.coop.jsonl", bundle);
  await inspector.verified();
  await inspector.graph.focus();
  await page.keyboard.press("End");
  const ref = (await inspector.panel.getAttribute("data-entry")) ?? "";
  const hash = ref.split(":")[2]!;
  for (const name of ["signature", "signer", "chain"])
    await expect(inspector.check(name)).toContainText("passed");
  const buttons = inspector.panel.getByRole("button", { name: /command|CLI|TypeScript|Python/i });
  await expect(buttons).toHaveCount(3);
  const folder = mkdtempSync(join(tmpdir(), "coop-copied-"));
  try {
    for (const name of ["src", "node_modules", "package.json", "tsconfig.json", "scripts"])
      symlinkSync(join(process.cwd(), name), join(folder, name));
    const copied: string[] = [];
    for (const button of await buttons.all()) {
      await button.click();
      copied.push(await page.evaluate(() => navigator.clipboard.readText()));
    }
    expect(new Set(copied).size).toBe(3);
    const ran = copied.map((text) => {
      const [program, args, input] = text.includes("npm run")
        ? (["sh", [], text] as const)
        : text.includes("import hashlib") || text.includes("hashlib")
          ? (["python3", ["-"], text] as const)
          : ([process.execPath, ["--import", "tsx", "check-entry.ts"], ""] as const);
      if (program === process.execPath) writeFileSync(join(folder, "check-entry.ts"), text);
      const cwd = program === "sh" ? process.cwd() : folder;
      const { status, stdout, stderr } = spawnSync(program, args, { input, cwd, encoding: "utf8" });
      return { program, status, said: stdout + stderr };
    });
    for (const { program, status, said } of ran) expect([program, status, said]).toEqual([program, 0, said]);
    expect(new Set(ran.map(({ program }) => program)).size).toBe(3);
    for (const { program, said } of ran) if (program !== "sh") expect(said).toContain(`hash: ok ${hash}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("an audit link that was damaged on its way opens nothing, and says why", async ({ page }) => {
  await page.goto("/");
  const inspector = new InspectorPage(page);
  await inspector.bring("game.coop.jsonl", bundle);
  await inspector.verified();
  const link = await inspector.shareLink();
  const cut = link.indexOf("?");
  const damaged: readonly (readonly [string, string, RegExp])[] = [
    ["cut at its end", link.slice(0, -3), /cut or changed|damaged/],
    ["a dot at its end", `${link}.`, /cut or changed|damaged/],
    ["shortened", `${link.slice(0, cut - 40)}[…]${link.slice(cut - 20)}`, /shortened/],
    ["its session one digit short", link.slice(0, cut - 1), /1 digit short|digit/],
    ["encoded", link.replace(/#(.*)$/, (_, rest: string) => `#${encodeURIComponent(rest)}`), /./],
    [
      "another digit in its verdict",
      link.replace(/v=0x(.)/, (_, d: string) => `v=0x${d === "1" ? "2" : "1"}`),
      /./,
    ],
  ];
  for (const [what, text, why] of damaged) {
    await page.goto("about:blank");
    await page.goto(text);
    const notice = page.locator("main [data-notice]").first();
    await expect(notice, what).toContainText("This link is not valid");
    await expect(notice, what).toContainText(why);
    await expect(page.getByTestId("inspector"), what).toHaveCount(0);
  }
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByTestId("inspector")).toBeVisible();
});
